// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @dilated(
// CHECK: torch.aten.constant_pad_nd {{.*}} -> !torch.vtensor<[?,4,9],f32>
// CHECK: torch.aten.convolution
// CHECK: torch.aten.silu
// CHECK: torch.aten.slice.Tensor
func.func @dilated(%a0: tensor<?x4x5xf32>, %a1: tensor<4x1x3xf32>) -> (tensor<?x4x5xf32>, tensor<?x4x4xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y:2 = "onnx.com.microsoft.CausalConvWithState"(%a0, %a1, %none, %none) {dilation = 2 : si64, activation = "silu"}
      : (tensor<?x4x5xf32>, tensor<4x1x3xf32>, none, none) -> (tensor<?x4x5xf32>, tensor<?x4x4xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x4x5xf32>, tensor<?x4x4xf32>
}

// -----

func.func @channels_last(%a0: tensor<?x5x4xf32>, %a1: tensor<4x1x3xf32>) -> (tensor<?x5x4xf32>, tensor<?x2x4xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.CausalConvWithState': expected ndim 1, state_window 0 and channels_last 0, got 1, 0 and 1}}
  %y:2 = "onnx.com.microsoft.CausalConvWithState"(%a0, %a1, %none, %none) {channels_last = 1 : si64}
      : (tensor<?x5x4xf32>, tensor<4x1x3xf32>, none, none) -> (tensor<?x5x4xf32>, tensor<?x2x4xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x5x4xf32>, tensor<?x2x4xf32>
}

// -----

func.func @dilation(%a0: tensor<?x4x5xf32>, %a1: tensor<4x1x3xf32>) -> (tensor<?x4x5xf32>, tensor<?x4x2xf32>) {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.CausalConvWithState': expected a dilation of 1 or more, got 0}}
  %y:2 = "onnx.com.microsoft.CausalConvWithState"(%a0, %a1, %none, %none) {dilation = 0 : si64}
      : (tensor<?x4x5xf32>, tensor<4x1x3xf32>, none, none) -> (tensor<?x4x5xf32>, tensor<?x4x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x4x5xf32>, tensor<?x4x2xf32>
}
