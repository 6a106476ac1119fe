//===- MlTrees.cpp - Ensembles of decision trees to ATen ------------------===//
//
// All trees advance together, a level per step: `node`, a flat list by trees
// and rows, has the node that each row has reached in each tree. Tables of all
// nodes hold the features, the thresholds and the children; a leaf is its own
// child. After as many steps as the deepest tree has levels, each node is a
// leaf (docs/decisions/0007-trees-advance-together.md).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Forest.h"
#include "Loops.h"
#include "MlScores.h"
#include "MlValues.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Ml.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// How the weights that the trees give a target are combined, numbered as
/// TreeEnsemble-5 does.
enum class Aggregate { Average, Sum, Min, Max };

//===----------------------------------------------------------------------===//
// From rows to leaves
//===----------------------------------------------------------------------===//

class Descent {
public:
  Descent(NodeBuilder &b, const Forest &forest, Value x)
      : b(b), forest(forest), x(x) {}

  /// The leaf [trees, rows] that each row reaches in each tree.
  FailureOr<Value> run() {
    int64_t trees = forest.roots.size();
    SmallVector<int64_t> roots;
    for (int64_t root : forest.roots)
      roots.push_back(numberOf(root));
    Value rows = b.size(x, 0), all = b.constant(-1);
    Value grid[] = {b.constant(trees), rows};
    Value node =
        b.view(b.expand(table(b, roots, {trees, 1}, indexDtype()), grid), all);
    if (forest.depth > 0) {
      makeTables();
      Value places = b.create<torch::AtenMulScalarOp>(
          iota(b, b.constant(0), rows), b.size(x, 1));
      starts = b.view(b.expand(b.unsqueeze(places, 0), grid), all);
      FailureOr<Values> last =
          buildLoop(b, b.constant(forest.depth), Value(), {node},
                    [&](Value, ValueRange carried) -> FailureOr<Step> {
                      return Step{Value(), {step(carried.front())}, {}};
                    });
      if (failed(last))
        return failure();
      node = last->front();
    }
    Value first = b.constant(forest.splits.size());
    Value leaf = b.create<torch::AtenSubScalarOp>(node, first, b.constant(1));
    return b.view(leaf, grid);
  }

private:
  Type indexDtype() {
    return IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  }

  /// Splits come first in the tables, then leaves.
  int64_t numberOf(int64_t child) const {
    return child >= 0 ? child : int64_t(forest.splits.size()) + ~child;
  }

  void makeTables() {
    int64_t count = forest.splits.size() + forest.treeOfLeaf.size();
    SmallVector<int64_t> features(count), modes(count), missing(count),
        next(2 * count);
    SmallVector<double> splits(count);
    bool allMissing = true, anyMissing = false;
    for (auto [i, split] : llvm::enumerate(forest.splits)) {
      features[i] = split.feature;
      modes[i] = int64_t(split.mode);
      missing[i] = split.missingIsTrue;
      splits[i] = split.threshold;
      next[2 * i] = numberOf(split.yes);
      next[2 * i + 1] = numberOf(split.no);
      allMissing &= split.missingIsTrue;
      anyMissing |= split.missingIsTrue;
      present.insert(split.mode);
    }
    for (int64_t i = forest.splits.size(); i < count; ++i)
      next[2 * i] = next[2 * i + 1] = i;
    featureOf = table(b, features, {count}, indexDtype());
    thresholdOf = table(b, splits, {count}, dtypeOf(x));
    childOf = table(b, next, {2 * count}, indexDtype());
    if (present.size() > 1)
      modeOf = table(b, modes, {count}, indexDtype());
    if (anyMissing && !allMissing)
      missingOf = table(b, missing, {count}, indexDtype());
    missingIsTrue = allMissing;
    flat = b.view(x, b.constant(-1));
  }

  Value compare(NodeMode mode, Value value, Value threshold) {
    switch (mode) {
    case NodeMode::Lt:
      return b.create<torch::AtenLtTensorOp>(value, threshold);
    case NodeMode::Eq:
      return b.create<torch::AtenEqTensorOp>(value, threshold);
    default:
      return b.create<torch::AtenLeTensorOp>(value, threshold);
    }
  }

  /// The numbers at places in a flat list.
  Value at(Value numbers, Value places) {
    return b.create<torch::AtenIndexSelectOp>(numbers, b.constant(0), places);
  }

  /// The child of each node: the first of its two if the comparison is true.
  Value step(Value node) {
    Value feature = b.convert(at(featureOf, node), int64Dtype(b));
    Value value = at(flat, b.add(starts, feature));
    Value threshold = at(thresholdOf, node);
    Value isTrue;
    for (NodeMode mode : {NodeMode::Leq, NodeMode::Lt, NodeMode::Eq}) {
      if (!present.contains(mode))
        continue;
      Value compared = compare(mode, value, threshold);
      if (!isTrue) {
        isTrue = compared;
        continue;
      }
      Value isMode = b.create<torch::AtenEqScalarOp>(at(modeOf, node),
                                                     b.constant(int64_t(mode)));
      isTrue = b.where(isMode, compared, isTrue);
    }
    if (missingIsTrue || missingOf) {
      Value isMissing = b.create<torch::AtenIsnanOp>(value);
      if (missingOf)
        isMissing = b.create<torch::AtenLogicalAndOp>(
            isMissing, b.create<torch::AtenNeScalarOp>(at(missingOf, node),
                                                       b.constant(0)));
      isTrue = b.create<torch::AtenLogicalOrOp>(isTrue, isMissing);
    }
    Value isFalse =
        b.convert(b.create<torch::AtenLogicalNotOp>(isTrue), indexDtype());
    Value twice = b.create<torch::AtenMulScalarOp>(node, b.constant(2));
    return at(childOf, b.add(twice, isFalse));
  }

  NodeBuilder &b;
  const Forest &forest;
  Value x;
  llvm::SmallSet<NodeMode, 4> present;
  Value flat, starts, featureOf, thresholdOf, childOf;
  Value modeOf;               // null if all nodes have one mode
  Value missingOf;            // null if all nodes treat NaN alike
  bool missingIsTrue = false; // for all nodes
};

//===----------------------------------------------------------------------===//
// From leaves to scores
//===----------------------------------------------------------------------===//

class Votes {
public:
  Votes(NodeBuilder &b, const Forest &forest, Aggregate aggregate,
        int64_t targets, Type dtype)
      : b(b), forest(forest), aggregate(aggregate), targets(targets),
        dtype(dtype) {}

  /// The scores [rows, targets] of the leaves [trees, rows].
  FailureOr<Value> count(Value leaves) {
    FailureOr<Value> scores = failure();
    if (std::optional<SmallVector<int64_t>> ofTree = targetsOfTrees())
      scores = byTree(leaves, *ofTree);
    else
      scores = byLeaf(leaves);
    if (failed(scores) || aggregate != Aggregate::Average)
      return scores;
    return Value(b.create<torch::AtenMulScalarOp>(
        *scores, b.constantFloat(1.0 / forest.roots.size())));
  }

private:
  /// The score of a target that no tree has given a weight yet.
  double neutral() const {
    double infinity = std::numeric_limits<double>::infinity();
    return aggregate == Aggregate::Min   ? infinity
           : aggregate == Aggregate::Max ? -infinity
                                         : 0;
  }

  double combine(double a, double b) const {
    return aggregate == Aggregate::Min   ? std::min(a, b)
           : aggregate == Aggregate::Max ? std::max(a, b)
                                         : a + b;
  }

  /// Combines the trees, dim 0.
  Value reduce(Value weights) {
    Value dims = b.ints(ArrayRef<int64_t>{0});
    if (aggregate == Aggregate::Min)
      return b.create<torch::AtenAminOp>(weights, dims, b.constantBool(false));
    if (aggregate == Aggregate::Max)
      return b.create<torch::AtenAmaxOp>(weights, dims, b.constantBool(false));
    return b.sum(weights, {0}, /*keepdim=*/false);
  }

  /// Without a weight from any tree, a target's score is 0.
  Value finished(Value scores) {
    if (neutral() == 0)
      return scores;
    return b.where(
        b.create<torch::AtenEqScalarOp>(scores, b.constantFloat(neutral())),
        b.scalarTensor(0.0, dtype), scores);
  }

  /// The target that all leaves of a tree vote for, by tree, if there is one.
  std::optional<SmallVector<int64_t>> targetsOfTrees() const {
    SmallVector<int64_t> ofTree(forest.roots.size(), targets == 1 ? 0 : -1);
    for (const LeafVote &vote : forest.votes) {
      int64_t &target = ofTree[forest.treeOfLeaf[vote.leaf]];
      if (target >= 0 && target != vote.target)
        return std::nullopt;
      target = vote.target;
    }
    return ofTree;
  }

  /// Each tree has one target: the weights [trees, rows] of each target's trees
  /// are reduced.
  FailureOr<Value> byTree(Value leaves, ArrayRef<int64_t> ofTree) {
    if (targets > torch::maxPieces)
      return b.decline() << "expected at most " << torch::maxPieces
                         << " targets, got " << targets;
    SmallVector<double> weights(forest.treeOfLeaf.size(), neutral());
    for (const LeafVote &vote : forest.votes)
      weights[vote.leaf] = combine(weights[vote.leaf], vote.weight);
    Value all = table(b, weights, {int64_t(weights.size())}, dtype);
    if (targets == 1)
      return b.unsqueeze(finished(reduce(take(b, all, leaves, 0))), 1);

    SmallVector<SmallVector<int64_t>> groups(targets);
    for (auto [tree, target] : llvm::enumerate(ofTree))
      if (target >= 0)
        groups[target].push_back(tree);
    SmallVector<Value> scores;
    Value rows = b.size(leaves, 1);
    for (ArrayRef<int64_t> trees : groups) {
      if (trees.empty()) {
        scores.push_back(
            filled(b, {rows, b.constant(1)}, b.constantFloat(0), dtype));
        continue;
      }
      Value chosen = table(b, trees, {int64_t(trees.size())}, int64Dtype(b));
      Value reached =
          b.create<torch::AtenIndexSelectOp>(leaves, b.constant(0), chosen);
      scores.push_back(
          b.unsqueeze(finished(reduce(take(b, all, reached, 0))), 1));
    }
    return b.cat(scores, 1);
  }

  /// The weights [trees, rows, targets] of all leaves are reduced.
  FailureOr<Value> byLeaf(Value leaves) {
    constexpr int64_t most = int64_t(1) << 26;
    int64_t count = forest.treeOfLeaf.size();
    if (targets > most / count)
      return b.decline() << "expected at most " << most
                         << " weights, one of each leaf for each target, got "
                         << count << " leaves and " << targets << " targets";
    SmallVector<double> weights(count * targets, neutral());
    for (const LeafVote &vote : forest.votes) {
      double &weight = weights[vote.leaf * targets + vote.target];
      weight = combine(weight, vote.weight);
    }
    Value all = table(b, weights, {count, targets}, dtype);
    return finished(reduce(take(b, all, leaves, 0)));
  }

  NodeBuilder &b;
  const Forest &forest;
  Aggregate aggregate;
  int64_t targets;
  Type dtype;
};

/// The scores [rows, targets], to which base values are added.
FailureOr<Value> scoresOf(NodeBuilder &b, Value x, const Forest &forest,
                          Aggregate aggregate, int64_t targets,
                          ArrayRef<double> base, Type weightDtype) {
  int64_t columns = sizeOf(x, 1);
  if (ShapedType::isDynamic(columns))
    b.check(b.fold<torch::AtenGtIntOp>(b.size(x, 1),
                                       b.constant(forest.mostFeature)),
            "more than " + Twine(forest.mostFeature) + " features");
  else if (forest.mostFeature >= columns)
    return b.decline() << "expected feature ids below the " << columns
                       << " columns of X, got " << forest.mostFeature;
  if (!base.empty() && int64_t(base.size()) != targets)
    return b.decline() << "expected " << targets << " base values, got "
                       << base.size();
  FailureOr<Value> leaves = Descent(b, forest, x).run();
  if (failed(leaves))
    return failure();
  FailureOr<Value> scores =
      Votes(b, forest, aggregate, targets, weightDtype).count(*leaves);
  if (failed(scores) || base.empty())
    return scores;
  return b.add(*scores, table(b, base, {targets}, weightDtype));
}

//===----------------------------------------------------------------------===//
// TreeEnsembleClassifier and TreeEnsembleRegressor
//===----------------------------------------------------------------------===//

/// A list of numbers that a node has as floats, or as a tensor of doubles.
FailureOr<SmallVector<double>> eitherOf(NodeBuilder &b,
                                        std::optional<ArrayAttr> floats,
                                        std::optional<ElementsAttr> tensor,
                                        StringRef name) {
  if (floats && !floats->empty() && tensor)
    return b.decline() << "expected " << name
                       << " as floats or as a tensor, got both";
  return tensor ? numbersOf(b, tensor, name) : floatsOf(floats);
}

/// The lists that both ops have.
template <typename Op>
FailureOr<NodeLists> nodeListsOf(NodeBuilder &b, Op op) {
  NodeLists lists;
  lists.trees = intsOf(op.getNodesTreeids());
  lists.ids = intsOf(op.getNodesNodeids());
  lists.features = intsOf(op.getNodesFeatureids());
  lists.yes = intsOf(op.getNodesTruenodeids());
  lists.no = intsOf(op.getNodesFalsenodeids());
  lists.missing = intsOf(op.getNodesMissingValueTracksTrue());
  lists.modes = op.getNodesModes();
  FailureOr<SmallVector<double>> thresholds = eitherOf(
      b, op.getNodesValues(), op.getNodesValuesAsTensor(), "nodes_values");
  if (failed(thresholds))
    return failure();
  lists.thresholds = *thresholds;
  return lists;
}

/// X as the dtype of the comparisons: double if X or the thresholds are.
template <typename Op>
Value comparable(NodeBuilder &b, Op op, Value x) {
  Type dtype = wideDtype(dtypeOf(x));
  if (op.getNodesValuesAsTensor())
    dtype = Float64Type::get(b.getContext());
  return b.convert(x, dtype);
}

/// TreeEnsembleClassifier-3: the scores are the sums of the weights of the
/// leaves that a row reaches, plus base values; Z = post_transform(scores), and
/// Y is the label of the largest score. Where all weights are those of one of
/// two classes, onnxruntime defines the other: this class is chosen above 0.5
/// if no weight is negative, or else above 0.
FailureOr<SmallVector<Value>>
lowerTreeEnsembleClassifier(onnx::MlTreeEnsembleClassifierOp op,
                            onnx::MlTreeEnsembleClassifierOp::Adaptor in,
                            NodeBuilder &b) {
  FailureOr<PostTransform> transform =
      postTransformOf(b, op.getPostTransform());
  FailureOr<ClassLabels> labels =
      classLabelsOf(b, op.getClasslabelsInt64s(), op.getClasslabelsStrings());
  FailureOr<NodeLists> lists = nodeListsOf(b, op);
  if (failed(transform) || failed(labels) || failed(lists))
    return failure();
  int64_t classes = labels->count();
  if (classes == 0)
    return b.decline() << "expected class labels, got none";
  FailureOr<SmallVector<double>> weights = eitherOf(
      b, op.getClassWeights(), op.getClassWeightsAsTensor(), "class_weights");
  FailureOr<SmallVector<double>> base = eitherOf(
      b, op.getBaseValues(), op.getBaseValuesAsTensor(), "base_values");
  if (failed(weights) || failed(base))
    return failure();
  lists->voteTrees = intsOf(op.getClassTreeids());
  lists->voteIds = intsOf(op.getClassNodeids());
  lists->voteTargets = intsOf(op.getClassIds());
  lists->voteWeights = *weights;
  FailureOr<Forest> forest = forestOf(b, *lists, classes);
  if (failed(forest))
    return failure();

  llvm::SmallSet<int64_t, 4> voted;
  for (int64_t target : lists->voteTargets)
    voted.insert(target);
  bool isBinary = classes == 2 && voted.size() == 1;
  if (isBinary)
    for (LeafVote &vote : forest->votes)
      vote.target = 0;
  Value x = comparable(b, op, in.getX());
  FailureOr<Value> scores = scoresOf(b, x, *forest, Aggregate::Sum,
                                     isBinary ? 1 : classes, *base, dtypeOf(x));
  if (failed(scores))
    return failure();

  FailureOr<Value> z = failure();
  Value places;
  if (isBinary) {
    bool isPositive =
        llvm::all_of(*weights, [](double weight) { return weight >= 0; });
    places = above(b, *scores, isPositive ? 0.5 : 0);
    if (*voted.begin() == 0) {
      z = ofTwoClasses(b, *scores, *transform, isPositive);
    } else {
      Value zero =
          b.create<torch::AtenMulScalarOp>(*scores, b.constantFloat(0));
      z = transformed(b, b.cat({zero, *scores}, 1), *transform);
    }
  } else if (classes == 1) {
    // onnxruntime labels a row 1 if its only score is above 0, else 0.
    labels->ints = {0, 1};
    places = above(b, *scores, 0);
    z = transformed(b, *scores, *transform);
  } else {
    places = largest(b, *scores);
    z = transformed(b, *scores, *transform);
  }
  FailureOr<Value> y = labelsAt(b, *labels, places, op.getY());
  if (failed(z) || failed(y))
    return failure();
  return SmallVector<Value>{*y, b.convert(*z, float32Dtype(b))};
}

/// TreeEnsembleRegressor-3: Y = post_transform(aggregate_function(the weights
/// of the leaves that a row reaches) + base_values)
FailureOr<Value>
lowerTreeEnsembleRegressor(onnx::MlTreeEnsembleRegressorOp op,
                           onnx::MlTreeEnsembleRegressorOp::Adaptor in,
                           NodeBuilder &b) {
  FailureOr<PostTransform> transform =
      postTransformOf(b, op.getPostTransform());
  FailureOr<NodeLists> lists = nodeListsOf(b, op);
  if (failed(transform) || failed(lists))
    return failure();
  auto aggregate =
      llvm::StringSwitch<std::optional<Aggregate>>(op.getAggregateFunction())
          .Case("AVERAGE", Aggregate::Average)
          .Case("SUM", Aggregate::Sum)
          .Case("MIN", Aggregate::Min)
          .Case("MAX", Aggregate::Max)
          .Default(std::nullopt);
  if (!aggregate)
    return b.decline() << "expected an aggregate_function of AVERAGE, SUM, MIN "
                          "or MAX, got "
                       << op.getAggregateFunction();
  FailureOr<SmallVector<double>> weights =
      eitherOf(b, op.getTargetWeights(), op.getTargetWeightsAsTensor(),
               "target_weights");
  FailureOr<SmallVector<double>> base = eitherOf(
      b, op.getBaseValues(), op.getBaseValuesAsTensor(), "base_values");
  if (failed(weights) || failed(base))
    return failure();
  int64_t targets = op.getNTargets().value_or(1);
  if (targets < 1)
    return b.decline() << "expected n_targets of at least 1, got " << targets;
  lists->voteTrees = intsOf(op.getTargetTreeids());
  lists->voteIds = intsOf(op.getTargetNodeids());
  lists->voteTargets = intsOf(op.getTargetIds());
  lists->voteWeights = *weights;
  FailureOr<Forest> forest = forestOf(b, *lists, targets);
  if (failed(forest))
    return failure();
  Value x = comparable(b, op, in.getX());
  FailureOr<Value> scores =
      scoresOf(b, x, *forest, *aggregate, targets, *base, dtypeOf(x));
  if (failed(scores))
    return failure();
  return b.convert(transformed(b, *scores, *transform), float32Dtype(b));
}

//===----------------------------------------------------------------------===//
// TreeEnsemble
//===----------------------------------------------------------------------===//

/// TreeEnsemble-5: the same as TreeEnsembleRegressor-3, with trees in another
/// form, and with nodes that test whether a feature is a member of a set.
FailureOr<Value> lowerTreeEnsemble(onnx::MlTreeEnsembleOp op,
                                   onnx::MlTreeEnsembleOp::Adaptor in,
                                   NodeBuilder &b) {
  int64_t transform = op.getPostTransform(),
          aggregate = op.getAggregateFunction();
  if (transform < 0 || transform > int64_t(PostTransform::Probit))
    return b.decline() << "expected post_transform from 0 to 4, got "
                       << transform;
  if (aggregate < 0 || aggregate > int64_t(Aggregate::Max))
    return b.decline() << "expected aggregate_function from 0 to 3, got "
                       << aggregate;
  int64_t targets = op.getNTargets().value_or(1);
  if (targets < 1)
    return b.decline() << "expected n_targets of at least 1, got " << targets;

  PlacedLists lists;
  lists.features = intsOf(op.getNodesFeatureids());
  lists.yes = intsOf(op.getNodesTruenodeids());
  lists.no = intsOf(op.getNodesFalsenodeids());
  lists.yesIsLeaf = intsOf(op.getNodesTrueleafs());
  lists.noIsLeaf = intsOf(op.getNodesFalseleafs());
  lists.missing = intsOf(op.getNodesMissingValueTracksTrue());
  lists.roots = intsOf(op.getTreeRoots());
  lists.leafTargets = intsOf(op.getLeafTargetids());
  FailureOr<SmallVector<double>> splits =
      numbersOf(b, op.getNodesSplits(), "nodes_splits");
  FailureOr<SmallVector<double>> weights =
      numbersOf(b, op.getLeafWeights(), "leaf_weights");
  FailureOr<SmallVector<double>> members =
      numbersOf(b, op.getMembershipValues(), "membership_values");
  if (failed(splits) || failed(weights) || failed(members))
    return failure();
  DenseElementsAttr modes = denseOf(op.getNodesModes());
  if (!modes || !modes.getElementType().isInteger(8))
    return b.decline() << "expected nodes_modes of bytes, got "
                       << op.getNodesModes().getType();
  for (const APInt &mode : modes.getValues<APInt>())
    lists.modes.push_back(mode.getZExtValue());
  lists.thresholds = *splits;
  lists.leafWeights = *weights;
  lists.members = *members;
  FailureOr<Forest> forest = forestOf(b, lists, targets);
  if (failed(forest))
    return failure();
  Type dtype = dtypeOf(in.getX());
  Value x = b.convert(in.getX(), wideDtype(dtypeOf(in.getX())));
  FailureOr<Value> scores =
      scoresOf(b, x, *forest, Aggregate(aggregate), targets, {}, dtypeOf(x));
  if (failed(scores))
    return failure();
  return b.convert(transformed(b, *scores, PostTransform(transform)), dtype);
}

} // namespace

void onnx_to_torch::populateMlTrees(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerTreeEnsemble);
  lowerings.add(lowerTreeEnsembleClassifier);
  lowerings.add(lowerTreeEnsembleRegressor);
}
