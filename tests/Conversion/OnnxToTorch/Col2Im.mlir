// RUN: isthmus-opt %s --convert-onnx-to-torch-pipeline --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @plane(
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,5,5,1],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[5,1,1,5],f32>
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[?,1,5,5],f32>
// CHECK: torch.aten.view{{.*}} -> !torch.vtensor<[?,1,5,5],f32>
func.func @plane(%x: tensor<?x5x5xf32>) -> tensor<?x1x5x5xf32> {
  %image = onnx.Constant dense<[5, 5]> : tensor<2xi64>
  %block = onnx.Constant dense<[1, 5]> : tensor<2xi64>
  %y = "onnx.Col2Im"(%x, %image, %block) : (tensor<?x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x1x5x5xf32>
  onnx.Return %y : tensor<?x1x5x5xf32>
}

// -----

// Elements outside of the blocks are zeros, and pads are cut off.
// CHECK-LABEL: func.func @pads(
// CHECK: torch.aten.convolution{{.*}} -> !torch.vtensor<[1,1,7,7],f32>
// CHECK: torch.aten.constant_pad_nd{{.*}} -> !torch.vtensor<[1,1,6,6],f32>
func.func @pads(%x: tensor<1x9x9xf32>) -> tensor<1x1x6x6xf32> {
  %image = onnx.Constant dense<[6, 6]> : tensor<2xi64>
  %block = onnx.Constant dense<[3, 3]> : tensor<2xi64>
  %y = "onnx.Col2Im"(%x, %image, %block) {strides = [2, 2], pads = [1, 1, 1, 1]} : (tensor<1x9x9xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x6x6xf32>
  onnx.Return %y : tensor<1x1x6x6xf32>
}

// -----

func.func @no_batch(%x: tensor<9x9xf32>) -> tensor<1x6x6xf32> {
  %image = onnx.Constant dense<[6, 6]> : tensor<2xi64>
  %block = onnx.Constant dense<[3, 3]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Col2Im': expected 'input' of rank 3, got rank 2: '!torch.vtensor<[9,9],f32>'}}
  %y = "onnx.Col2Im"(%x, %image, %block) : (tensor<9x9xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x6x6xf32>
  onnx.Return %y : tensor<1x6x6xf32>
}

// -----

func.func @too_few_strides(%x: tensor<1x9x9xf32>) -> tensor<1x1x6x6xf32> {
  %image = onnx.Constant dense<[6, 6]> : tensor<2xi64>
  %block = onnx.Constant dense<[3, 3]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Col2Im': expected 2 numbers in [1, 65536] in block_shape, strides and dilations}}
  %y = "onnx.Col2Im"(%x, %image, %block) {strides = [2]} : (tensor<1x9x9xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x6x6xf32>
  onnx.Return %y : tensor<1x1x6x6xf32>
}

// -----

func.func @too_few_pads(%x: tensor<1x9x9xf32>) -> tensor<1x1x6x6xf32> {
  %image = onnx.Constant dense<[6, 6]> : tensor<2xi64>
  %block = onnx.Constant dense<[3, 3]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Col2Im': expected 4 numbers in pads, got 2}}
  %y = "onnx.Col2Im"(%x, %image, %block) {pads = [1, 1]} : (tensor<1x9x9xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x6x6xf32>
  onnx.Return %y : tensor<1x1x6x6xf32>
}

// -----

func.func @pads_beyond_32_bits(%x: tensor<1x9x9xf32>) -> tensor<1x1x6x6xf32> {
  %image = onnx.Constant dense<[6, 6]> : tensor<2xi64>
  %block = onnx.Constant dense<[3, 3]> : tensor<2xi64>
  // expected-error @below {{no lowering to torch for 'onnx.Col2Im': expected pads of 32 bits, got 9223372036854775807}}
  %y = "onnx.Col2Im"(%x, %image, %block) {pads = [1, 1, 9223372036854775807, 1]} : (tensor<1x9x9xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x6x6xf32>
  onnx.Return %y : tensor<1x1x6x6xf32>
}
