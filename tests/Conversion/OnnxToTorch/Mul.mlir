// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @broadcast(%a0: tensor<?x4xf32>, %a1: tensor<4xf32>) -> tensor<?x4xf32> {
  %y = "onnx.Mul"(%a0, %a1)
      : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
