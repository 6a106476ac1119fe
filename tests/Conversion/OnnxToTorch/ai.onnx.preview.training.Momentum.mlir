// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @update(
// CHECK: torch.aten.where.self
// CHECK: torch.aten.sub.Tensor
func.func @update(%r: tensor<f32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y:2 = "onnx.ai.onnx.preview.training.Momentum"(%r, %t, %in0, %in1, %in2) {alpha = 0.9 : f32, beta = 0.1 : f32, mode = "nesterov", norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @standard(
// CHECK: torch.aten.sub.Tensor
func.func @standard(%r: tensor<f32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y:2 = "onnx.ai.onnx.preview.training.Momentum"(%r, %t, %in0, %in1, %in2) {alpha = 0.9 : f32, beta = 0.1 : f32, mode = "standard", norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

func.func @lists(%r: tensor<f32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>, %in3: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.training.Momentum': expected 3 inputs and 2 outputs for each tensor, got 4 and 3}}
  %y:3 = "onnx.ai.onnx.preview.training.Momentum"(%r, %t, %in0, %in1, %in2, %in3) {alpha = 0.9 : f32, beta = 0.1 : f32, mode = "nesterov", norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

func.func @rate(%r: tensor<2xf32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.training.Momentum': expected R and T of one element, got '!torch.vtensor<[2],f32>'}}
  %y:2 = "onnx.ai.onnx.preview.training.Momentum"(%r, %t, %in0, %in1, %in2) {alpha = 0.9 : f32, beta = 0.1 : f32, mode = "nesterov", norm_coefficient = 0.0 : f32}
      : (tensor<2xf32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

func.func @mode(%r: tensor<f32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.training.Momentum': expected mode standard or nesterov, got other}}
  %y:2 = "onnx.ai.onnx.preview.training.Momentum"(%r, %t, %in0, %in1, %in2) {alpha = 0.9 : f32, beta = 0.1 : f32, mode = "other", norm_coefficient = 0.0 : f32}
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3xf32>, tensor<?x3xf32>
}
