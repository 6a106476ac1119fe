// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nchw(
// CHECK: torch.aten.avg_pool2d
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @nchw(%x: tensor<?x3x4x6xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x3x2x3xui8> {
  %y = "onnx.com.microsoft.QLinearAveragePool"(%x, %xs, %xz, %ys, %yz) {kernel_shape = [2, 2], strides = [2, 2]}
      : (tensor<?x3x4x6xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3x2x3xui8>
  onnx.Return %y : tensor<?x3x2x3xui8>
}

// -----

// CHECK-LABEL: func.func @nhwc(
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,3,4,6],f32>
// CHECK: torch.aten.avg_pool2d {{.*}} -> !torch.vtensor<[?,3,2,3],f32>
// CHECK: torch.aten.permute {{.*}} -> !torch.vtensor<[?,2,3,3],f32>
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @nhwc(%x: tensor<?x4x6x3xui8>, %xs: tensor<f32>, %ys: tensor<f32>) -> tensor<?x2x3x3xui8> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.QLinearAveragePool"(%x, %xs, %none, %ys, %none) {channels_last = 1 : si64, kernel_shape = [2, 2], strides = [2, 2]}
      : (tensor<?x4x6x3xui8>, tensor<f32>, none, tensor<f32>, none) -> tensor<?x2x3x3xui8>
  onnx.Return %y : tensor<?x2x3x3xui8>
}

// -----

func.func @no_space(%x: tensor<2x3xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<2x3xui8> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QLinearAveragePool': expected 'X' of rank 3 or more, got rank 2: '!torch.vtensor<[2,3],ui8>'}}
  %y = "onnx.com.microsoft.QLinearAveragePool"(%x, %xs, %xz, %ys, %yz) {kernel_shape = []}
      : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  onnx.Return %y : tensor<2x3xui8>
}
