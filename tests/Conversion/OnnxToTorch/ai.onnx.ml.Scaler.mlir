// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @columns(
// CHECK: torch.aten.sub.Tensor
// CHECK: torch.aten.mul.Tensor
func.func @columns(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = "onnx.ai.onnx.ml.Scaler"(%x) {offset = [1.0 : f32, 2.0 : f32, 3.0 : f32], scale = [2.0 : f32, 2.0 : f32, 2.0 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @none(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.Scaler': expected numbers for scale, got none}}
  %y = "onnx.ai.onnx.ml.Scaler"(%x) {offset = [1.0 : f32]} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @other_columns(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.Scaler': expected rows of 2 features, got 3}}
  %y = "onnx.ai.onnx.ml.Scaler"(%x) {offset = [1.0 : f32], scale = [1.0 : f32, 2.0 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
