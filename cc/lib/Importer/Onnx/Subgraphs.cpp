//===- Subgraphs.cpp - Graphs of If, Loop, Scan and SequenceMap -----------===//

#include "Graph.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Structure.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

/// The requirements of an op of ai.onnx on its subgraph.
namespace {
struct Signature {
  /// Types of the arguments, as far as the op's operands determine them.
  SmallVector<Type> arguments;
  size_t numOutputs;
};
} // namespace

static Signature getSignature(const Node &node, MLIRContext *context) {
  auto scalarOf = [&](int32_t dataType) {
    return RankedTensorType::get({}, getElementType(dataType, context));
  };
  Type unknown = UnrankedTensorType::get(UnknownType::get(context));
  auto getType = [&](Value operand) {
    return operand ? getShapeless(operand.getType()) : unknown;
  };
  Signature signature = {{}, node.resultTypes.size()};
  SmallVectorImpl<Type> &arguments = signature.arguments;
  if (node.op == "Loop") {
    // The iteration and the condition, then the loop-carried values; the body's
    // first output is the condition to continue.
    arguments.append({scalarOf(7), scalarOf(9)});
    for (Value operand : llvm::drop_begin(node.operands, 2))
      arguments.push_back(getType(operand));
    ++signature.numOutputs;
  } else if (node.op == "Scan") {
    llvm::append_range(arguments, llvm::map_range(node.operands, getType));
  } else if (node.op == "SequenceMap") {
    // Elements of sequences; tensors are passed to each call unchanged.
    for (Value operand : node.operands) {
      auto seq = operand ? dyn_cast<SeqType>(operand.getType()) : SeqType();
      arguments.push_back(seq ? seq.getElementType() : getType(operand));
    }
  }
  return signature;
}

LogicalResult GraphImporter::importSubgraphs(ArrayRef<NodeAttribute> attributes,
                                             Node &node, Scope &scope,
                                             const Subject &subject) {
  SmallVector<NodeAttribute> graphs(
      llvm::make_filter_range(attributes, [](const NodeAttribute &attribute) {
        return attribute.value->kind == proto::Attribute::GraphKind;
      }));
  // An ai.onnx op has its regions in reading order: then before else.
  if (node.op == "If")
    llvm::sort(graphs, [](const NodeAttribute &a, const NodeAttribute &b) {
      return a.name > b.name;
    });
  for (NodeAttribute graph : graphs)
    if (failed(importSubgraph(graph, node, scope, subject)))
      return failure();
  return success();
}

LogicalResult GraphImporter::importSubgraph(NodeAttribute attribute, Node &node,
                                            Scope &outer,
                                            const Subject &subject) {
  // Names in a graph passed by a call would belong to the caller's scope.
  if (attribute.isBound || !attribute.value->graph)
    return subject.error() << "attribute '" << attribute.name
                           << "': expected a graph in the node itself, got "
                           << (attribute.isBound ? "a reference" : "none");
  const proto::Graph &graph = *attribute.value->graph;
  // Nothing is known about the graphs of ops of other domains.
  Signature signature = {SmallVector<Type>(graph.inputs.size()),
                         graph.outputs.size()};
  if (subject.since)
    signature = getSignature(node, import.context);
  auto expect = [&](StringRef what, size_t expected,
                    size_t got) -> LogicalResult {
    if (expected == got)
      return success();
    return subject.error() << "expected " << expected << ' ' << what << " of '"
                           << attribute.name << "', got " << got;
  };
  if (failed(
          expect("inputs", signature.arguments.size(), graph.inputs.size())) ||
      failed(expect("outputs", signature.numOutputs, graph.outputs.size())))
    return failure();

  if (!outer.frame.functions.empty() &&
      failed(takeEntries(graph.initializers.size() +
                             graph.sparseInitializers.size() +
                             graph.inputs.size() + graph.valueInfo.size(),
                         subject)))
    return failure();
  OpBuilder::InsertionGuard guard(builder);
  Region &region = *node.regions.emplace_back(std::make_unique<Region>());
  Block *body = builder.createBlock(&region);
  Scope scope = {&outer, outer.frame};
  declare(graph.valueInfo, scope);
  declare(graph.outputs, scope);
  for (auto [input, known] :
       llvm::zip_equal(graph.inputs, signature.arguments)) {
    Subject about = {import, "input", input.name};
    Type declared;
    if (!known || input.type.kind != proto::Type::Unset) {
      declared = importType(input.type, about);
      if (!declared)
        return failure();
    }
    Value arg = body->addArgument(
        mergeTypes(declared, known),
        NameLoc::get(builder.getStringAttr(input.name), import.location));
    define(input.name, arg, scope, about);
  }
  importInitializers(graph, scope);
  importNodes(graph.nodes, scope);
  SmallVector<Value> outputs;
  if (stopped || !getOutputs(graph.outputs, scope, outputs))
    return failure();
  YieldOp::create(builder, import.location, TypeRange(), outputs);
  return success();
}
