// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: return
func.func @broadcast(%a0: tensor<?x4xi1>, %a1: tensor<?x4xf32>, %a2: tensor<f32>) -> tensor<?x4xf32> {
  %y = "onnx.Where"(%a0, %a1, %a2)
      : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  onnx.Return %y : tensor<?x4xf32>
}
