//===- Subgraphs.cpp - Graphs that are attributes of a node ---------------===//

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
    // Before version 9, the first operand is sequence_lens.
    llvm::append_range(
        arguments,
        llvm::map_range(llvm::drop_begin(node.operands, node.since < 9),
                        getType));
  } else if (node.op == "SequenceMap") {
    // Elements of sequences; tensors are passed to each call unchanged.
    for (Value operand : node.operands) {
      auto seq = operand ? dyn_cast<SeqType>(operand.getType()) : SeqType();
      arguments.push_back(seq ? seq.getElementType() : getType(operand));
    }
  } else if (node.op == "ai.onnx.preview.FlexAttention") {
    // The scores or probabilities [B, heads, S, T] of the softmax's dtype.
    int64_t dynamic = ShapedType::kDynamic;
    auto precision = dyn_cast_if_present<IntegerAttr>(
        node.attributes.get("softmax_precision"));
    Type dtype = Float32Type::get(context);
    if (precision)
      dtype = getElementType(precision.getSInt(), context);
    else if (auto query = dyn_cast_if_present<TensorType>(
                 node.getOperand(0) ? node.getOperand(0).getType() : Type()))
      if (query.getElementType().isF64())
        dtype = query.getElementType();
    arguments.push_back(
        RankedTensorType::get({dynamic, dynamic, dynamic, dynamic},
                              dtype ? dtype : UnknownType::get(context)));
  }
  return signature;
}

LogicalResult GraphImporter::importSubgraphs(ArrayRef<NodeAttribute> attributes,
                                             const Schema *schema, Node &node,
                                             Scope &scope,
                                             const Subject &subject) {
  SmallVector<NodeAttribute> graphs(
      llvm::make_filter_range(attributes, [](const NodeAttribute &attribute) {
        return attribute.value->kind == proto::Attribute::GraphKind;
      }));
  if (!schema) {
    for (NodeAttribute graph : graphs)
      if (failed(importSubgraph(graph, node, scope, subject)))
        return failure();
    return success();
  }
  // An op of ONNX's has a region for each graph that it may have: then before
  // else.
  SmallVector<StringRef> names;
  for (const AttributeSchema &attribute : schema->attributes)
    if (attribute.kind == AttributeKind::Graph)
      names.push_back(attribute.name);
  llvm::sort(names, std::greater<>());
  for (StringRef name : names) {
    const auto *graph = llvm::find_if(
        graphs, [&](const NodeAttribute &g) { return g.name == name; });
    if (graph == graphs.end())
      node.regions.push_back(std::make_unique<Region>());
    else if (failed(importSubgraph(*graph, node, scope, subject)))
      return failure();
  }
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
