// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @unknown_length(
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[4,4],f32>
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[4,3],f32>
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[?,2,4],f32>
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[2,4],f32>
// CHECK: torch.aten.full{{.*}} -> !torch.vtensor<[?,2,4],f32>
// CHECK: torch.prim.Loop
// CHECK: torch.aten.select.int{{.*}} -> !torch.vtensor<[2,4],f32>
// CHECK: torch.aten.linear{{.*}} -> !torch.vtensor<[2,4],f32>
// CHECK: torch.aten.add.Tensor{{.*}} -> !torch.vtensor<[2,4],f32>
// CHECK: torch.aten.tanh{{.*}} -> !torch.vtensor<[2,4],f32>
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[1,2,4],f32>
// CHECK: torch.aten.index_put{{.*}} -> !torch.vtensor<[?,2,4],f32>
// CHECK: torch.prim.Loop.condition
// CHECK: torch.aten.unsqueeze{{.*}} -> !torch.vtensor<[?,1,2,4],f32>
// CHECK: return
func.func @unknown_length(%a0: tensor<?x2x3xf32>, %a1: tensor<1x4x3xf32>, %a2: tensor<1x4x4xf32>) -> tensor<?x1x2x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.RNN"(%a0, %a1, %a2, %none, %none, %none)
      : (tensor<?x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<?x1x2x4xf32>, none)
  onnx.Return %y#0 : tensor<?x1x2x4xf32>
}

// -----

func.func @direction(%a0: tensor<2x2x3xf32>, %a1: tensor<1x4x3xf32>, %a2: tensor<1x4x4xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.RNN': expected direction to be forward, reverse or bidirectional, got 'both'}}
  %y:2 = "onnx.RNN"(%a0, %a1, %a2, %none, %none, %none) {direction = "both"}
      : (tensor<2x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, none)
  onnx.Return %y#0 : tensor<*xf32>
}

// -----

// Even more steps than memory can hold are counted backwards from the last one.
// CHECK-LABEL: func.func @long_and_backwards(
// CHECK: torch.prim.Loop %int100000000000, %true
// CHECK: torch.aten.index_put{{.*}} -> !torch.vtensor<[100000000000,2,4],f32>
func.func @long_and_backwards(%a0: tensor<100000000000x2x3xf32>, %a1: tensor<1x4x3xf32>, %a2: tensor<1x4x4xf32>) -> tensor<100000000000x1x2x4xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.RNN"(%a0, %a1, %a2, %none, %none, %none) {direction = "reverse"}
      : (tensor<100000000000x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<100000000000x1x2x4xf32>, none)
  onnx.Return %y#0 : tensor<100000000000x1x2x4xf32>
}
