// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @reverse(
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[12,4],f32>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[12,3],f32>
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[1,?,12],f32>
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[?,12],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,8],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[8,4],f32>
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[?,8],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,8],f32>
// CHECK: torch.aten.sigmoid{{.*}} -> !torch.vtensor<[?,8],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[4,4],f32>
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.tanh{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.vtensor.literal
// CHECK: torch.aten.sub.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[1,?,4],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[1,1,?,4],f32>
// CHECK: return
func.func @reverse(%a0: tensor<1x?x3xf32>, %a1: tensor<1x12x3xf32>, %a2: tensor<1x12x4xf32>) -> tensor<1x1x?x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.GRU"(%a0, %a1, %a2, %none, %none, %none) {direction = "reverse"}
      : (tensor<1x?x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, none, none, none) -> (tensor<1x1x?x4xf32>, none)
  onnx.Return %y#0 : tensor<1x1x?x4xf32>
}
