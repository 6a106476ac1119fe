// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @relu_of_a_sum(
// CHECK: torch.aten.convolution
// CHECK: torch.aten.add.Tensor
// CHECK: torch.aten.relu
func.func @relu_of_a_sum(%x: tensor<?x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %z: tensor<?x4x6x6xf32>) -> tensor<?x4x6x6xf32> {
  %y = "onnx.com.microsoft.FusedConv"(%x, %w, %b, %z) {activation = "Relu"}
      : (tensor<?x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<?x4x6x6xf32>) -> tensor<?x4x6x6xf32>
  onnx.Return %y : tensor<?x4x6x6xf32>
}

// -----

// CHECK-LABEL: func.func @clip(
// CHECK: torch.aten.convolution
// CHECK-DAG: torch.constant.float 0.000000e+00
// CHECK-DAG: torch.constant.float 6.000000e+00
// CHECK: torch.aten.clamp
func.func @clip(%x: tensor<?x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x6x6xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.FusedConv"(%x, %w, %none, %none) {activation = "Clip", activation_params = [0.0 : f32, 6.0 : f32]}
      : (tensor<?x3x8x8xf32>, tensor<4x3x3x3xf32>, none, none) -> tensor<?x4x6x6xf32>
  onnx.Return %y : tensor<?x4x6x6xf32>
}

// -----

// CHECK-LABEL: func.func @plain(
// CHECK: %[[Y:.*]] = torch.aten.convolution
// CHECK-NEXT: torch_c.to_builtin_tensor %[[Y]]
func.func @plain(%x: tensor<?x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x4x6x6xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.FusedConv"(%x, %w, %none, %none) : (tensor<?x3x8x8xf32>, tensor<4x3x3x3xf32>, none, none) -> tensor<?x4x6x6xf32>
  onnx.Return %y : tensor<?x4x6x6xf32>
}

// -----

func.func @unknown(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.FusedConv': expected an activation that ONNX has, got 'Swoosh'}}
  %y = "onnx.com.microsoft.FusedConv"(%x, %w, %none, %none) {activation = "Swoosh"}
      : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>, none, none) -> tensor<2x4x6x6xf32>
  onnx.Return %y : tensor<2x4x6x6xf32>
}

// -----

func.func @no_alpha(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.FusedConv': expected 1 activation_params of LeakyRelu, got 0}}
  %y = "onnx.com.microsoft.FusedConv"(%x, %w, %none, %none) {activation = "LeakyRelu"}
      : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>, none, none) -> tensor<2x4x6x6xf32>
  onnx.Return %y : tensor<2x4x6x6xf32>
}

// -----

func.func @one_bound(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.FusedConv': expected 2 activation_params of Clip, got 1}}
  %y = "onnx.com.microsoft.FusedConv"(%x, %w, %none, %none) {activation = "Clip", activation_params = [6.0 : f32]}
      : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>, none, none) -> tensor<2x4x6x6xf32>
  onnx.Return %y : tensor<2x4x6x6xf32>
}

// -----

func.func @scalar_bias(%a0: tensor<2x3x?x8xf32>, %a1: tensor<4x3x3x3xf32>, %a2: tensor<f32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.FusedConv': expected 'B' of rank 1, got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.com.microsoft.FusedConv"(%a0, %a1, %a2, %none)
      : (tensor<2x3x?x8xf32>, tensor<4x3x3x3xf32>, tensor<f32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
