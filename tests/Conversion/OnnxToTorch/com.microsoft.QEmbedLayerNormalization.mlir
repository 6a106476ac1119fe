// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @segments(
// CHECK: torch.aten.index.Tensor
// CHECK: torch.aten.layer_norm
// CHECK: torch.aten.sum.dim_IntList
func.func @segments(%a0: tensor<?x3xi32>, %a1: tensor<?x3xi32>, %a2: tensor<9x8xui8>, %a3: tensor<7x8xui8>, %a4: tensor<2x8xui8>, %a5: tensor<8xui8>, %a6: tensor<8xui8>, %a8: tensor<f32>, %a9: tensor<f32>, %a10: tensor<f32>, %a11: tensor<f32>, %a12: tensor<f32>, %a13: tensor<ui8>, %a14: tensor<ui8>, %a15: tensor<ui8>, %a16: tensor<ui8>, %a17: tensor<ui8>) -> (tensor<?x3x8xf32>, tensor<?xi32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.com.microsoft.QEmbedLayerNormalization"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %none, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17)
      : (tensor<?x3xi32>, tensor<?x3xi32>, tensor<9x8xui8>, tensor<7x8xui8>, tensor<2x8xui8>, tensor<8xui8>, tensor<8xui8>, none, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<ui8>) -> (tensor<?x3x8xf32>, tensor<?xi32>)
  onnx.Return %y#0, %y#1 : tensor<?x3x8xf32>, tensor<?xi32>
}

// -----

func.func @no_table(%a0: tensor<?x3xi32>, %a1: tensor<?x3xi32>, %a2: tensor<9x8xui8>, %a3: tensor<7x8xui8>, %a5: tensor<8xui8>, %a6: tensor<8xui8>, %a8: tensor<f32>, %a9: tensor<f32>, %a10: tensor<f32>, %a11: tensor<f32>, %a12: tensor<f32>, %a13: tensor<ui8>, %a14: tensor<ui8>, %a15: tensor<ui8>, %a16: tensor<ui8>, %a17: tensor<ui8>) -> (tensor<?x3x8xf32>, tensor<?xi32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QEmbedLayerNormalization': expected a segment_embedding and its scale for segment_ids, got none}}
  %y:2 = "onnx.com.microsoft.QEmbedLayerNormalization"(%a0, %a1, %a2, %a3, %none, %a5, %a6, %none, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17)
      : (tensor<?x3xi32>, tensor<?x3xi32>, tensor<9x8xui8>, tensor<7x8xui8>, none, tensor<8xui8>, tensor<8xui8>, none, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<ui8>) -> (tensor<?x3x8xf32>, tensor<?xi32>)
  onnx.Return %y#0, %y#1 : tensor<?x3x8xf32>, tensor<?xi32>
}
