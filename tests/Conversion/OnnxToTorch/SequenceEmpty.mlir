// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @length(
// CHECK: torch.vtensor.literal(dense<0> : tensor<si64>)
func.func @length() -> tensor<i64> {
  %s = "onnx.SequenceEmpty"() : () -> !onnx.Seq<tensor<*xf32>>
  %y = "onnx.SequenceLength"(%s) : (!onnx.Seq<tensor<*xf32>>) -> tensor<i64>
  onnx.Return %y : tensor<i64>
}
