//===- Functions.cpp - Calls of the model's own functions, inlined --------===//

#include "Graph.h"
#include "isthmus/Dialect/Onnx/Onnx.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

const proto::Function *
GraphImporter::findFunction(const proto::Node &node) const {
  const auto *found =
      llvm::find_if(model.functions, [&](const proto::Function &function) {
        return function.name == node.opType &&
               function.overload == node.overload &&
               normalizeDomain(function.domain) == normalizeDomain(node.domain);
      });
  return found == model.functions.end() ? nullptr : found;
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
  // Nodes may share a name.
  std::string instance = subject.name.str();
  if (int earlier = calls[instance]++)
    instance += "@" + std::to_string(earlier);
  return {builder.getStringAttr((domain.empty() ? "onnx" : domain) + "." +
                                node.opType),
          builder.getStringAttr(instance),
          attributes.getDictionary(import.context)};
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

  // A function may import opsets of its own, else those of the model hold.
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

  Scope body = {nullptr, frame};
  declare(function.valueInfo, body);
  for (auto [i, name] : llvm::enumerate(function.inputs)) {
    Value operand = node.getOperand(i);
    define(name, operand ? operand : absent, body, subject);
  }
  // What the caller declares of its outputs holds inside, too.
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
