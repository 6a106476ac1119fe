// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @one_step(
// CHECK-NOT: torch.prim.Loop
// CHECK: torch.aten.index_select
// CHECK: torch.aten.le.Tensor
// CHECK: torch.aten.logical_not
// CHECK: torch.aten.index_select
// CHECK: torch.aten.sum.dim_IntList
func.func @one_step(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @greater_or_equal(
// CHECK: torch.aten.lt.Tensor
func.func @greater_or_equal(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_GTE", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @missing(
// CHECK: torch.aten.le.Tensor
// CHECK: torch.aten.isnan
// CHECK: torch.aten.logical_or
func.func @missing(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], nodes_missing_value_tracks_true = [1, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @leaf(
// CHECK-NOT: torch.aten.le.Tensor
// CHECK: torch.aten.sum.dim_IntList
func.func @leaf(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0], nodes_nodeids = [0], nodes_featureids = [0], nodes_modes = ["LEAF"], nodes_values = [0.5 : f32], nodes_truenodeids = [0], nodes_falsenodeids = [0], target_treeids = [0], target_nodeids = [0], target_ids = [0], target_weights = [0.25 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @open_features(
// CHECK: torch.runtime.assert {{.*}}expected more than 4 features
func.func @open_features(%x: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [4, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x?xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @largest(
// CHECK: torch.aten.amax
func.func @largest(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], aggregate_function = "MAX", target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @no_nodes(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected trees, got no nodes}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @lengths(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected 3 elements in nodes_truenodeids, got 2}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @same_ids(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected each node once, got node 1 of tree 0 twice}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 1], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @unknown_mode(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected a node's mode to be BRANCH_LEQ, BRANCH_LT, BRANCH_GTE, BRANCH_GT, BRANCH_EQ, BRANCH_NEQ or LEAF, got BRANCH}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @no_child(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected a child of node 0 in its tree, 0, got id 7}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [7, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @cycle(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected trees, in which a node has one parent, got several for node 0 of tree 0}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [0, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @shared_child(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected trees, in which a node has one parent, got several for node 1 of tree 0}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [1, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @negative_feature(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected feature ids of at least 0, got -1}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [-1, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @feature(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected feature ids below the 3 columns of X, got 3}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [3, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @weight_of_nothing(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected a weight of a node, got one of node 5 of tree 0, which is not there}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 5], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @target(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected ids of targets or classes from 0 to 0, got 1}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 1], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @weights(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected 2 elements in the weights, got 3}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], target_weights = [1.0 : f32, 2.0 : f32, 3.0 : f32], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @base(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected 1 base values, got 2}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], base_values = [1.0 : f32, 2.0 : f32], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @aggregate(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected an aggregate_function of AVERAGE, SUM, MIN or MAX, got MODE}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], aggregate_function = "MODE", target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @targets(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected n_targets of at least 1, got 0}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], n_targets = 0 : si64, target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @both_values(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected nodes_values as floats or as a tensor, got both}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], nodes_values_as_tensor = dense<0.0> : tensor<3xf64>, target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @too_many_weights(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected at most 67108864 weights, one of each leaf for each target, got 2 leaves and 99999999 targets}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], n_targets = 99999999 : si64, target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 1], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @too_many_targets(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsembleRegressor': expected at most 16384 targets, got 99999999}}
  %y = "onnx.ai.onnx.ml.TreeEnsembleRegressor"(%x) {nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = [2, 0, 0], n_targets = 99999999 : si64, target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], target_weights = [0.25 : f32, 0.75 : f32]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}
