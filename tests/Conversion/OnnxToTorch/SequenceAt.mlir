// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @from_the_end(
// CHECK-SAME: %[[A:.*]]: !torch.vtensor<[2,3],f32>
// CHECK-NEXT: return %[[A]]
func.func @from_the_end(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %last = onnx.Constant dense<-2> : tensor<i64>
  %y = "onnx.SequenceAt"(%s, %last) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<2x3xf32>
  onnx.Return %y : tensor<2x3xf32>
}

// -----

func.func @outside(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %two = onnx.Constant dense<2> : tensor<i64>
  // expected-error @below {{no lowering to torch for 'onnx.SequenceAt': expected a position in [-2, 1], got 2}}
  %y = "onnx.SequenceAt"(%s, %two) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<2x3xf32>
  onnx.Return %y : tensor<2x3xf32>
}

// -----

func.func @run_time_position(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>, %p: tensor<i64>) -> tensor<2x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  // expected-error @below {{no lowering to torch for 'onnx.SequenceAt': expected tensors of one type in a sequence that is read at run time}}
  %y = "onnx.SequenceAt"(%s, %p) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<2x3xf32>
  onnx.Return %y : tensor<2x3xf32>
}
