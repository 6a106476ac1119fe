// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// The product of all sizes. Known sizes are folded.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,3,4],f32>) -> !torch.vtensor<[],si64>
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         torch.aten.mul.int
// CHECK:         %[[Y:.*]] = torch.prim.NumToTensor.Scalar
// CHECK:         return %[[Y]] : !torch.vtensor<[],si64>
func.func @dynamic(%x: tensor<?x3x4xf32>) -> tensor<i64> {
  %y = "onnx.Size"(%x) : (tensor<?x3x4xf32>) -> tensor<i64>
  onnx.Return %y : tensor<i64>
}

// -----

// CHECK-LABEL: func.func @static(
// CHECK:         torch.vtensor.literal(dense<24> : tensor<si64>)
func.func @static(%x: tensor<2x3x4xf32>) -> tensor<i64> {
  %y = "onnx.Size"(%x) : (tensor<2x3x4xf32>) -> tensor<i64>
  onnx.Return %y : tensor<i64>
}

// -----

// A scalar has one element, and a tensor with a size of 0 has none.
// CHECK-LABEL: func.func @scalar_and_empty(
// CHECK-DAG:     %[[ONE:.*]] = torch.vtensor.literal(dense<1> : tensor<si64>)
// CHECK-DAG:     %[[ZERO:.*]] = torch.vtensor.literal(dense<0> : tensor<si64>)
// CHECK:         return %[[ONE]], %[[ZERO]]
func.func @scalar_and_empty(%x: tensor<f32>, %y: tensor<0x3xf32>) -> (tensor<i64>, tensor<i64>) {
  %one = "onnx.Size"(%x) : (tensor<f32>) -> tensor<i64>
  %zero = "onnx.Size"(%y) : (tensor<0x3xf32>) -> tensor<i64>
  onnx.Return %one, %zero : tensor<i64>, tensor<i64>
}
