// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @ignored(
// CHECK: torch.aten.log_softmax.int{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.eq.Scalar{{.*}} -> !torch.vtensor<[?],i1>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?],si64>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[?,1],si64>
// CHECK: torch.aten.gather{{.*}} -> !torch.vtensor<[?,1],f32>
// CHECK: torch.prims.squeeze{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.neg{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.vtensor.literal
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.where.self{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?],f32>
// CHECK: torch.aten.sum.dim_IntList{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.sum.dim_IntList{{.*}} -> !torch.vtensor<[],f32>
// CHECK: torch.aten.div.Tensor{{.*}} -> !torch.vtensor<[],f32>
// CHECK: return
func.func @ignored(%a0: tensor<?x4xf32>, %a1: tensor<?xi64>) -> tensor<f32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.SoftmaxCrossEntropyLoss"(%a0, %a1, %none) {ignore_index = -1 : si64}
      : (tensor<?x4xf32>, tensor<?xi64>, none) -> (tensor<f32>, none)
  onnx.Return %y#0 : tensor<f32>
}
