// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @halves(
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[?,1,3,2],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[?,1,3,2],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,2,3,2],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,2,3,2],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,2,3,2],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,2,3,2],f32>
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?,2,3,2],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,2,3,2],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,2,3,2],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,2,3,2],f32>
// CHECK: torch.aten.cat{{.*}} -> !torch.vtensor<[?,2,3,4],f32>
// CHECK: return
func.func @halves(%a0: tensor<?x2x3x4xf32>, %a1: tensor<?x3x2xf32>, %a2: tensor<?x3x2xf32>) -> tensor<?x2x3x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.RotaryEmbedding"(%a0, %a1, %a2, %none)
      : (tensor<?x2x3x4xf32>, tensor<?x3x2xf32>, tensor<?x3x2xf32>, none) -> tensor<?x2x3x4xf32>
  onnx.Return %y : tensor<?x2x3x4xf32>
}
