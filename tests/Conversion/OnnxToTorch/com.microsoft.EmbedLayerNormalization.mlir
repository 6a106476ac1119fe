// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @segments(
// CHECK: torch.aten.slice.Tensor
// CHECK: torch.aten.layer_norm
// CHECK: torch.aten.sum.dim_IntList
func.func @segments(%i: tensor<?x3xi32>, %t: tensor<?x3xi32>, %w: tensor<9x8xf32>, %p: tensor<7x8xf32>, %s: tensor<2x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %m: tensor<?x3xi32>) -> (tensor<?x3x8xf32>, tensor<?xi32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:3 = "onnx.com.microsoft.EmbedLayerNormalization"(%i, %t, %w, %p, %s, %g, %b, %m, %none)
      : (tensor<?x3xi32>, tensor<?x3xi32>, tensor<9x8xf32>, tensor<7x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<?x3xi32>, none) -> (tensor<?x3x8xf32>, tensor<?xi32>, none)
  onnx.Return %y#0, %y#1 : tensor<?x3x8xf32>, tensor<?xi32>
}

// -----

// CHECK-LABEL: func.func @positions(
// CHECK: %[[SUM:.*]] = torch.aten.add.Tensor
// CHECK: torch.aten.layer_norm %[[SUM]]
func.func @positions(%i: tensor<?x3xi32>, %q: tensor<?x3xi32>, %w: tensor<9x8xf32>, %p: tensor<7x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<?x3x8xf32>, tensor<?x3x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:3 = "onnx.com.microsoft.EmbedLayerNormalization"(%i, %none, %w, %p, %none, %g, %b, %none, %q)
      : (tensor<?x3xi32>, none, tensor<9x8xf32>, tensor<7x8xf32>, none, tensor<8xf32>, tensor<8xf32>, none, tensor<?x3xi32>) -> (tensor<?x3x8xf32>, none, tensor<?x3x8xf32>)
  onnx.Return %y#0, %y#2 : tensor<?x3x8xf32>, tensor<?x3x8xf32>
}
