// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @integers(
// CHECK: torch.aten.bitwise_not{{.*}} -> !torch.vtensor<[?,4],si64>
// CHECK: return
func.func @integers(%a0: tensor<?x4xi64>) -> tensor<?x4xi64> {
  %y = "onnx.BitwiseNot"(%a0)
      : (tensor<?x4xi64>) -> tensor<?x4xi64>
  onnx.Return %y : tensor<?x4xi64>
}
