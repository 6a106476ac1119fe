// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @u8(
// CHECK: torch.aten.sigmoid
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @u8(%x: tensor<?x3x8xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x3x8xui8> {
  %y = "onnx.com.microsoft.QLinearSigmoid"(%x, %xs, %xz, %ys, %yz)
      : (tensor<?x3x8xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3x8xui8>
  onnx.Return %y : tensor<?x3x8xui8>
}

// -----

// CHECK-LABEL: func.func @no_zero_points(
// CHECK: torch.aten.sigmoid
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @no_zero_points(%x: tensor<?x3x8xui8>, %xs: tensor<f32>, %ys: tensor<f32>) -> tensor<?x3x8xui8> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.QLinearSigmoid"(%x, %xs, %none, %ys, %none)
      : (tensor<?x3x8xui8>, tensor<f32>, none, tensor<f32>, none) -> tensor<?x3x8xui8>
  onnx.Return %y : tensor<?x3x8xui8>
}
