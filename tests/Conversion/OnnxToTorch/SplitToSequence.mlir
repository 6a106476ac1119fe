// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @into_ones(
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: squeeze{{.*}} -> !torch.vtensor<[?],f32>
func.func @into_ones(%a: tensor<?x5xf32>) -> tensor<?xf32> {
  %split = "onnx.NoValue"() : () -> none
  %s = "onnx.SplitToSequence"(%a, %split) {axis = 1 : si64, keepdims = 0 : si64} : (tensor<?x5xf32>, none) -> !onnx.Seq<tensor<*xf32>>
  %last = onnx.Constant dense<-1> : tensor<i64>
  %y = "onnx.SequenceAt"(%s, %last) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}

// -----

// The last part is smaller.
// CHECK-LABEL: func.func @into_twos(
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,1],f32>
func.func @into_twos(%a: tensor<?x5xf32>) -> tensor<?x1xf32> {
  %split = onnx.Constant dense<2> : tensor<i64>
  %s = "onnx.SplitToSequence"(%a, %split) {axis = 1 : si64} : (tensor<?x5xf32>, tensor<i64>) -> !onnx.Seq<tensor<*xf32>>
  %last = onnx.Constant dense<-1> : tensor<i64>
  %y = "onnx.SequenceAt"(%s, %last) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @by_a_list(
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,3],f32>
func.func @by_a_list(%a: tensor<?x5xf32>) -> tensor<?x3xf32> {
  %split = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %s = "onnx.SplitToSequence"(%a, %split) {axis = 1 : si64} : (tensor<?x5xf32>, tensor<2xi64>) -> !onnx.Seq<tensor<*xf32>>
  %last = onnx.Constant dense<-1> : tensor<i64>
  %y = "onnx.SequenceAt"(%s, %last) : (!onnx.Seq<tensor<*xf32>>, tensor<i64>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

// Parts of 1 of a size known only at run time are the rows of one tensor.
// CHECK-LABEL: func.func @of_unknown_size(
// CHECK-SAME: %[[A:.*]]: !torch.vtensor<[?,5],f32>
// CHECK: %[[ROWS:.*]] = torch.aten.unsqueeze %[[A]]
// CHECK: %[[N:.*]] = torch.aten.size.int %[[ROWS]]
// CHECK: torch.prim.NumToTensor.Scalar %[[N]]
func.func @of_unknown_size(%a: tensor<?x5xf32>) -> tensor<i64> {
  %split = "onnx.NoValue"() : () -> none
  %s = "onnx.SplitToSequence"(%a, %split) : (tensor<?x5xf32>, none) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceLength"(%s) : (!onnx.Seq<tensor<*xf32>>) -> tensor<i64>
  onnx.Return %y : tensor<i64>
}

// -----

func.func @pairs_of_unknown_size(%a: tensor<?x5xf32>) -> tensor<i64> {
  %split = onnx.Constant dense<2> : tensor<i64>
  // expected-error @below {{no lowering to torch for 'onnx.SplitToSequence': expected a known size to split into parts of 1 or more, or an open one and parts of 1, got '!torch.vtensor<[?,5],f32>' and parts of 2}}
  %s = "onnx.SplitToSequence"(%a, %split) : (tensor<?x5xf32>, tensor<i64>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceLength"(%s) : (!onnx.Seq<tensor<*xf32>>) -> tensor<i64>
  onnx.Return %y : tensor<i64>
}

// -----

func.func @into_many(%a: tensor<?x16385xf32>) -> tensor<i64> {
  %split = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.SplitToSequence': expected at most 16384 pieces, got 16385}}
  %s = "onnx.SplitToSequence"(%a, %split) {axis = 1 : si64} : (tensor<?x16385xf32>, none) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceLength"(%s) : (!onnx.Seq<tensor<*xf32>>) -> tensor<i64>
  onnx.Return %y : tensor<i64>
}
