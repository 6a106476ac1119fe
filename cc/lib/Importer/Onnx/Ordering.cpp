//===- Ordering.cpp - Nodes after those they depend on --------------------===//
//
// ONNX requires sorted nodes; not every exporter complies.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

/// Calls `use` for each name that the subgraphs of `node` capture.
static void forEachCapture(const proto::Node &node,
                           llvm::function_ref<void(StringRef)> use) {
  for (const proto::Attribute &attribute : node.attributes) {
    if (!attribute.graph)
      continue;
    const proto::Graph &graph = *attribute.graph;
    llvm::StringSet<> defined;
    for (const proto::ValueInfo &input : graph.inputs)
      defined.insert(input.name);
    for (const proto::Tensor &initializer : graph.initializers)
      defined.insert(initializer.name);
    for (const proto::Node &inner : graph.nodes)
      for (StringRef output : inner.outputs)
        defined.insert(output);

    auto useIfFree = [&](StringRef name) {
      if (!defined.contains(name))
        use(name);
    };
    for (const proto::Node &inner : graph.nodes) {
      llvm::for_each(inner.inputs, useIfFree);
      forEachCapture(inner, useIfFree);
    }
    for (const proto::ValueInfo &output : graph.outputs)
      useIfFree(output.name);
  }
}

bool onnx::isReady(const proto::Node &node, const Scope &scope) {
  bool isReady = true;
  auto depend = [&](StringRef name) {
    isReady &= name.empty() || scope.lookup(name);
  };
  llvm::for_each(node.inputs, depend);
  forEachCapture(node, depend);
  return isReady;
}

std::optional<SmallVector<const proto::Node *>>
onnx::sortNodes(ArrayRef<proto::Node> nodes, Import &import) {
  llvm::DenseMap<StringRef, size_t> producers;
  for (auto [i, node] : llvm::enumerate(nodes))
    for (StringRef output : node.outputs)
      if (!output.empty())
        producers.try_emplace(output, i);

  enum State : uint8_t { New, Open, Done };
  SmallVector<State> states(nodes.size(), New);
  SmallVector<const proto::Node *> sorted;
  sorted.reserve(nodes.size());

  // Depth first, with an explicit stack: a chain may be long.
  struct Visit {
    size_t node;
    SmallVector<size_t, 4> dependencies;
  };
  SmallVector<Visit, 0> stack;
  auto open = [&](size_t i) {
    states[i] = Open;
    Visit visit = {i, {}};
    auto depend = [&](StringRef name) {
      if (auto producer = producers.find(name); producer != producers.end())
        if (states[producer->second] != Done)
          visit.dependencies.push_back(producer->second);
    };
    llvm::for_each(nodes[i].inputs, depend);
    forEachCapture(nodes[i], depend);
    std::reverse(visit.dependencies.begin(), visit.dependencies.end());
    stack.push_back(std::move(visit));
  };

  for (size_t root = 0; root < nodes.size(); ++root) {
    if (states[root] == New)
      open(root);
    while (!stack.empty()) {
      Visit &visit = stack.back();
      if (visit.dependencies.empty()) {
        states[visit.node] = Done;
        sorted.push_back(&nodes[visit.node]);
        stack.pop_back();
        continue;
      }
      size_t next = visit.dependencies.pop_back_val();
      if (states[next] == New) {
        open(next);
      } else if (states[next] == Open) {
        const proto::Node &node = nodes[next];
        Subject{import, "node", node.name, node.opType}.error()
            << "expected a graph without cycles, got one through this node";
        return std::nullopt;
      }
    }
  }
  return sorted;
}
