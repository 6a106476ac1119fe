// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @u8(
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @u8(%a: tensor<?x3x8xui8>, %as: tensor<f32>, %az: tensor<ui8>, %b: tensor<?x3x8xui8>, %bs: tensor<f32>, %bz: tensor<ui8>, %cs: tensor<f32>, %cz: tensor<ui8>) -> tensor<?x3x8xui8> {
  %y = "onnx.com.microsoft.QLinearAdd"(%a, %as, %az, %b, %bs, %bz, %cs, %cz)
      : (tensor<?x3x8xui8>, tensor<f32>, tensor<ui8>, tensor<?x3x8xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3x8xui8>
  onnx.Return %y : tensor<?x3x8xui8>
}
