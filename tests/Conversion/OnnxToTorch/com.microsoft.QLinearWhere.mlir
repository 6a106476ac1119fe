// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @u8(
// CHECK: torch.aten.where.self {{.*}} -> !torch.vtensor<[?,3],f32>
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @u8(%c: tensor<?x3xi1>, %x: tensor<?x3xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %y: tensor<3xui8>, %ys: tensor<f32>, %yz: tensor<ui8>, %zs: tensor<f32>, %zz: tensor<ui8>) -> tensor<?x3xui8> {
  %z = "onnx.com.microsoft.QLinearWhere"(%c, %x, %xs, %xz, %y, %ys, %yz, %zs, %zz)
      : (tensor<?x3xi1>, tensor<?x3xui8>, tensor<f32>, tensor<ui8>, tensor<3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3xui8>
  onnx.Return %z : tensor<?x3xui8>
}
