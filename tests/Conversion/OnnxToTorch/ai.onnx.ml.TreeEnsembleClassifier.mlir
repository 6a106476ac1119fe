// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @binary(
// CHECK: torch.constant.float 5.000000e-01
// CHECK: torch.aten.gt.Scalar
// CHECK: torch.aten.cat
func.func @binary(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  %y:2 = "onnx.ai.onnx.ml.TreeEnsembleClassifier"(%x) {classlabels_int64s = [3, 7], nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], class_treeids = [0, 0], class_nodeids = [1, 2], class_ids = [0, 0], class_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @classes(
// CHECK: torch.aten.softmax.int
func.func @classes(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  %y:2 = "onnx.ai.onnx.ml.TreeEnsembleClassifier"(%x) {classlabels_int64s = [3, 7], nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], post_transform = "SOFTMAX", class_treeids = [0, 0, 0, 0], class_nodeids = [1, 1, 2, 2], class_ids = [0, 1, 0, 1], class_weights = [0.25 : f32, 0.75 : f32, 1.0 : f32, 2.0 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @strings(%x: tensor<?x3xf32>) -> (tensor<?x!onnx.String>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleClassifier': expected class labels that are integers, got strings, which no target has: train the model on integer labels, or remove its output of labels and take the label of the largest score}}
  %y:2 = "onnx.ai.onnx.ml.TreeEnsembleClassifier"(%x) {classlabels_strings = ["a", "b"], nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], class_treeids = [0, 0], class_nodeids = [1, 2], class_ids = [0, 0], class_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?x!onnx.String>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?x!onnx.String>, tensor<?x2xf32>
}

// -----

func.func @no_labels(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleClassifier': expected class labels, got none}}
  %y:2 = "onnx.ai.onnx.ml.TreeEnsembleClassifier"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], class_treeids = [0, 0], class_nodeids = [1, 2], class_ids = [0, 0], class_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @class(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleClassifier': expected ids of targets or classes from 0 to 1, got 2}}
  %y:2 = "onnx.ai.onnx.ml.TreeEnsembleClassifier"(%x) {classlabels_int64s = [3, 7], nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], class_treeids = [0, 0], class_nodeids = [1, 2], class_ids = [0, 2], class_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}

// -----

func.func @base(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>) {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleClassifier': expected 1 base values, got 2}}
  %y:2 = "onnx.ai.onnx.ml.TreeEnsembleClassifier"(%x) {classlabels_int64s = [3, 7], nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], base_values = [1.0 : f32, 2.0 : f32], class_treeids = [0, 0], class_nodeids = [1, 2], class_ids = [0, 0], class_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?x2xf32>)
  onnx.Return %y#0, %y#1 : tensor<?xi64>, tensor<?x2xf32>
}
