// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// Known sizes are constants, and the others are read from the input. They become
// a tensor only where a tensor is needed.
// CHECK-LABEL: func.func @whole(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,3,4],f32>) -> !torch.vtensor<[3],si64>
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[N1:.*]] = torch.prim.NumToTensor.Scalar %[[N]]
// CHECK:         torch.prim.ListConstruct
// CHECK:         %[[Y:.*]] = torch.aten.cat
// CHECK:         return %[[Y]]
func.func @whole(%x: tensor<?x3x4xf32>) -> tensor<3xi64> {
  %y = "onnx.Shape"(%x) : (tensor<?x3x4xf32>) -> tensor<3xi64>
  onnx.Return %y : tensor<3xi64>
}

// -----

// CHECK-LABEL: func.func @static(
// CHECK:         torch.vtensor.literal(dense<[2, 3, 4]> : tensor<3xsi64>)
func.func @static(%x: tensor<2x3x4xf32>) -> tensor<3xi64> {
  %y = "onnx.Shape"(%x) : (tensor<2x3x4xf32>) -> tensor<3xi64>
  onnx.Return %y : tensor<3xi64>
}

// -----

// CHECK-LABEL: func.func @start(
// CHECK:         torch.vtensor.literal(dense<[3, 4]> : tensor<2xsi64>)
func.func @start(%x: tensor<?x3x4xf32>) -> tensor<2xi64> {
  %y = "onnx.Shape"(%x) {start = 1 : si64} : (tensor<?x3x4xf32>) -> tensor<2xi64>
  onnx.Return %y : tensor<2xi64>
}

// -----

// CHECK-LABEL: func.func @negative_start(
// CHECK:         torch.vtensor.literal(dense<4> : tensor<1xsi64>)
func.func @negative_start(%x: tensor<?x3x4xf32>) -> tensor<1xi64> {
  %y = "onnx.Shape"(%x) {start = -1 : si64} : (tensor<?x3x4xf32>) -> tensor<1xi64>
  onnx.Return %y : tensor<1xi64>
}

// -----

// CHECK-LABEL: func.func @negative_end(
// CHECK:         torch.vtensor.literal(dense<[2, 3]> : tensor<2xsi64>)
func.func @negative_end(%x: tensor<2x3x?xf32>) -> tensor<2xi64> {
  %y = "onnx.Shape"(%x) {end = -1 : si64} : (tensor<2x3x?xf32>) -> tensor<2xi64>
  onnx.Return %y : tensor<2xi64>
}

// -----

// CHECK-LABEL: func.func @start_and_end(
// CHECK:         torch.vtensor.literal(dense<3> : tensor<1xsi64>)
func.func @start_and_end(%x: tensor<?x3x?xf32>) -> tensor<1xi64> {
  %y = "onnx.Shape"(%x) {start = 1 : si64, end = 2 : si64} : (tensor<?x3x?xf32>) -> tensor<1xi64>
  onnx.Return %y : tensor<1xi64>
}

// -----

// Axes outside of [0, 3] are clamped to this range.
// CHECK-LABEL: func.func @clamped(
// CHECK:         torch.vtensor.literal(dense<[2, 3, 4]> : tensor<3xsi64>)
func.func @clamped(%x: tensor<2x3x4xf32>) -> tensor<3xi64> {
  %y = "onnx.Shape"(%x) {start = -7 : si64, end = 9 : si64} : (tensor<2x3x4xf32>) -> tensor<3xi64>
  onnx.Return %y : tensor<3xi64>
}

// -----

// CHECK-LABEL: func.func @start_after_end(
// CHECK-SAME:    -> !torch.vtensor<[0],si64>
func.func @start_after_end(%x: tensor<2x3x4xf32>) -> tensor<0xi64> {
  %y = "onnx.Shape"(%x) {start = 2 : si64, end = 1 : si64} : (tensor<2x3x4xf32>) -> tensor<0xi64>
  onnx.Return %y : tensor<0xi64>
}

// -----

// A scalar has no axes.
// CHECK-LABEL: func.func @scalar(
// CHECK-SAME:    -> !torch.vtensor<[0],si64>
func.func @scalar(%x: tensor<f32>) -> tensor<0xi64> {
  %y = "onnx.Shape"(%x) : (tensor<f32>) -> tensor<0xi64>
  onnx.Return %y : tensor<0xi64>
}
