// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: torch.aten.logical_xor{{.*}} -> !torch.vtensor<[?,4],i1>
// CHECK: return
func.func @broadcast(%a0: tensor<?x4xi1>, %a1: tensor<4xi1>) -> tensor<?x4xi1> {
  %y = "onnx.Xor"(%a0, %a1)
      : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
  onnx.Return %y : tensor<?x4xi1>
}
