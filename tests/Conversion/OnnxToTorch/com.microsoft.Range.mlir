// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @step_of_one(
// CHECK: torch.aten.arange.start_step
func.func @step_of_one(%a0: tensor<i64>, %a1: tensor<i64>) -> tensor<?xi64> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.Range"(%a0, %a1, %none)
      : (tensor<i64>, tensor<i64>, none) -> tensor<?xi64>
  onnx.Return %y : tensor<?xi64>
}
