// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @mean(
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[?,1],si64>
// CHECK: torch.aten.gather{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: torch.prims.squeeze{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.neg{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.mean.dim{{.*}} -> !torch.vtensor<[],f32>
// CHECK: return
func.func @mean(%a0: tensor<?x4xf32>, %a1: tensor<?xi64>) -> tensor<f32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.NegativeLogLikelihoodLoss"(%a0, %a1, %none)
      : (tensor<?x4xf32>, tensor<?xi64>, none) -> tensor<f32>
  onnx.Return %y : tensor<f32>
}
