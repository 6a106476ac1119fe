// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: torch.aten.bitwise_and.Tensor{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: return
func.func @broadcast(%a0: tensor<?x4xi64>, %a1: tensor<4xi64>) -> tensor<?x4xi64> {
  %y = "onnx.BitwiseAnd"(%a0, %a1)
      : (tensor<?x4xi64>, tensor<4xi64>) -> tensor<?x4xi64>
  onnx.Return %y : tensor<?x4xi64>
}
