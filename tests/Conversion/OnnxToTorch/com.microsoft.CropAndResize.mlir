// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bilinear(
// CHECK-COUNT-4: torch.aten.index.Tensor
// CHECK: torch.aten.where.self
func.func @bilinear(%x: tensor<?x3x?x8xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi32>) -> tensor<?x3x4x5xf32> {
  %size = "onnx.Constant"() {value = dense<[4, 5]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "onnx.com.microsoft.CropAndResize"(%x, %rois, %images, %size) : (tensor<?x3x?x8xf32>, tensor<?x4xf32>, tensor<?xi32>, tensor<2xi32>) -> tensor<?x3x4x5xf32>
  onnx.Return %y : tensor<?x3x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @nearest(
// CHECK: torch.aten.index.Tensor
// CHECK-NOT: torch.aten.index.Tensor
func.func @nearest(%x: tensor<1x3x8x8xf16>, %rois: tensor<2x4xf16>, %images: tensor<2xi32>) -> tensor<2x3x4x5xf16> {
  %size = "onnx.Constant"() {value = dense<[4, 5]> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = "onnx.com.microsoft.CropAndResize"(%x, %rois, %images, %size) {mode = "nearest"} : (tensor<1x3x8x8xf16>, tensor<2x4xf16>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3x4x5xf16>
  onnx.Return %y : tensor<2x3x4x5xf16>
}

// -----

func.func @mode(%x: tensor<1x3x8x8xf32>, %rois: tensor<2x4xf32>, %images: tensor<2xi32>) -> tensor<2x3x4x5xf32> {
  %size = "onnx.Constant"() {value = dense<[4, 5]> : tensor<2xi32>} : () -> tensor<2xi32>
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.CropAndResize': expected mode to be bilinear or nearest, got 'cubic'}}
  %y = "onnx.com.microsoft.CropAndResize"(%x, %rois, %images, %size) {mode = "cubic"} : (tensor<1x3x8x8xf32>, tensor<2x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3x4x5xf32>
  onnx.Return %y : tensor<2x3x4x5xf32>
}

// -----

func.func @sizes(%x: tensor<1x3x8x8xf32>, %rois: tensor<2x4xf32>, %images: tensor<2xi32>, %size: tensor<?xi32>) -> tensor<2x3x?x?xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.CropAndResize': expected crop_size of 2 sizes, got '!torch.vtensor<[?],si32>'}}
  %y = "onnx.com.microsoft.CropAndResize"(%x, %rois, %images, %size) : (tensor<1x3x8x8xf32>, tensor<2x4xf32>, tensor<2xi32>, tensor<?xi32>) -> tensor<2x3x?x?xf32>
  onnx.Return %y : tensor<2x3x?x?xf32>
}
