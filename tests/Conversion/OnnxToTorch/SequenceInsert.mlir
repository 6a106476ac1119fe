// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @first(
// CHECK-SAME: %[[C:[^ ]*]]: !torch.vtensor<[5],f32>)
// CHECK-NEXT: return %[[C]]
func.func @first(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>, %c: tensor<5xf32>) -> tensor<*xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %at = onnx.Constant dense<-2> : tensor<i64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %t = "onnx.SequenceInsert"(%s, %c, %at) : (!onnx.Seq<tensor<*xf32>>, tensor<5xf32>, tensor<i64>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceAt"(%t, %zero) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: func.func @behind_the_last(
// CHECK-SAME: %[[A:[^ ]*]]: !torch.vtensor<[2,3],f32>
// CHECK-NEXT: return %[[A]]
func.func @behind_the_last(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>, %c: tensor<5xf32>) -> tensor<*xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %at = onnx.Constant dense<2> : tensor<i64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %t = "onnx.SequenceInsert"(%s, %c, %at) : (!onnx.Seq<tensor<*xf32>>, tensor<5xf32>, tensor<i64>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceAt"(%t, %zero) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}

// -----

func.func @outside(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>, %c: tensor<5xf32>) -> tensor<*xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %at = onnx.Constant dense<3> : tensor<i64>
  %zero = onnx.Constant dense<0> : tensor<i64>
  // expected-error @below {{no lowering to torch for 'onnx.SequenceInsert': expected a position in [-2, 1], got 3}}
  %t = "onnx.SequenceInsert"(%s, %c, %at) : (!onnx.Seq<tensor<*xf32>>, tensor<5xf32>, tensor<i64>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceAt"(%t, %zero) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
