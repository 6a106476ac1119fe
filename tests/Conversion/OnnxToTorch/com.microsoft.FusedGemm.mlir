// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @leaky(
// CHECK: torch.aten.linear
// CHECK: torch.constant.float 2.500000e-01
// CHECK: torch.aten.leaky_relu
func.func @leaky(%a: tensor<?x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.com.microsoft.FusedGemm"(%a, %b, %c) {activation = "LeakyRelu", activation_alpha = 0.25 : f32, transB = 1 : si64}
      : (tensor<?x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @tanh(
// CHECK: torch.aten.mm
// CHECK: torch.aten.tanh
func.func @tanh(%a: tensor<?x8xf32>, %b: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.FusedGemm"(%a, %b, %none) {activation = "Tanh"} : (tensor<?x8xf32>, tensor<8x4xf32>, none) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

func.func @unknown(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>) -> tensor<2x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.FusedGemm': expected an activation that ONNX has, got 'Swoosh'}}
  %y = "onnx.com.microsoft.FusedGemm"(%a, %b, %none) {activation = "Swoosh"} : (tensor<2x8xf32>, tensor<8x4xf32>, none) -> tensor<2x4xf32>
  onnx.Return %y : tensor<2x4xf32>
}

// -----

func.func @vector(%a: tensor<8xf32>, %b: tensor<8x4xf32>) -> tensor<4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.FusedGemm': expected 'A' of rank 2, got rank 1: '!torch.vtensor<[8],f32>'}}
  %y = "onnx.com.microsoft.FusedGemm"(%a, %b, %none) {activation = "Relu"} : (tensor<8xf32>, tensor<8x4xf32>, none) -> tensor<4xf32>
  onnx.Return %y : tensor<4xf32>
}
