// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @floats(
// CHECK: torch.aten.isnan{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: return
func.func @floats(%a0: tensor<?x4xf32>) -> tensor<?x4xi1> {
  %y = "onnx.IsNaN"(%a0)
      : (tensor<?x4xf32>) -> tensor<?x4xi1>
  onnx.Return %y : tensor<?x4xi1>
}
