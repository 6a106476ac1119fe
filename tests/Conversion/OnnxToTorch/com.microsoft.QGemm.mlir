// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f32(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.mul.Scalar
func.func @f32(%a: tensor<?x8xui8>, %as: tensor<f32>, %az: tensor<ui8>, %b: tensor<8x4xi8>, %bs: tensor<f32>, %bz: tensor<i8>, %c: tensor<4xi32>) -> tensor<?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.QGemm"(%a, %as, %az, %b, %bs, %bz, %c, %none, %none)
      : (tensor<?x8xui8>, tensor<f32>, tensor<ui8>, tensor<8x4xi8>, tensor<f32>, tensor<i8>, tensor<4xi32>, none, none) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @quantized(
// CHECK: torch.aten.permute
// CHECK: torch.aten.matmul
// CHECK: torch.constant.float 5.000000e-01
// CHECK: torch.aten.mul.Scalar
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @quantized(%a: tensor<?x8xui8>, %as: tensor<f32>, %az: tensor<ui8>, %b: tensor<4x8xi8>, %bs: tensor<f32>, %bz: tensor<i8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x4xui8> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.QGemm"(%a, %as, %az, %b, %bs, %bz, %none, %ys, %yz) {transB = 1 : si64, alpha = 0.5 : f32}
      : (tensor<?x8xui8>, tensor<f32>, tensor<ui8>, tensor<4x8xi8>, tensor<f32>, tensor<i8>, none, tensor<f32>, tensor<ui8>) -> tensor<?x4xui8>
  onnx.Return %y : tensor<?x4xui8>
}
