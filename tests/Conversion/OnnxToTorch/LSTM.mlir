// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[16,4],f32>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[16,3],f32>
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[2,?,16],f32>
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[?,16],f32>
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[?,16],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,16],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sigmoid{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sigmoid{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.tanh{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sigmoid{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.tanh{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[?,16],f32>
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[?,16],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,16],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sigmoid{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sigmoid{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.tanh{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.sigmoid{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.tanh{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.mul.Tensor{{.*}} -> !torch.vtensor<[?,4],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[1,?,4],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[1,?,4],f32>
// CHECK: torch.aten.cat{{.*}} -> !torch.vtensor<[2,?,4],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[2,1,?,4],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[1,?,4],f32>
// CHECK: return
func.func @forward(%a0: tensor<2x?x3xf32>, %a1: tensor<1x16x3xf32>, %a2: tensor<1x16x4xf32>) -> (tensor<2x1x?x4xf32>, tensor<1x?x4xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:3 = "onnx.LSTM"(%a0, %a1, %a2, %none, %none, %none, %none, %none)
      : (tensor<2x?x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, none, none, none, none, none) -> (tensor<2x1x?x4xf32>, none, tensor<1x?x4xf32>)
  onnx.Return %y#0, %y#2 : tensor<2x1x?x4xf32>, tensor<1x?x4xf32>
}
