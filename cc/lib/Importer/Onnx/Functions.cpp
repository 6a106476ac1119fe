//===- Functions.cpp - Calls of the model's own functions, inlined --------===//

#include "Graph.h"
#include "isthmus/Dialect/Onnx/Onnx.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

/// The purpose of the copies of a function's nodes, for messages.
static constexpr StringLiteral kForCalls = "calls of functions";

const proto::Function *
GraphImporter::findFunction(const proto::Node &node) const {
  return functions.lookup(
      {node.opType, normalizeDomain(node.domain), node.overload});
}

Enclosing GraphImporter::getEnclosing(const proto::Node &node,
                                      const Frame &frame,
                                      const Subject &subject) {
  StringRef domain = normalizeDomain(node.domain);
  NamedAttrList attributes;
  for (const auto &[name, value] : frame.attributes)
    if (value->kind != proto::Attribute::GraphKind)
      if (Attribute imported = importAttribute(*value, false, subject))
        attributes.set(name, imported);
  // Nodes may share a name. Each name is kept twice.
  if (failed(
          import.budget.takeBytes(2 * subject.name.size(), kForCalls, subject)))
    stopped = true;
  std::string instance = subject.name.str();
  if (int earlier = calls[instance]++)
    instance += "@" + std::to_string(earlier);
  return {builder.getStringAttr((domain.empty() ? "onnx" : domain) + "." +
                                node.opType),
          builder.getStringAttr(instance),
          attributes.getDictionary(import.context)};
}

LogicalResult GraphImporter::takeEntries(size_t count, const Subject &subject) {
  constexpr int64_t bytesEach = 64; // of a name, its meaning, its type
  LogicalResult taken =
      import.budget.takeBytes(count * bytesEach, kForCalls, subject);
  stopped |= failed(taken);
  return taken;
}

LogicalResult GraphImporter::takeNode(const proto::Node &node,
                                      const Frame &frame,
                                      const Subject &subject) {
  LogicalResult taken = import.budget.takeNode(subject);
  bool isCopy = !frame.functions.empty();
  if (succeeded(taken) && isCopy)
    taken = import.budget.takeBytes(subject.name.size(), kForCalls, subject);
  stopped |= failed(taken);
  if (stopped || !isCopy)
    return taken;
  return takeEntries(node.inputs.size() + node.outputs.size() +
                         node.attributes.size(),
                     subject);
}

LogicalResult GraphImporter::inlineFunction(const proto::Function &function,
                                            const proto::Node &proto,
                                            Node &node, Scope &scope,
                                            const Subject &subject) {
  if (proto.inputs.size() > function.inputs.size() ||
      proto.outputs.size() > function.outputs.size())
    return subject.error() << "expected at most " << function.inputs.size()
                           << " inputs and " << function.outputs.size()
                           << " outputs, got " << proto.inputs.size() << " and "
                           << proto.outputs.size();

  // The number of entries that each call reads again.
  size_t entries = function.inputs.size() + function.outputs.size() +
                   function.defaults.size() + function.opsets.size() +
                   function.valueInfo.size();
  if (failed(takeEntries(entries, subject)))
    return failure();

  // A function may import opsets of its own; otherwise the model's apply.
  Opsets own;
  if (failed(own.add(function.opsets, subject)))
    return failure();
  Frame frame = {function.opsets.empty() ? scope.frame.opsets : own,
                 subject.name.str() + "/",
                 {},
                 scope.frame.functions};
  for (const proto::Attribute &attribute : function.defaults)
    frame.attributes[attribute.name] = &attribute;
  for (NodeAttribute attribute : getAttributes(proto, scope.frame))
    frame.attributes[attribute.name] = attribute.value;
  frame.functions.push_back(getEnclosing(proto, frame, subject));
  if (stopped)
    return failure();

  Scope body = {nullptr, frame};
  declare(function.valueInfo, body);
  for (auto [i, name] : llvm::enumerate(function.inputs)) {
    Value operand = node.getOperand(i);
    define(name, operand ? operand : absent, body, subject);
  }
  // The types that the caller declares for its outputs also hold inside.
  for (auto [name, type] : llvm::zip(function.outputs, node.resultTypes))
    if (type && !isa<NoneType>(type))
      body.declared.try_emplace(llvm::CachedHashStringRef(name), type);
  importNodes(function.nodes, body);
  if (stopped)
    return failure();

  for (StringRef name :
       ArrayRef(function.outputs).take_front(proto.outputs.size())) {
    std::optional<Value> value = body.lookup(name);
    if (!value)
      return subject.error() << "expected the function to define its output '"
                             << name << "', got nothing of this name";
    node.results.push_back(*value);
  }
  return success();
}
