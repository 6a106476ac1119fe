// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @integers(
// CHECK: torch.aten.bucketize.Tensor
// CHECK: torch.aten.eq.Tensor
// CHECK: torch.aten.where.self
func.func @integers(%x: tensor<?x2xi64>) -> tensor<?x2xi64> {
  %y = "onnx.ai.onnx.ml.LabelEncoder"(%x) {keys_int64s = [5, 3, -1], values_int64s = [50, 30, 10]}
      : (tensor<?x2xi64>) -> tensor<?x2xi64>
  onnx.Return %y : tensor<?x2xi64>
}

// -----

// CHECK-LABEL: func.func @nan(
// CHECK: torch.aten.bucketize.Tensor
// CHECK: torch.aten.isnan
func.func @nan(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = "onnx.ai.onnx.ml.LabelEncoder"(%x) {keys_floats = [1.0 : f32, 0x7FC00000 : f32], values_floats = [10.0 : f32, 20.0 : f32], default_float = -1.0 : f32}
      : (tensor<?xf32>) -> tensor<?xf32>
  onnx.Return %y : tensor<?xf32>
}

// -----

func.func @strings(%x: tensor<?xi64>) -> tensor<?x!onnx.String> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LabelEncoder': expected keys and values that are numbers, got strings, which no target has: encode them before the model, and export it from the encoded values on}}
  %y = "onnx.ai.onnx.ml.LabelEncoder"(%x) {keys_int64s = [1, 2], values_strings = ["a", "b"]}
      : (tensor<?xi64>) -> tensor<?x!onnx.String>
  onnx.Return %y : tensor<?x!onnx.String>
}

// -----

func.func @lengths(%x: tensor<?xi64>) -> tensor<?xi64> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LabelEncoder': expected a value for each key, got 2 keys and 1 values}}
  %y = "onnx.ai.onnx.ml.LabelEncoder"(%x) {keys_int64s = [1, 2], values_int64s = [1]} : (tensor<?xi64>) -> tensor<?xi64>
  onnx.Return %y : tensor<?xi64>
}

// -----

func.func @two_lists(%x: tensor<?xi64>) -> tensor<?xi64> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LabelEncoder': expected one attribute of keys, got 2}}
  %y = "onnx.ai.onnx.ml.LabelEncoder"(%x) {keys_int64s = [1], keys_floats = [1.0 : f32], values_int64s = [1]}
      : (tensor<?xi64>) -> tensor<?xi64>
  onnx.Return %y : tensor<?xi64>
}

// -----

func.func @other_dtype(%x: tensor<?xi64>) -> tensor<?xi64> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LabelEncoder': expected keys of the dtype of X, 'si64', got 'f32'}}
  %y = "onnx.ai.onnx.ml.LabelEncoder"(%x) {keys_floats = [1.0 : f32], values_int64s = [1]}
      : (tensor<?xi64>) -> tensor<?xi64>
  onnx.Return %y : tensor<?xi64>
}
