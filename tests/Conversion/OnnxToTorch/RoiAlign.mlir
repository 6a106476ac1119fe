// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @average(
// CHECK: %[[REGIONS:.*]] = torch.aten.cat{{.*}} -> !torch.vtensor<[?,5],f32>
// CHECK: torch.torchvision.roi_align %{{.*}}, %[[REGIONS]], {{.*}} -> !torch.vtensor<[?,3,5,5],f32>
func.func @average(%x: tensor<1x3x?x?xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi64>) -> tensor<?x3x5x5xf32> {
  %y = "onnx.RoiAlign"(%x, %rois, %images) {output_height = 5 : si64, output_width = 5 : si64, sampling_ratio = 2 : si64}
      : (tensor<1x3x?x?xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x3x5x5xf32>
  onnx.Return %y : tensor<?x3x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @maximum(
// CHECK-COUNT-3: torch.aten.maximum
// CHECK: torch.aten.amax{{.*}} -> !torch.vtensor<[?,5,5,3],f32>
func.func @maximum(%x: tensor<1x3x?x?xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi64>) -> tensor<?x3x5x5xf32> {
  %y = "onnx.RoiAlign"(%x, %rois, %images) {output_height = 5 : si64, output_width = 5 : si64, sampling_ratio = 1 : si64, mode = "max", coordinate_transformation_mode = "output_half_pixel"}
      : (tensor<1x3x?x?xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x3x5x5xf32>
  onnx.Return %y : tensor<?x3x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @adaptive(
// CHECK: torch.torchvision.roi_align {{.*}} -> !torch.vtensor<[?,3,5,5],f32>
func.func @adaptive(%x: tensor<1x3x?x?xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi64>) -> tensor<?x3x5x5xf32> {
  %y = "onnx.RoiAlign"(%x, %rois, %images) {output_height = 5 : si64, output_width = 5 : si64}
      : (tensor<1x3x?x?xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x3x5x5xf32>
  onnx.Return %y : tensor<?x3x5x5xf32>
}

// -----

func.func @adaptive_maximum(%x: tensor<1x3x?x?xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi64>) -> tensor<?x3x5x5xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.RoiAlign': expected a sampling_ratio of 1 or more, got 0, which leaves the number of points to each region}}
  %y = "onnx.RoiAlign"(%x, %rois, %images) {output_height = 5 : si64, output_width = 5 : si64, mode = "max"}
      : (tensor<1x3x?x?xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x3x5x5xf32>
  onnx.Return %y : tensor<?x3x5x5xf32>
}

// -----

func.func @unknown_mode(%x: tensor<1x3x?x?xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi64>) -> tensor<?x3x5x5xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.RoiAlign': expected mode to be avg or max, got 'median'}}
  %y = "onnx.RoiAlign"(%x, %rois, %images) {output_height = 5 : si64, output_width = 5 : si64, sampling_ratio = 2 : si64, mode = "median"}
      : (tensor<1x3x?x?xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x3x5x5xf32>
  onnx.Return %y : tensor<?x3x5x5xf32>
}

// -----

func.func @volume(%x: tensor<1x3x5x5x5xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi64>) -> tensor<?x3x5x5xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.RoiAlign': expected 'X' of rank 4, got rank 5: '!torch.vtensor<[1,3,5,5,5],f32>'}}
  %y = "onnx.RoiAlign"(%x, %rois, %images) {sampling_ratio = 2 : si64} : (tensor<1x3x5x5x5xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x3x5x5xf32>
  onnx.Return %y : tensor<?x3x5x5xf32>
}

// -----

func.func @nothing_to_give(%x: tensor<1x3x?x?xf32>, %rois: tensor<?x4xf32>, %images: tensor<?xi64>) -> tensor<?x3x0x5xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.RoiAlign': expected pooled sizes of 1 or more, got [0,5]}}
  %y = "onnx.RoiAlign"(%x, %rois, %images) {output_height = 0 : si64, output_width = 5 : si64, sampling_ratio = 2 : si64}
      : (tensor<1x3x?x?xf32>, tensor<?x4xf32>, tensor<?xi64>) -> tensor<?x3x0x5xf32>
  onnx.Return %y : tensor<?x3x0x5xf32>
}
