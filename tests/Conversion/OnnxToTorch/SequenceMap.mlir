// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @with_a_tensor(
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[2,3],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,3],f32>
// CHECK: torch.aten.cat
func.func @with_a_tensor(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>, %k: tensor<3xf32>) -> tensor<?x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %t = "onnx.SequenceMap"(%s, %k) ({
  ^bb0(%x: tensor<*xf32>, %l: tensor<3xf32>):
    %z = "onnx.Add"(%x, %l) : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
    onnx.Yield %z : tensor<*xf32>
  }) : (!onnx.Seq<tensor<*xf32>>, tensor<3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.ConcatFromSequence"(%t) {axis = 0 : si64} : (!onnx.Seq<tensor<*xf32>>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @of_other_length(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %one = "onnx.SequenceConstruct"(%a) : (tensor<2x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  // expected-error @below {{no lowering to torch for 'onnx.SequenceMap': expected sequences of 2 tensors, got one of 1}}
  %t = "onnx.SequenceMap"(%s, %one) ({
  ^bb0(%x: tensor<*xf32>, %l: tensor<*xf32>):
    %z = "onnx.Add"(%x, %l) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    onnx.Yield %z : tensor<*xf32>
  }) : (!onnx.Seq<tensor<*xf32>>, !onnx.Seq<tensor<*xf32>>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.ConcatFromSequence"(%t) {axis = 0 : si64} : (!onnx.Seq<tensor<*xf32>>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
