// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @targets(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.add.Tensor
func.func @targets(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %y = "onnx.ai.onnx.ml.LinearRegressor"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], intercepts = [0.5 : f32, 0.25 : f32], targets = 2 : si64}
      : (tensor<?x3xf32>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @open_features(
// CHECK: torch.runtime.assert {{.*}}expected rows of 3 features
// CHECK: torch.aten.matmul
func.func @open_features(%x: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.LinearRegressor"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32]}
      : (tensor<?x?xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @features(%x: tensor<?x2xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LinearRegressor': expected rows of 3 features, got 2}}
  %y = "onnx.ai.onnx.ml.LinearRegressor"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32]}
      : (tensor<?x2xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @coefficients(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LinearRegressor': expected coefficients for 2 columns of scores, got 3 of them}}
  %y = "onnx.ai.onnx.ml.LinearRegressor"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], targets = 2 : si64}
      : (tensor<?x3xf32>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}

// -----

func.func @intercepts(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LinearRegressor': expected 1 intercepts, got 2}}
  %y = "onnx.ai.onnx.ml.LinearRegressor"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], intercepts = [1.0 : f32, 2.0 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}
