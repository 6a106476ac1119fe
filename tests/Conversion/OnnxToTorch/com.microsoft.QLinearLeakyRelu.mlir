// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @u8(
// CHECK: torch.constant.float 2.500000e-01
// CHECK: torch.aten.leaky_relu
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @u8(%x: tensor<?x3x8xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x3x8xui8> {
  %y = "onnx.com.microsoft.QLinearLeakyRelu"(%x, %xs, %xz, %ys, %yz) {alpha = 0.25 : f32}
      : (tensor<?x3x8xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3x8xui8>
  onnx.Return %y : tensor<?x3x8xui8>
}
