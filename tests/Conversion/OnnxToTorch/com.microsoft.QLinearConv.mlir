// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nhwc(
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,4,7,6],ui8>
// CHECK: torch.aten.convolution {{.*}} -> !torch.vtensor<[?,6,5,4],si32>
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,5,4,6],ui8>
func.func @nhwc(%a0: tensor<?x7x6x4xui8>, %a1: tensor<f32>, %a2: tensor<ui8>, %a3: tensor<6x4x3x3xui8>, %a4: tensor<f32>, %a5: tensor<ui8>, %a6: tensor<f32>, %a7: tensor<ui8>, %a8: tensor<6xi32>) -> tensor<?x5x4x6xui8> {
  %y = "onnx.com.microsoft.QLinearConv"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8) {channels_last = 1 : si64}
      : (tensor<?x7x6x4xui8>, tensor<f32>, tensor<ui8>, tensor<6x4x3x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<6xi32>) -> tensor<?x5x4x6xui8>
  onnx.Return %y : tensor<?x5x4x6xui8>
}

// -----

// CHECK-LABEL: func.func @nchw(
// CHECK-NOT: torch.aten.permute
// CHECK: torch.aten.convolution
func.func @nchw(%a0: tensor<?x4x7x6xui8>, %a1: tensor<f32>, %a2: tensor<ui8>, %a3: tensor<6x4x3x3xui8>, %a4: tensor<f32>, %a5: tensor<ui8>, %a6: tensor<f32>, %a7: tensor<ui8>, %a8: tensor<6xi32>) -> tensor<?x6x5x4xui8> {
  %y = "onnx.com.microsoft.QLinearConv"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8)
      : (tensor<?x4x7x6xui8>, tensor<f32>, tensor<ui8>, tensor<6x4x3x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<6xi32>) -> tensor<?x6x5x4xui8>
  onnx.Return %y : tensor<?x6x5x4xui8>
}
