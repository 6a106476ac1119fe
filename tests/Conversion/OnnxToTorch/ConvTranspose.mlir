// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @output_padding(
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[?,6,16,16],f32>
// CHECK: return
func.func @output_padding(%a0: tensor<?x3x8x8xf32>, %a1: tensor<3x6x3x3xf32>) -> tensor<?x6x16x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  %y = "onnx.ConvTranspose"(%a0, %a1, %none) {strides = [2, 2], pads = [1, 1, 1, 1], output_padding = [1, 1]}
      : (tensor<?x3x8x8xf32>, tensor<3x6x3x3xf32>, none) -> tensor<?x6x16x16xf32>
  onnx.Return %y : tensor<?x6x16x16xf32>
}

// -----

func.func @output_padding_beyond_32_bits(%a0: tensor<?x3x8x8xf32>, %a1: tensor<3x6x3x3xf32>) -> tensor<?x6x16x16xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.ConvTranspose': expected output_padding of 32 bits, got 9223372036854775807}}
  %y = "onnx.ConvTranspose"(%a0, %a1, %none) {output_padding = [1, 9223372036854775807], output_shape = [16, 16]}
      : (tensor<?x3x8x8xf32>, tensor<3x6x3x3xf32>, none) -> tensor<?x6x16x16xf32>
  onnx.Return %y : tensor<?x6x16x16xf32>
}

// -----

func.func @no_weight(%a0: tensor<1x1x?x4xf32>, %a1: tensor<f32>) -> tensor<*xf32> {
  %none = "onnx.NoValue"() {value} : () -> none
  // expected-error @below {{no lowering to torch for 'onnx.ConvTranspose': expected 'W' of rank 4 beside 'X', got rank 0: '!torch.vtensor<[],f32>'}}
  %y = "onnx.ConvTranspose"(%a0, %a1, %none)
      : (tensor<1x1x?x4xf32>, tensor<f32>, none) -> tensor<*xf32>
  onnx.Return %y : tensor<*xf32>
}
