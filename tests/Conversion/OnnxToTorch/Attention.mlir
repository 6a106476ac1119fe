// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @heads(
// CHECK: torch.aten.scaled_dot_product_attention{{.*}} -> !torch.vtensor<[?,2,3,4],f32>
// CHECK: return
func.func @heads(%a0: tensor<?x2x3x4xf32>, %a1: tensor<?x2x3x4xf32>, %a2: tensor<?x2x3x4xf32>) -> tensor<?x2x3x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.Attention"(%a0, %a1, %a2, %none, %none, %none, %none)
      : (tensor<?x2x3x4xf32>, tensor<?x2x3x4xf32>, tensor<?x2x3x4xf32>, none, none, none, none) -> (tensor<?x2x3x4xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x2x3x4xf32>
}

// -----

func.func @no_heads(%a0: tensor<?x3x4xf32>, %a1: tensor<?x3x4xf32>, %a2: tensor<?x3x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Attention': expected tensors of rank 4, or of rank 3 with a number of heads, got '!torch.vtensor<[?,3,4],f32>'}}
  %y:4 = "onnx.Attention"(%a0, %a1, %a2, %none, %none, %none, %none)
      : (tensor<?x3x4xf32>, tensor<?x3x4xf32>, tensor<?x3x4xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

func.func @scalar_lengths(%a0: tensor<?x2x2x8xf32>, %a1: tensor<?x2x4x8xf32>, %a2: tensor<?x2x4x8xf32>, %a6: tensor<i64>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.Attention': expected 'nonpad_kv_seqlen' of rank 1, got rank 0: '!torch.vtensor<[],si64>'}}
  %y:4 = "onnx.Attention"(%a0, %a1, %a2, %none, %none, %none, %a6)
      : (tensor<?x2x2x8xf32>, tensor<?x2x4x8xf32>, tensor<?x2x4x8xf32>, none, none, none, tensor<i64>) -> (tensor<*xf32>, none, none, none)
  onnx.Return %y#0 : tensor<*xf32>
}
