// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @both(
// CHECK-DAG: %[[CROP_BEGIN:.*]] = torch.constant.int -2
// CHECK-DAG: %[[CROP_END:.*]] = torch.constant.int -3
// CHECK-DAG: %[[PAD_BEGIN:.*]] = torch.constant.int 1
// CHECK-DAG: %[[PAD_END:.*]] = torch.constant.int 2
// CHECK: torch.prim.ListConstruct %[[PAD_BEGIN]], %[[PAD_END]], %[[CROP_BEGIN]], %[[CROP_END]]
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[5,10],f32>
func.func @both(%x: tensor<10x7xf32>) -> tensor<5x10xf32> {
  %shape = onnx.Constant dense<[5, 10]> : tensor<2xi64>
  %y = "onnx.CenterCropPad"(%x, %shape) : (tensor<10x7xf32>, tensor<2xi64>) -> tensor<5x10xf32>
  onnx.Return %y : tensor<5x10xf32>
}

// -----

// CHECK-LABEL: func.func @axes(
// CHECK: prim.max.int
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[10,?,3],f32>
func.func @axes(%x: tensor<10x7x3xf32>, %shape: tensor<1xi64>) -> tensor<10x?x3xf32> {
  %y = "onnx.CenterCropPad"(%x, %shape) {axes = [-2]} : (tensor<10x7x3xf32>, tensor<1xi64>) -> tensor<10x?x3xf32>
  onnx.Return %y : tensor<10x?x3xf32>
}

// -----

func.func @too_few_sizes(%x: tensor<10x7xf32>) -> tensor<5x10xf32> {
  %shape = onnx.Constant dense<[5]> : tensor<1xi64>
  // expected-error @below {{no lowering to torch for 'onnx.CenterCropPad': expected a size for each of 2 axes, got '!torch.vtensor<[1],si64>'}}
  %y = "onnx.CenterCropPad"(%x, %shape) : (tensor<10x7xf32>, tensor<1xi64>) -> tensor<5x10xf32>
  onnx.Return %y : tensor<5x10xf32>
}
