// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline | FileCheck %s

// Sizes become ints: no tensor of sizes is left, and static sizes are folded.

// CHECK-LABEL: func.func @flatten_all_but_last(
// CHECK-SAME:    %[[X:.*]]: !torch.vtensor<[?,3,4],f32>) -> !torch.vtensor<[?,4],f32>
// CHECK:         %[[N:.*]] = torch.aten.size.int %[[X]], %int0
// CHECK:         %[[M:.*]] = torch.aten.mul.int %[[N]], %int3
// CHECK:         %[[SIZES:.*]] = torch.prim.ListConstruct %[[M]], %int4
// CHECK:         torch.aten.view %[[X]], %[[SIZES]]
// CHECK-NOT:     vtensor.literal
func.func @flatten_all_but_last(%x: tensor<?x3x4xf32>) -> tensor<?x4xf32> {
  %shape = "onnx.Shape"(%x) : (tensor<?x3x4xf32>) -> tensor<3xi64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %last = onnx.Constant dense<4> : tensor<1xi64>
  %n = "onnx.Gather"(%shape, %zero) {axis = 0 : si64} : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %m = "onnx.Gather"(%shape, %one) {axis = 0 : si64} : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %rows = "onnx.Mul"(%n, %m) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %rows1 = "onnx.Unsqueeze"(%rows, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %sizes = "onnx.Concat"(%rows1, %last) {axis = 0 : si64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = "onnx.Reshape"(%x, %sizes) : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  onnx.Return %y : tensor<?x?xf32>
}
