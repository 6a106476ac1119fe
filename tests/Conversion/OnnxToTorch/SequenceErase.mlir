// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @first(
// CHECK-SAME: %[[B:[^ ]*]]: !torch.vtensor<[?,3],f32>)
// CHECK-NEXT: return %[[B]]
func.func @first(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %zero = onnx.Constant dense<0> : tensor<i64>
  %t = "onnx.SequenceErase"(%s, %zero) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceAt"(%t, %zero) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @last(
// CHECK-SAME: %[[A:[^ ]*]]: !torch.vtensor<[2,3],f32>
// CHECK-NEXT: return %[[A]]
func.func @last(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %none = "onnx.NoValue"() : () -> none
  %last = onnx.Constant dense<-1> : tensor<i64>
  %t = "onnx.SequenceErase"(%s, %none) : (!onnx.Seq<tensor<*xf32>>, none) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceAt"(%t, %last) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<2x3xf32>
  onnx.Return %y : tensor<2x3xf32>
}

// -----

func.func @of_nothing() -> tensor<i64> {
  %none = "onnx.NoValue"() : () -> none
  %s = "onnx.SequenceEmpty"() : () -> !onnx.Seq<tensor<*xf32>>
  // expected-error @below {{no lowering to torch for 'onnx.SequenceErase': expected a sequence of at least one tensor, got none}}
  %t = "onnx.SequenceErase"(%s, %none) : (!onnx.Seq<tensor<*xf32>>, none) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceLength"(%t) : (!onnx.Seq<tensor<*xf32>>) -> tensor<i64>
  onnx.Return %y : tensor<i64>
}
