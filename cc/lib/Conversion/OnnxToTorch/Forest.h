//===- Forest.h - Decision trees, read from a node's attributes -*- C++ -*-===//
//
// The three ops of tree ensembles describe their trees in two ways. Both become
// a Forest, whose ids are checked.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FOREST_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FOREST_H

#include "isthmus/Conversion/OnnxToTorch.h"

namespace isthmus::onnx_to_torch {

/// Modes of a node, numbered as TreeEnsemble-5 does.
enum class NodeMode { Leq, Lt, Gte, Gt, Eq, Neq, Member, Leaf };

/// A node that compares a feature: true leads to child `yes`, false to `no`.
struct TreeSplit {
  NodeMode mode = NodeMode::Leq; // Leq, Lt or Eq
  int64_t feature = 0;
  double threshold = 0;
  bool missingIsTrue = false; // of NaN
  int64_t yes = 0, no = 0;    // a split, or ~leaf
};

/// A weight that a leaf gives a target.
struct LeafVote {
  int64_t leaf, target;
  double weight;
};

struct Forest {
  std::vector<TreeSplit> splits;
  std::vector<LeafVote> votes;
  std::vector<int64_t> roots; // a split each, or ~leaf
  std::vector<int64_t> treeOfLeaf;
  int64_t depth = 0;       // the most splits on a path
  int64_t mostFeature = 0; // the largest feature id
};

/// The attributes of TreeEnsembleClassifier-3 and TreeEnsembleRegressor-3,
/// which identify a node by its tree's id and its own.
struct NodeLists {
  llvm::SmallVector<int64_t> trees, ids, features, yes, no, missing;
  std::optional<mlir::ArrayAttr> modes;
  llvm::SmallVector<double> thresholds;
  llvm::SmallVector<int64_t> voteTrees, voteIds, voteTargets;
  llvm::SmallVector<double> voteWeights;
};
mlir::FailureOr<Forest> forestOf(NodeBuilder &b, const NodeLists &lists,
                                 int64_t targets);

/// The attributes of TreeEnsemble-5, which identify a node or a leaf by its
/// place in the lists.
struct PlacedLists {
  llvm::SmallVector<int64_t> features, modes, yes, no, yesIsLeaf, noIsLeaf,
      missing, roots;
  llvm::SmallVector<double> thresholds, members;
  llvm::SmallVector<int64_t> leafTargets;
  llvm::SmallVector<double> leafWeights;
};
mlir::FailureOr<Forest> forestOf(NodeBuilder &b, const PlacedLists &lists,
                                 int64_t targets);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_FOREST_H
