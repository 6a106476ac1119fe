// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bins(
// CHECK: torch.torchvision.roi_pool %{{.*}} -> !torch.vtensor<[?,3,2,4],f32>, !torch.vtensor<[?,3,2,4],si32>
func.func @bins(%x: tensor<2x3x?x?xf32>, %rois: tensor<?x5xf32>) -> tensor<?x3x2x4xf32> {
  %y = "onnx.MaxRoiPool"(%x, %rois) {pooled_shape = [2, 4]} : (tensor<2x3x?x?xf32>, tensor<?x5xf32>) -> tensor<?x3x2x4xf32>
  onnx.Return %y : tensor<?x3x2x4xf32>
}

// -----

func.func @no_height(%x: tensor<2x3x?x?xf32>, %rois: tensor<?x5xf32>) -> tensor<?x3x0x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.MaxRoiPool': expected pooled sizes of 1 or more, got [0,4]}}
  %y = "onnx.MaxRoiPool"(%x, %rois) {pooled_shape = [0, 4]} : (tensor<2x3x?x?xf32>, tensor<?x5xf32>) -> tensor<?x3x0x4xf32>
  onnx.Return %y : tensor<?x3x0x4xf32>
}

// -----

func.func @line(%x: tensor<2x3x?xf32>, %rois: tensor<?x5xf32>) -> tensor<?x3x4xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.MaxRoiPool': expected 'X' of rank 4, got rank 3: '!torch.vtensor<[2,3,?],f32>'}}
  %y = "onnx.MaxRoiPool"(%x, %rois) {pooled_shape = [2, 4]} : (tensor<2x3x?xf32>, tensor<?x5xf32>) -> tensor<?x3x4xf32>
  onnx.Return %y : tensor<?x3x4xf32>
}
