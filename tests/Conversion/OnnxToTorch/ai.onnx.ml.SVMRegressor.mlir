// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @poly(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.pow.Tensor_Scalar
// CHECK: torch.aten.matmul
func.func @poly(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.SVMRegressor"(%x) {coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "POLY", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], n_supports = 2 : si64}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @one_class(
// CHECK: torch.aten.tanh
// CHECK: torch.aten.where.self
func.func @one_class(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.SVMRegressor"(%x) {coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "SIGMOID", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], n_supports = 2 : si64, one_class = 1 : si64}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @kernel(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMRegressor': expected a kernel_type of LINEAR, POLY, RBF or SIGMOID, got CUBE}}
  %y = "onnx.ai.onnx.ml.SVMRegressor"(%x) {coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "CUBE", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], n_supports = 2 : si64}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @parameters(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMRegressor': expected gamma, coef0 and degree in kernel_params, got 2 numbers}}
  %y = "onnx.ai.onnx.ml.SVMRegressor"(%x) {coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [1.0 : f32, 2.0 : f32], kernel_type = "POLY", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], n_supports = 2 : si64}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @vectors(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMRegressor': expected a coefficient and a vector for each of 3 support vectors, got 2 coefficients and 6 elements of vectors}}
  %y = "onnx.ai.onnx.ml.SVMRegressor"(%x) {coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "POLY", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], n_supports = 3 : si64}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @rho(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMRegressor': expected coefficients and rho, got 2 and 0 numbers}}
  %y = "onnx.ai.onnx.ml.SVMRegressor"(%x) {coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "POLY", rho = [], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], n_supports = 2 : si64}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @transform(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMRegressor': expected a post_transform of NONE, got LOGISTIC}}
  %y = "onnx.ai.onnx.ml.SVMRegressor"(%x) {coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "POLY", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], n_supports = 2 : si64, post_transform = "LOGISTIC"}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}
