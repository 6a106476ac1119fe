// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @with_past(
// CHECK: %[[SEEN:.*]] = torch.aten.cat{{.*}} -> !torch.vtensor<[2,4,?],f32>
// CHECK: torch.aten.convolution %[[SEEN]]
// CHECK: torch.aten.silu
// CHECK: torch.aten.slice.Tensor %[[SEEN]]
func.func @with_past(%x: tensor<2x4x?xf32>, %w: tensor<4x1x3xf32>, %b: tensor<4xf32>, %past: tensor<2x4x2xf32>) -> (tensor<2x4x?xf32>, tensor<2x4x2xf32>) {
  %y, %state = "onnx.CausalConvWithState"(%x, %w, %b, %past) {activation = "silu"}
      : (tensor<2x4x?xf32>, tensor<4x1x3xf32>, tensor<4xf32>, tensor<2x4x2xf32>) -> (tensor<2x4x?xf32>, tensor<2x4x2xf32>)
  onnx.Return %y, %state : tensor<2x4x?xf32>, tensor<2x4x2xf32>
}

// -----

// CHECK-LABEL: func.func @without_past(
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[2,4,12],f32>
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[2,4,10],f32>
// CHECK-NOT: torch.aten.silu
// CHECK: torch.aten.slice.Tensor{{.*}} -> !torch.vtensor<[2,4,2],f32>
func.func @without_past(%x: tensor<2x4x10xf32>, %w: tensor<4x1x3xf32>) -> (tensor<2x4x10xf32>, tensor<2x4x2xf32>) {
  %none = "onnx.NoValue"() : () -> none
  %y, %state = "onnx.CausalConvWithState"(%x, %w, %none, %none)
      : (tensor<2x4x10xf32>, tensor<4x1x3xf32>, none, none) -> (tensor<2x4x10xf32>, tensor<2x4x2xf32>)
  onnx.Return %y, %state : tensor<2x4x10xf32>, tensor<2x4x2xf32>
}

// -----

func.func @unknown_activation(%x: tensor<2x4x10xf32>, %w: tensor<4x1x3xf32>) -> (tensor<2x4x10xf32>, tensor<2x4x2xf32>) {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.CausalConvWithState': expected activation to be none, silu or swish, got 'relu'}}
  %y, %state = "onnx.CausalConvWithState"(%x, %w, %none, %none) {activation = "relu"}
      : (tensor<2x4x10xf32>, tensor<4x1x3xf32>, none, none) -> (tensor<2x4x10xf32>, tensor<2x4x2xf32>)
  onnx.Return %y, %state : tensor<2x4x10xf32>, tensor<2x4x2xf32>
}

// -----

func.func @unknown_channels(%x: tensor<2x?x10xf32>, %w: tensor<?x1x3xf32>) -> (tensor<2x?x10xf32>, tensor<2x?x2xf32>) {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.CausalConvWithState': expected an input of rank 3 with channels known while compiling, got '!torch.vtensor<[2,?,10],f32>'}}
  %y, %state = "onnx.CausalConvWithState"(%x, %w, %none, %none)
      : (tensor<2x?x10xf32>, tensor<?x1x3xf32>, none, none) -> (tensor<2x?x10xf32>, tensor<2x?x2xf32>)
  onnx.Return %y, %state : tensor<2x?x10xf32>, tensor<2x?x2xf32>
}

// -----

func.func @state_of_another_rank(%a0: tensor<2x3x?xf32>, %a1: tensor<3x1x4xf32>, %a3: tensor<3xf32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.CausalConvWithState': expected 'past_state' of rank 3, got rank 1: '!torch.vtensor<[3],f32>'}}
  %y:2 = "onnx.CausalConvWithState"(%a0, %a1, %none, %a3)
      : (tensor<2x3x?xf32>, tensor<3x1x4xf32>, none, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  onnx.Return %y#0 : tensor<*xf32>
}
