// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nchw(
// CHECK: torch.aten.mean.dim {{.*}} -> !torch.vtensor<[?,3,1,1],f32>
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @nchw(%x: tensor<?x3x4x5xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x3x1x1xui8> {
  %y = "onnx.com.microsoft.QLinearGlobalAveragePool"(%x, %xs, %xz, %ys, %yz)
      : (tensor<?x3x4x5xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3x1x1xui8>
  onnx.Return %y : tensor<?x3x1x1xui8>
}

// -----

// CHECK-LABEL: func.func @nhwc(
// CHECK: torch.aten.mean.dim {{.*}} -> !torch.vtensor<[?,1,1,5],f32>
// CHECK: torch.aten.round
// CHECK: torch.aten.clamp
// CHECK: torch.prims.convert_element_type
func.func @nhwc(%x: tensor<?x3x4x5xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<?x1x1x5xui8> {
  %y = "onnx.com.microsoft.QLinearGlobalAveragePool"(%x, %xs, %xz, %ys, %yz) {channels_last = 1 : si64}
      : (tensor<?x3x4x5xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<?x1x1x5xui8>
  onnx.Return %y : tensor<?x1x1x5xui8>
}

// -----

func.func @no_space(%x: tensor<2x3xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<2x3xui8> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.QLinearGlobalAveragePool': expected 'X' of rank 3 or more, got rank 2: '!torch.vtensor<[2,3],ui8>'}}
  %y = "onnx.com.microsoft.QLinearGlobalAveragePool"(%x, %xs, %xz, %ys, %yz)
      : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  onnx.Return %y : tensor<2x3xui8>
}
