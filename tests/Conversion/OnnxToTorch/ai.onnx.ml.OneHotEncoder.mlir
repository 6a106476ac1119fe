// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @integers(
// CHECK: torch.aten.unsqueeze
// CHECK: torch.aten.eq.Tensor
func.func @integers(%x: tensor<?x2xi64>) -> tensor<?x2x3xf32> {
  %y = "onnx.ai.onnx.ml.OneHotEncoder"(%x) {cats_int64s = [5, 3, -1]} : (tensor<?x2xi64>) -> tensor<?x2x3xf32>
  onnx.Return %y : tensor<?x2x3xf32>
}

// -----

// CHECK-LABEL: func.func @every(
// CHECK: torch.aten.any.dim
// CHECK: torch.runtime.assert {{.*}}expected elements of X that are categories
func.func @every(%x: tensor<?xi64>) -> tensor<?x3xf32> {
  %y = "onnx.ai.onnx.ml.OneHotEncoder"(%x) {cats_int64s = [5, 3, -1], zeros = 0 : si64}
      : (tensor<?xi64>) -> tensor<?x3xf32>
  onnx.Return %y : tensor<?x3xf32>
}

// -----

func.func @strings(%x: tensor<?xi64>) -> tensor<?x2xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.OneHotEncoder': expected categories that are integers, got strings, which no target has: encode them before the model, and export it from the encoded values on}}
  %y = "onnx.ai.onnx.ml.OneHotEncoder"(%x) {cats_strings = ["a", "b"]} : (tensor<?xi64>) -> tensor<?x2xf32>
  onnx.Return %y : tensor<?x2xf32>
}
