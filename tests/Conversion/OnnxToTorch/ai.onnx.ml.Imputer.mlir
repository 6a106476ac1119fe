// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nan(
// CHECK: torch.aten.isnan
// CHECK: torch.aten.where.self
func.func @nan(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = "onnx.ai.onnx.ml.Imputer"(%x) {imputed_value_floats = [1.0 : f32, 2.0 : f32, 3.0 : f32], replaced_value_float = 0x7FC00000 : f32}
      : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @number(
// CHECK: torch.aten.eq.Scalar
// CHECK: torch.aten.where.self
func.func @number(%x: tensor<?x3xi64>) -> tensor<?x3xi64> {
  %y = "onnx.ai.onnx.ml.Imputer"(%x) {imputed_value_int64s = [7], replaced_value_int64 = -1 : si64}
      : (tensor<?x3xi64>) -> tensor<?x3xi64>
  onnx.Return %y : tensor<?x3xi64>
}

// -----

func.func @no_values(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.Imputer': expected imputed values of the kind of X, 'f32', got none}}
  %y = "onnx.ai.onnx.ml.Imputer"(%x) {imputed_value_int64s = [7]} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @other_columns(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.Imputer': expected rows of 2 features, got 3}}
  %y = "onnx.ai.onnx.ml.Imputer"(%x) {imputed_value_floats = [1.0 : f32, 2.0 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}
