// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @update(
// CHECK: torch.aten.div.Tensor
// CHECK: torch.aten.sqrt
// CHECK: torch.aten.sub.Tensor
func.func @update(%r: tensor<f32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y:2 = "onnx.ai.onnx.preview.training.Adagrad"(%r, %t, %in0, %in1, %in2) {norm_coefficient = 0.001 : f32, epsilon = 1.0e-05 : f32, decay_factor = 0.1 : f32}
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

func.func @lists(%r: tensor<f32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>, %in3: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.training.Adagrad': expected 3 inputs and 2 outputs for each tensor, got 4 and 3}}
  %y:3 = "onnx.ai.onnx.preview.training.Adagrad"(%r, %t, %in0, %in1, %in2, %in3) {norm_coefficient = 0.001 : f32, epsilon = 1.0e-05 : f32, decay_factor = 0.1 : f32}
      : (tensor<f32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1, %y#2 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

func.func @rate(%r: tensor<2xf32>, %t: tensor<i64>, %in0: tensor<?x3xf32>, %in1: tensor<?x3xf32>, %in2: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.preview.training.Adagrad': expected R and T of one element, got '!torch.vtensor<[2],f32>'}}
  %y:2 = "onnx.ai.onnx.preview.training.Adagrad"(%r, %t, %in0, %in1, %in2) {norm_coefficient = 0.001 : f32, epsilon = 1.0e-05 : f32, decay_factor = 0.1 : f32}
      : (tensor<2xf32>, tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x3xf32>, tensor<?x3xf32>
}
