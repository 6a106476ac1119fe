// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @bools(
// CHECK: torch.aten.logical_not{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: return
func.func @bools(%a0: tensor<?x4xi1>) -> tensor<?x4xi1> {
  %y = "onnx.Not"(%a0)
      : (tensor<?x4xi1>) -> tensor<?x4xi1>
  onnx.Return %y : tensor<?x4xi1>
}
