// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: torch.aten.lt.Tensor{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: return
func.func @broadcast(%a0: tensor<?x4xf32>, %a1: tensor<4xf32>) -> tensor<?x4xi1> {
  %y = "onnx.Less"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xi1>
  onnx.Return %y : tensor<?x4xi1>
}
