// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @update(
// CHECK: torch.aten.pow.Scalar
// CHECK: torch.aten.where.self
func.func @update(%r: tensor<f32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>, %in3: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %y:3 = "onnx.ai.onnx.preview.training.Adam"(%r, %t, %in0, %in1, %in2, %in3) {alpha = 0.9 : f32, beta = 0.999 : f32, norm_coefficient_post = 0.125 : f32}
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

func.func @lists(%r: tensor<f32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>, %in3: tensor<?x3xf32>, %in4: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.training.Adam': expected 4 inputs and 3 outputs for each tensor, got 5 and 4}}
  %y:4 = "onnx.ai.onnx.preview.training.Adam"(%r, %t, %in0, %in1, %in2, %in3, %in4) {alpha = 0.9 : f32, beta = 0.999 : f32, norm_coefficient_post = 0.125 : f32}
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1, %y#2, %y#3 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

func.func @rate(%r: tensor<2xf32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>, %in3: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.training.Adam': expected R and T of one element, got '!torch.vtensor<[2],f32>'}}
  %y:3 = "onnx.ai.onnx.preview.training.Adam"(%r, %t, %in0, %in1, %in2, %in3) {alpha = 0.9 : f32, beta = 0.999 : f32, norm_coefficient_post = 0.125 : f32}
      : (tensor<2xf32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
