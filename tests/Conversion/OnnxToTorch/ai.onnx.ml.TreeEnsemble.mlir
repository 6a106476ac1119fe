// RUN: isthmus-opt %s --convert-onnx-to-torch --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @one_step(
// CHECK: torch.aten.le.Tensor
// CHECK: torch.aten.index_select
// CHECK: torch.aten.sum.dim_IntList
func.func @one_step(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @member(
// CHECK: torch.aten.eq.Tensor
// CHECK: torch.aten.eq.Tensor
func.func @member(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<6> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0], membership_values = dense<[1.0, 3.0, 0x7FC00000]> : tensor<3xf32>}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @leaf(
// CHECK-NOT: torch.aten.le.Tensor
// CHECK: torch.aten.sum.dim_IntList
func.func @leaf(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [0], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @members(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected a NaN in membership_values after the set of each node of mode BRANCH_MEMBER, got fewer}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<6> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0], membership_values = dense<1.0> : tensor<1xf32>}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @mode(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected a node's mode from 0 to 6, got 7}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<7> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @lengths(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected 1 elements in nodes_splits, got 2}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<2xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @root(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected roots from 0 to 0, got 4}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [4]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @no_roots(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected trees, got no roots}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = []}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @leaf_id(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected ids of leaves from 0 to 1, got 2}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [2], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @node_id(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected ids of nodes from 0 to 0, got -1}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [0], nodes_falsenodeids = [-1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @cycle(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected trees, in which a node has one parent, got several for node 0}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [0], nodes_falsenodeids = [0], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @target(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected ids of targets or classes from 0 to 0, got 1}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 1], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @transform(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected post_transform from 0 to 4, got 5}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0], post_transform = 5 : si64}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @aggregate(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected aggregate_function from 0 to 3, got 4}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0], aggregate_function = 4 : si64}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @targets(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected n_targets of at least 1, got -1}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = -1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @modes_dtype(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected nodes_modes of bytes, got 'tensor<1xf32>'}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0.0> : tensor<1xf32>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}

// -----

func.func @weights_dtype(%x: tensor<?x3xf32>) -> tensor<?x1xf32> {
  // expected-error @below {{no lowering to torch for 'onnx.ai.onnx.ml.TreeEnsemble': expected leaf_weights of floats, got 'tensor<2xi64>'}}
  %y = "onnx.ai.onnx.ml.TreeEnsemble"(%x) {leaf_targetids = [0, 0], leaf_weights = dense<1> : tensor<2xi64>, n_targets = 1 : si64, nodes_falseleafs = [1], nodes_falsenodeids = [1], nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = [1], nodes_truenodeids = [0], tree_roots = [0]}
      : (tensor<?x3xf32>) -> tensor<?x1xf32>
  onnx.Return %y : tensor<?x1xf32>
}
