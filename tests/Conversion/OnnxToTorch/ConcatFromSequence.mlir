// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @along_an_axis(
// CHECK: torch.aten.cat{{.*}} -> !torch.vtensor<[?,3],f32>
func.func @along_an_axis(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.ConcatFromSequence"(%s) {axis = 0 : si64} : (!onnx.Seq<tensor<*xf32>>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @new_axis(
// CHECK-COUNT-2: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[2,3,1],f32>
// CHECK: torch.aten.cat{{.*}} -> !torch.vtensor<[2,3,2],f32>
func.func @new_axis(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3x2xf32> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.ConcatFromSequence"(%s) {axis = -1 : si64, new_axis = 1 : si64} : (!onnx.Seq<tensor<*xf32>>) -> tensor<2x3x2xf32>
  onnx.Return %y : tensor<2x3x2xf32>
}

// -----

func.func @of_nothing() -> tensor<*xf32> {
  %s = "onnx.SequenceEmpty"() : () -> !onnx.Seq<tensor<*xf32>>
  // expected-error @below {{no lowering to torch for 'onnx.ConcatFromSequence': expected a sequence of at least one tensor, got none}}
  %y = "onnx.ConcatFromSequence"(%s) {axis = 0 : si64} : (!onnx.Seq<tensor<*xf32>>) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
