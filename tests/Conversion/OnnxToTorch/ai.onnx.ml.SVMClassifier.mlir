// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @scores(
// CHECK: torch.aten.exp
// CHECK: torch.aten.matmul
// CHECK: torch.aten.argmax
func.func @scores(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [3, 7], coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "RBF", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], vectors_per_class = [1, 1]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @probabilities(
// CHECK: torch.aten.clamp
// CHECK: torch.prim.Loop
func.func @probabilities(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [3, 7], coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "RBF", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], vectors_per_class = [1, 1], prob_a = [-1.5 : f32], prob_b = [0.25 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @no_vectors(
// CHECK-NOT: torch.prim.Loop
// CHECK: torch.aten.matmul
func.func @no_vectors(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [3, 7], coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], rho = [0.1 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @no_labels(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMClassifier': expected 1 to 256 class labels, got 0}}
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [], coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "RBF", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], vectors_per_class = [1, 1]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @rho(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMClassifier': expected support vectors for each of two or more classes, a coefficient of each for each other class, and a rho for each pair of classes, got 2 classes, 2 vectors, 6 elements of vectors, 2 coefficients and 2 numbers in rho}}
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [3, 7], coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "RBF", rho = [1.0 : f32, 2.0 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], vectors_per_class = [1, 1]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @prob_b(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMClassifier': expected prob_a and prob_b for each of 1 pairs of classes, got 1 and 0 numbers}}
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [3, 7], coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "RBF", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], vectors_per_class = [1, 1], prob_a = [1.0 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @many_vectors(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMClassifier': expected numbers of vectors in vectors_per_class, got 9}}
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [3, 7], coefficients = [1.0 : f32, -1.0 : f32], kernel_params = [0.5 : f32, 0.0 : f32, 2.0 : f32], kernel_type = "RBF", rho = [0.1 : f32], support_vectors = [1.0 : f32, 0.0 : f32, 0.0 : f32, 0.0 : f32, 1.0 : f32, 0.0 : f32], vectors_per_class = [1, 9]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @nothing(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMClassifier': expected coefficients and rho, got 0 and 0 numbers}}
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [3, 7]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @uneven(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.SVMClassifier': expected coefficients for 2 classes, got 3}}
  %y:2 = "onnx.ai.onnx.ml.SVMClassifier"(%x) {classlabels_ints = [3, 7], coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], rho = [0.1 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}
