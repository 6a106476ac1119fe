// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @sum(
// CHECK: %[[SUM:.*]] = torch.aten.add.Tensor
// CHECK: torch.aten.layer_norm %[[SUM]]
func.func @sum(%x: tensor<?x3x8xf32>, %s: tensor<?x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<?x3x8xf32>, tensor<?x3x8xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.SkipLayerNormalization"(%x, %s, %g, %b, %none)
      : (tensor<?x3x8xf32>, tensor<?x3x8xf32>, tensor<8xf32>, tensor<8xf32>, none) -> (tensor<?x3x8xf32>, none, none, tensor<?x3x8xf32>)
  onnx.Return %y#0, %y#3 : tensor<?x3x8xf32>, tensor<?x3x8xf32>
}

// -----

// CHECK-LABEL: func.func @bias(
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.layer_norm
func.func @bias(%x: tensor<?x3x8xf32>, %s: tensor<?x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<?x3x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:4 = "onnx.com.microsoft.SkipLayerNormalization"(%x, %s, %g, %none, %b)
      : (tensor<?x3x8xf32>, tensor<?x3x8xf32>, tensor<8xf32>, none, tensor<8xf32>) -> (tensor<?x3x8xf32>, none, none, none)
  onnx.Return %y#0 : tensor<?x3x8xf32>
}

// -----

func.func @statistics(%x: tensor<?x3x8xf32>, %s: tensor<?x3x8xf32>, %g: tensor<8xf32>) -> (tensor<?x3x8xf32>, tensor<?x3x1xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.SkipLayerNormalization': expected no output of statistics, which training needs, got one}}
  %y:4 = "onnx.com.microsoft.SkipLayerNormalization"(%x, %s, %g, %none, %none)
      : (tensor<?x3x8xf32>, tensor<?x3x8xf32>, tensor<8xf32>, none, none) -> (tensor<?x3x8xf32>, tensor<?x3x1xf32>, none, none)
  onnx.Return %y#0, %y#1 : tensor<?x3x8xf32>, tensor<?x3x1xf32>
}
