// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @binary(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.cat
// CHECK: torch.aten.sigmoid
// CHECK: torch.aten.gt.Scalar
// CHECK: torch.aten.index_select
func.func @binary(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  %y:2 = "onnx.ai.onnx.ml.LinearClassifier"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], intercepts = [0.5 : f32], classlabels_ints = [3, 7], post_transform = "LOGISTIC"}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @classes(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.softmax.int
// CHECK: torch.aten.argmax
func.func @classes(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  %y:2 = "onnx.ai.onnx.ml.LinearClassifier"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], intercepts = [0.5 : f32, 0.25 : f32], classlabels_ints = [3, 7], post_transform = "SOFTMAX"}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @unused_strings(
// CHECK: torch.aten.matmul
// CHECK: torch.aten.cat
func.func @unused_strings(%x: tensor<?x3xf32>) -> tensor<?x2xf32> {
  %y:2 = "onnx.ai.onnx.ml.LinearClassifier"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], intercepts = [0.5 : f32], classlabels_strings = ["a", "b"]}
      : (tensor<?x3xf32>) -> (tensor<?x!onnx.String>, tensor<?x2xf32>)
  onnx.Return %y#1 : tensor<?x2xf32>
}

// -----

func.func @strings(%x: tensor<?x3xf32>) -> (tensor<?x!onnx.String>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LinearClassifier': expected class labels that are integers, got strings, which no target has: train the model on integer labels, or remove its output of labels and take the label of the largest score}}
  %y:2 = "onnx.ai.onnx.ml.LinearClassifier"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], intercepts = [0.5 : f32], classlabels_strings = ["a", "b"]}
      : (tensor<?x3xf32>) -> (tensor<?x!onnx.String>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x!onnx.String>, tensor<?x2xf32>
}

// -----

func.func @probit(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LinearClassifier': expected a post_transform other than PROBIT for two classes with one score, got PROBIT}}
  %y:2 = "onnx.ai.onnx.ml.LinearClassifier"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], intercepts = [0.5 : f32], classlabels_ints = [3, 7], post_transform = "PROBIT"}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @unknown(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LinearClassifier': expected a post_transform of NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT, got CUBE}}
  %y:2 = "onnx.ai.onnx.ml.LinearClassifier"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], intercepts = [0.5 : f32], classlabels_ints = [3, 7], post_transform = "CUBE"}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @labels(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LinearClassifier': expected 2 class labels, got 3}}
  %y:2 = "onnx.ai.onnx.ml.LinearClassifier"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], intercepts = [0.5 : f32, 0.25 : f32], classlabels_ints = [3, 7, 9]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @both_labels(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.LinearClassifier': expected class labels that are integers or strings, got both}}
  %y:2 = "onnx.ai.onnx.ml.LinearClassifier"(%x) {coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], intercepts = [0.5 : f32], classlabels_ints = [3, 7], classlabels_strings = ["a", "b"]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}
