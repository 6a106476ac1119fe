// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: torch.aten.bitwise_and.Tensor
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[4,32,1,16],ui8>
// CHECK: torch.aten.matmul
// CHECK: torch.aten.topk
func.func @rows(%a0: tensor<?x16xf32>, %a1: tensor<?x4xf32>, %a2: tensor<4x32x8xui8>, %a3: tensor<4x32xf32>, %a5: tensor<4x16x16xui8>, %a6: tensor<4x16xf32>) -> tensor<?x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.QMoE"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none) {k = 2 : si64, activation_type = "silu"}
      : (tensor<?x16xf32>, tensor<?x4xf32>, tensor<4x32x8xui8>, tensor<4x32xf32>, none, tensor<4x16x16xui8>, tensor<4x16xf32>, none, none, none, none, none, none, none, none, none, none, none, none, none, none) -> tensor<?x16xf32>
  onnx.Return %y : tensor<?x16xf32>
}

// -----

// CHECK-LABEL: func.func @blocks(
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[4,32,2,8],ui8>
// CHECK: torch.aten.view {{.*}} -> !torch.vtensor<[4,16,4,8],ui8>
func.func @blocks(%a0: tensor<?x16xf32>, %a1: tensor<?x4xf32>, %a2: tensor<4x32x8xui8>, %a3: tensor<4x32x2xf32>, %a5: tensor<4x16x16xui8>, %a6: tensor<4x16x4xf32>, %a11: tensor<4x32x1xui8>) -> tensor<?x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.QMoE"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %none, %none, %none, %none, %a11, %none, %none, %none, %none, %none, %none, %none, %none, %none) {k = 2 : si64, block_size = 8 : si64}
      : (tensor<?x16xf32>, tensor<?x4xf32>, tensor<4x32x8xui8>, tensor<4x32x2xf32>, none, tensor<4x16x16xui8>, tensor<4x16x4xf32>, none, none, none, none, tensor<4x32x1xui8>, none, none, none, none, none, none, none, none, none) -> tensor<?x16xf32>
  onnx.Return %y : tensor<?x16xf32>
}

// -----

func.func @router_weights(%a0: tensor<?x16xf32>, %a1: tensor<?x4xf32>, %a2: tensor<4x32x8xui8>, %a3: tensor<4x32xf32>, %a5: tensor<4x16x16xui8>, %a6: tensor<4x16xf32>, %a14: tensor<?x4xf32>) -> tensor<?x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QMoE': expected quant_type int, weights that are not prepacked and no router_weights, got quant_type 'int', weights_prepacked -1 and router_weights}}
  %y = "onnx.com.microsoft.QMoE"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %none, %none, %none, %none, %none, %none, %none, %a14, %none, %none, %none, %none, %none, %none) {k = 2 : si64}
      : (tensor<?x16xf32>, tensor<?x4xf32>, tensor<4x32x8xui8>, tensor<4x32xf32>, none, tensor<4x16x16xui8>, tensor<4x16xf32>, none, none, none, none, none, none, none, tensor<?x4xf32>, none, none, none, none, none, none) -> tensor<?x16xf32>
  onnx.Return %y : tensor<?x16xf32>
}

// -----

func.func @scales(%a0: tensor<?x16xf32>, %a1: tensor<?x4xf32>, %a2: tensor<4x32x8xui8>, %a3: tensor<4x32xf32>, %a5: tensor<4x16x16xui8>, %a6: tensor<4x16xf32>) -> tensor<?x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QMoE': expected a scale of each row, or with block_size of each block, got '!torch.vtensor<[4,32],f32>'}}
  %y = "onnx.com.microsoft.QMoE"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none) {k = 2 : si64, block_size = 8 : si64}
      : (tensor<?x16xf32>, tensor<?x4xf32>, tensor<4x32x8xui8>, tensor<4x32xf32>, none, tensor<4x16x16xui8>, tensor<4x16xf32>, none, none, none, none, none, none, none, none, none, none, none, none, none, none) -> tensor<?x16xf32>
  onnx.Return %y : tensor<?x16xf32>
}

// -----

func.func @zero_points(%a0: tensor<?x16xf32>, %a1: tensor<?x4xf32>, %a2: tensor<4x32x8xui8>, %a3: tensor<4x32xf32>, %a5: tensor<4x16x16xui8>, %a6: tensor<4x16xf32>, %a11: tensor<4x32x1xui8>) -> tensor<?x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QMoE': expected a zero point for each scale, got '!torch.vtensor<[4,32,1],ui8>'}}
  %y = "onnx.com.microsoft.QMoE"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %none, %none, %none, %none, %a11, %none, %none, %none, %none, %none, %none, %none, %none, %none) {k = 2 : si64}
      : (tensor<?x16xf32>, tensor<?x4xf32>, tensor<4x32x8xui8>, tensor<4x32xf32>, none, tensor<4x16x16xui8>, tensor<4x16xf32>, none, none, none, none, tensor<4x32x1xui8>, none, none, none, none, none, none, none, none, none) -> tensor<?x16xf32>
  onnx.Return %y : tensor<?x16xf32>
}

// -----

func.func @bits(%a0: tensor<?x16xf32>, %a1: tensor<?x4xf32>, %a2: tensor<4x32x8xui8>, %a3: tensor<4x32xf32>, %a5: tensor<4x16x16xui8>, %a6: tensor<4x16xf32>) -> tensor<?x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QMoE': expected bits to be 2, 4 or 8, got 3}}
  %y = "onnx.com.microsoft.QMoE"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none, %none) {k = 2 : si64, expert_weight_bits = 3 : si64}
      : (tensor<?x16xf32>, tensor<?x4xf32>, tensor<4x32x8xui8>, tensor<4x32xf32>, none, tensor<4x16x16xui8>, tensor<4x16xf32>, none, none, none, none, none, none, none, none, none, none, none, none, none, none) -> tensor<?x16xf32>
  onnx.Return %y : tensor<?x16xf32>
}
