//===- Forest.cpp - Decision trees, read from a node's attributes ---------===//

#include "Forest.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

constexpr int64_t none = std::numeric_limits<int64_t>::max();

/// Whether DenseMap keeps an id to itself.
bool isReserved(int64_t id) {
  return id == std::numeric_limits<int64_t>::max() ||
         id == std::numeric_limits<int64_t>::min();
}

/// Builds a Forest of nodes that are found from the roots on.
class ForestBuilder {
public:
  Forest forest;

  /// Adds a split and returns its number; its children are set later. Negated
  /// modes swap them: x >= t is not x < t, unless x is NaN or t is.
  int64_t add(NodeMode mode, int64_t feature, double threshold, bool missing) {
    TreeSplit split{mode, feature, threshold, missing};
    bool isSwapped = false;
    switch (mode) {
    case NodeMode::Gte:
    case NodeMode::Gt:
      // A comparison with NaN is false both ways.
      isSwapped = !std::isnan(threshold);
      split.mode =
          isSwapped && mode == NodeMode::Gte ? NodeMode::Lt : NodeMode::Leq;
      split.missingIsTrue = isSwapped ? !missing : missing;
      break;
    case NodeMode::Neq:
      // NaN differs from any number, so it is true already.
      isSwapped = true;
      split.mode = NodeMode::Eq;
      split.missingIsTrue = false;
      break;
    default:
      break;
    }
    swapped.push_back(isSwapped);
    forest.mostFeature = std::max(forest.mostFeature, feature);
    forest.splits.push_back(split);
    return forest.splits.size() - 1;
  }

  void connect(int64_t split, int64_t yes, int64_t no) {
    if (swapped[split])
      std::swap(yes, no);
    forest.splits[split].yes = yes;
    forest.splits[split].no = no;
  }

  /// Whether the children of a split are those of the opposite mode.
  bool isSwapped(int64_t split) const { return swapped[split]; }

  int64_t addLeaf(int64_t tree) {
    forest.treeOfLeaf.push_back(tree);
    return ~int64_t(forest.treeOfLeaf.size() - 1);
  }

private:
  std::vector<bool> swapped;
};

/// Declines the node unless a list has as many elements as there are nodes.
LogicalResult checkLength(NodeBuilder &b, size_t length, size_t expected,
                          StringRef name) {
  if (length == expected)
    return success();
  return b.decline() << "expected " << expected << " elements in " << name
                     << ", got " << length;
}

LogicalResult checkFeature(NodeBuilder &b, int64_t feature) {
  // The ids become a table of 32 bits.
  if (feature >= 0 && feature <= std::numeric_limits<int32_t>::max())
    return success();
  return b.decline() << "expected feature ids of at least 0, got " << feature;
}

LogicalResult checkTarget(NodeBuilder &b, int64_t target, int64_t targets) {
  if (target >= 0 && target < targets)
    return success();
  return b.decline() << "expected ids of targets or classes from 0 to "
                     << targets - 1 << ", got " << target;
}

std::optional<NodeMode> modeOf(StringRef name) {
  return llvm::StringSwitch<std::optional<NodeMode>>(name)
      .Case("BRANCH_LEQ", NodeMode::Leq)
      .Case("BRANCH_LT", NodeMode::Lt)
      .Case("BRANCH_GTE", NodeMode::Gte)
      .Case("BRANCH_GT", NodeMode::Gt)
      .Case("BRANCH_EQ", NodeMode::Eq)
      .Case("BRANCH_NEQ", NodeMode::Neq)
      .Case("LEAF", NodeMode::Leaf)
      .Default(std::nullopt);
}

/// A node or leaf that is still to be visited.
struct Visit {
  int64_t place;
  bool isLeaf;
  int64_t depth;
  int64_t parent; // a node; none for a root
  bool isYes;     // which child of its parent it is
};

} // namespace

FailureOr<Forest> onnx_to_torch::forestOf(NodeBuilder &b,
                                          const NodeLists &lists,
                                          int64_t targets) {
  size_t count = lists.ids.size();
  if (count == 0)
    return b.decline() << "expected trees, got no nodes";
  size_t modes = lists.modes ? lists.modes->size() : 0;
  if (failed(checkLength(b, lists.trees.size(), count, "nodes_treeids")) ||
      failed(
          checkLength(b, lists.features.size(), count, "nodes_featureids")) ||
      failed(checkLength(b, modes, count, "nodes_modes")) ||
      failed(checkLength(b, lists.thresholds.size(), count, "nodes_values")) ||
      failed(checkLength(b, lists.yes.size(), count, "nodes_truenodeids")) ||
      failed(checkLength(b, lists.no.size(), count, "nodes_falsenodeids")) ||
      (!lists.missing.empty() &&
       failed(checkLength(b, lists.missing.size(), count,
                          "nodes_missing_value_tracks_true"))))
    return failure();
  size_t votes = lists.voteIds.size();
  if (failed(checkLength(b, lists.voteTrees.size(), votes,
                         "the tree ids of the weights")) ||
      failed(checkLength(b, lists.voteTargets.size(), votes,
                         "the targets of the weights")) ||
      failed(checkLength(b, lists.voteWeights.size(), votes, "the weights")))
    return failure();

  // A tree's root is the first of its nodes.
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> places;
  llvm::DenseMap<int64_t, int64_t> treeNumbers;
  SmallVector<int64_t> roots;
  std::vector<NodeMode> modeAt;
  for (size_t i = 0; i < count; ++i) {
    for (int64_t id : {lists.trees[i], lists.ids[i]})
      if (isReserved(id))
        return b.decline() << "expected smaller ids of trees and nodes, got "
                           << id;
    if (!places.try_emplace({lists.trees[i], lists.ids[i]}, i).second)
      return b.decline() << "expected each node once, got node " << lists.ids[i]
                         << " of tree " << lists.trees[i] << " twice";
    if (treeNumbers.try_emplace(lists.trees[i], roots.size()).second)
      roots.push_back(i);
    auto name = dyn_cast<StringAttr>((*lists.modes)[i]);
    std::optional<NodeMode> mode = name ? modeOf(name) : std::nullopt;
    if (!mode)
      return b.decline() << "expected a node's mode to be BRANCH_LEQ, "
                            "BRANCH_LT, BRANCH_GTE, BRANCH_GT, BRANCH_EQ, "
                            "BRANCH_NEQ or LEAF, got "
                         << (name ? name.getValue() : "no string");
    modeAt.push_back(*mode);
  }

  auto find = [&](int64_t tree, int64_t id) {
    if (isReserved(tree) || isReserved(id))
      return none;
    auto place = places.find({tree, id});
    return place == places.end() ? none : place->second;
  };

  // Visits each tree from its root on; `numbers` has the split or ~leaf of each
  // node that was visited.
  ForestBuilder builder;
  std::vector<int64_t> numbers(count, none);
  std::vector<int64_t> order;
  SmallVector<std::pair<int64_t, int64_t>> visits; // place, depth
  for (auto [tree, root] : llvm::enumerate(roots)) {
    visits.push_back({root, 0});
    while (!visits.empty()) {
      auto [place, depth] = visits.pop_back_val();
      if (numbers[place] != none)
        return b.decline() << "expected trees, in which a node has one parent, "
                              "got several for node "
                           << lists.ids[place] << " of tree "
                           << lists.trees[place];
      if (modeAt[place] == NodeMode::Leaf) {
        numbers[place] = builder.addLeaf(tree);
        builder.forest.depth = std::max(builder.forest.depth, depth);
        continue;
      }
      if (failed(checkFeature(b, lists.features[place])))
        return failure();
      numbers[place] = builder.add(
          modeAt[place], lists.features[place], lists.thresholds[place],
          !lists.missing.empty() && lists.missing[place]);
      order.push_back(place);
      for (int64_t id : {lists.no[place], lists.yes[place]}) {
        int64_t child = find(lists.trees[place], id);
        if (child == none)
          return b.decline()
                 << "expected a child of node " << lists.ids[place]
                 << " in its tree, " << lists.trees[place] << ", got id " << id;
        visits.push_back({child, depth + 1});
      }
    }
    builder.forest.roots.push_back(numbers[root]);
  }
  for (int64_t place : order) {
    auto at = [&](int64_t id) { return numbers[find(lists.trees[place], id)]; };
    builder.connect(numbers[place], at(lists.yes[place]), at(lists.no[place]));
  }

  for (size_t i = 0; i < votes; ++i) {
    int64_t place = find(lists.voteTrees[i], lists.voteIds[i]);
    if (place == none)
      return b.decline() << "expected a weight of a node, got one of node "
                         << lists.voteIds[i] << " of tree "
                         << lists.voteTrees[i] << ", which is not there";
    if (failed(checkTarget(b, lists.voteTargets[i], targets)))
      return failure();
    // Weights of other nodes have no effect.
    int64_t number = numbers[place];
    if (number < 0)
      builder.forest.votes.push_back(
          {~number, lists.voteTargets[i], lists.voteWeights[i]});
  }
  return std::move(builder.forest);
}

FailureOr<Forest> onnx_to_torch::forestOf(NodeBuilder &b,
                                          const PlacedLists &lists,
                                          int64_t targets) {
  int64_t count = lists.features.size(), leaves = lists.leafTargets.size();
  if (failed(checkLength(b, lists.modes.size(), count, "nodes_modes")) ||
      failed(checkLength(b, lists.thresholds.size(), count, "nodes_splits")) ||
      failed(checkLength(b, lists.yes.size(), count, "nodes_truenodeids")) ||
      failed(checkLength(b, lists.no.size(), count, "nodes_falsenodeids")) ||
      failed(
          checkLength(b, lists.yesIsLeaf.size(), count, "nodes_trueleafs")) ||
      failed(
          checkLength(b, lists.noIsLeaf.size(), count, "nodes_falseleafs")) ||
      failed(
          checkLength(b, lists.leafWeights.size(), leaves, "leaf_weights")) ||
      (!lists.missing.empty() &&
       failed(checkLength(b, lists.missing.size(), count,
                          "nodes_missing_value_tracks_true"))))
    return failure();
  if (lists.roots.empty())
    return b.decline() << "expected trees, got no roots";
  for (int64_t target : lists.leafTargets)
    if (failed(checkTarget(b, target, targets)))
      return failure();

  // The members that each set has, in the order of the nodes.
  std::vector<ArrayRef<double>> sets(count);
  ArrayRef<double> members = lists.members;
  for (int64_t i = 0; i < count; ++i) {
    if (lists.modes[i] < 0 || lists.modes[i] > int64_t(NodeMode::Member))
      return b.decline() << "expected a node's mode from 0 to 6, got "
                         << lists.modes[i];
    if (NodeMode(lists.modes[i]) != NodeMode::Member)
      continue;
    const double *end = llvm::find_if(
        members, [](double member) { return std::isnan(member); });
    if (end == members.end())
      return b.decline() << "expected a NaN in membership_values after the set "
                            "of each node of mode BRANCH_MEMBER, got fewer";
    sets[i] = members.take_front(end - members.begin());
    members = members.drop_front(sets[i].size() + 1);
  }

  ForestBuilder builder;
  std::vector<bool> seen(count, false);
  // The ends of the chain of splits that a node becomes.
  struct Chain {
    int64_t first, last;
  };
  std::vector<Chain> chains(count);
  SmallVector<Visit> visits;
  auto connectTo = [&](const Visit &visit, int64_t number) {
    if (visit.parent == none)
      return builder.forest.roots.push_back(number);
    Chain chain = chains[visit.parent];
    for (int64_t split = chain.first; split <= chain.last; ++split) {
      TreeSplit &made = builder.forest.splits[split];
      if (visit.isYes)
        made.yes = number;
      else if (split == chain.last)
        made.no = number;
    }
  };
  for (auto [tree, root] : llvm::enumerate(lists.roots)) {
    if (root < 0 || root >= count)
      return b.decline() << "expected roots from 0 to " << count - 1 << ", got "
                         << root;
    // A tree of one leaf is a node whose children are the same leaf.
    bool isLeaf = lists.yesIsLeaf[root] && lists.noIsLeaf[root] &&
                  lists.yes[root] == lists.no[root];
    visits.push_back({isLeaf ? lists.yes[root] : root, isLeaf, 0, none, false});
    while (!visits.empty()) {
      Visit visit = visits.pop_back_val();
      int64_t place = visit.place, limit = visit.isLeaf ? leaves : count;
      if (place < 0 || place >= limit)
        return b.decline() << "expected ids of "
                           << (visit.isLeaf ? "leaves" : "nodes")
                           << " from 0 to " << limit - 1 << ", got " << place;
      if (visit.isLeaf) {
        // Several nodes may share a leaf.
        int64_t number = builder.addLeaf(tree);
        builder.forest.votes.push_back(
            {~number, lists.leafTargets[place], lists.leafWeights[place]});
        builder.forest.depth = std::max(builder.forest.depth, visit.depth);
        connectTo(visit, number);
        continue;
      }
      if (seen[place])
        return b.decline() << "expected trees, in which a node has one parent, "
                              "got several for node "
                           << place;
      seen[place] = true;
      if (failed(checkFeature(b, lists.features[place])))
        return failure();
      bool missing = !lists.missing.empty() && lists.missing[place];
      NodeMode mode = NodeMode(lists.modes[place]);
      // Membership is a chain: x equals the first member, or else the second.
      ArrayRef<double> set = sets[place];
      double empty = std::numeric_limits<double>::quiet_NaN();
      if (mode != NodeMode::Member)
        set = lists.thresholds[place];
      else if (set.empty())
        set = empty; // equal to nothing
      NodeMode each = mode == NodeMode::Member ? NodeMode::Eq : mode;
      Chain chain = {int64_t(builder.forest.splits.size()), 0};
      for (double threshold : set) {
        chain.last =
            builder.add(each, lists.features[place], threshold, missing);
        builder.forest.splits.back().no = chain.last + 1;
      }
      chains[place] = chain;
      connectTo(visit, chain.first);
      int64_t below = visit.depth + set.size();
      bool isSwapped = builder.isSwapped(chain.first);
      visits.push_back({lists.no[place], bool(lists.noIsLeaf[place]), below,
                        place, isSwapped});
      visits.push_back({lists.yes[place], bool(lists.yesIsLeaf[place]), below,
                        place, !isSwapped});
    }
  }
  return std::move(builder.forest);
}
