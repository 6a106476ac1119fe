// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @run_time(
// CHECK: torch.aten.Int.Tensor
// CHECK: torch.aten.arange.start_step{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: return
func.func @run_time(%a0: tensor<i64>) -> tensor<?xi64> {
  %c0 = onnx.Constant dense<0> : tensor<i64>
  %c1 = onnx.Constant dense<1> : tensor<i64>
  %y = "onnx.Range"(%c0, %a0, %c1)
      : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  onnx.Return %y : tensor<?xi64>
}
