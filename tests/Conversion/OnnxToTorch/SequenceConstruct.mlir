// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// The program contains no list.
// CHECK-LABEL: func.func @as_a_list(
// CHECK-SAME: %{{.*}}: !torch.vtensor<[2,3],f32>, %[[B:.*]]: !torch.vtensor<[?,3],f32>
// CHECK-NEXT: return %[[B]]
func.func @as_a_list(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %one = onnx.Constant dense<1> : tensor<i64>
  %y = "onnx.SequenceAt"(%s, %one) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

// expected-error @below {{expected graph output 0 to have a known rank and dtype, got '!torch.list<vtensor>'}}
func.func @result(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  onnx.Return %s : !onnx.Seq<tensor<*xf32>>
}
