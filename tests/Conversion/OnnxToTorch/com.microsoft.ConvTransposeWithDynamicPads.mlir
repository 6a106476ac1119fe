// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @pads(
// CHECK: torch.aten.convolution
// CHECK: torch.aten.constant_pad_nd
func.func @pads(%x: tensor<?x3x8x8xf32>, %w: tensor<3x6x3x3xf32>, %pads: tensor<4xi64>) -> tensor<?x6x?x?xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.com.microsoft.ConvTransposeWithDynamicPads"(%x, %w, %pads, %none) {strides = [2, 2]} : (tensor<?x3x8x8xf32>, tensor<3x6x3x3xf32>, tensor<4xi64>, none) -> tensor<?x6x?x?xf32>
  onnx.Return %y : tensor<?x6x?x?xf32>
}

// -----

// CHECK-LABEL: func.func @equal_pads(
// CHECK: torch.aten.convolution
// CHECK-NOT: torch.aten.constant_pad_nd
func.func @equal_pads(%x: tensor<?x3x8x8xf32>, %w: tensor<3x6x3x3xf32>) -> tensor<?x6x8x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %pads = "onnx.Constant"() {value = dense<1> : tensor<4xi64>} : () -> tensor<4xi64>
  %y = "onnx.com.microsoft.ConvTransposeWithDynamicPads"(%x, %w, %pads, %none) : (tensor<?x3x8x8xf32>, tensor<3x6x3x3xf32>, tensor<4xi64>, none) -> tensor<?x6x8x8xf32>
  onnx.Return %y : tensor<?x6x8x8xf32>
}

// -----

func.func @auto_pad(%x: tensor<1x3x8x8xf32>, %w: tensor<3x6x3x3xf32>) -> tensor<1x6x8x8xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.ConvTransposeWithDynamicPads': expected auto_pad to be NOTSET, got 'SAME_UPPER'}}
  %y = "onnx.com.microsoft.ConvTransposeWithDynamicPads"(%x, %w, %none, %none) {auto_pad = "SAME_UPPER"} : (tensor<1x3x8x8xf32>, tensor<3x6x3x3xf32>, none, none) -> tensor<1x6x8x8xf32>
  onnx.Return %y : tensor<1x6x8x8xf32>
}

// -----

func.func @number_of_pads(%x: tensor<1x3x8x8xf32>, %w: tensor<3x6x3x3xf32>, %pads: tensor<2xi64>) -> tensor<1x6x?x?xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.com.microsoft.ConvTransposeWithDynamicPads': expected 4 numbers in Pads, got '!torch.vtensor<[2],si64>'}}
  %y = "onnx.com.microsoft.ConvTransposeWithDynamicPads"(%x, %w, %pads, %none) : (tensor<1x3x8x8xf32>, tensor<3x6x3x3xf32>, tensor<2xi64>, none) -> tensor<1x6x?x?xf32>
  onnx.Return %y : tensor<1x6x?x?xf32>
}
