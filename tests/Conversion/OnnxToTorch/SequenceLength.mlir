// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK: torch.vtensor.literal(dense<2> : tensor<si64>)
func.func @two(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> tensor<i64> {
  %s = "onnx.SequenceConstruct"(%a, %b) : (tensor<2x3xf32>, tensor<?x3xf32>) -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceLength"(%s) : (!onnx.Seq<tensor<*xf32>>) -> tensor<i64>
  onnx.Return %y : tensor<i64>
}
