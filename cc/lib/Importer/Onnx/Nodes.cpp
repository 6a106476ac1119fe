//===- Nodes.cpp - Nodes to ops -------------------------------------------===//

#include "Graph.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Structure.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

/// The maximum nesting depth of calls and subgraphs, taken together.
static constexpr int maxDepth = 64;

/// An op's location: the node's name, or else a name built from its op and its
/// outputs, in the model's file.
static std::string getName(const proto::Node &node, const Frame &frame) {
  if (!node.name.empty())
    return frame.prefix + node.name.str();
  StringRef output = node.outputs.empty() ? "" : node.outputs.front();
  return (frame.prefix + node.opType + "_" + output).str();
}

bool GraphImporter::getOperands(const proto::Node &node, Scope &scope,
                                const Subject &subject,
                                SmallVectorImpl<Value> &operands) {
  bool complete = true;
  for (StringRef name : node.inputs) {
    if (name.empty()) {
      operands.push_back(Value());
      continue;
    }
    std::optional<Value> value = scope.lookup(name);
    if (!value) {
      subject.error() << "expected an input named '" << name
                      << "', got a name that nothing defines";
      scope.values[llvm::CachedHashStringRef(name)] = Value();
    }
    complete &= value && *value;
    // An optional input that the function's caller omits is omitted here.
    bool given = value && *value && !isAbsent(*value);
    operands.push_back(given ? *value : Value());
  }
  return complete;
}

/// Reports an op that its opset lacks.
static LogicalResult reportUnknownOp(StringRef op, int64_t opset,
                                     const Subject &subject) {
  for (int known = 1; known <= getNewestOpset(); ++known)
    if (findSchema(op, known))
      return subject.error() << "expected ai.onnx opset " << known
                             << " or newer for this op, got " << opset;
  return subject.error() << "expected an op of ai.onnx opset " << opset
                         << ", got '" << op << "'";
}

/// Reports an op of a domain of ONNX's other than ai.onnx if the table lacks
/// the opset, or if the opset lacks the op. An op that no opset has is a custom
/// op.
static LogicalResult checkOpset(StringRef op, StringRef domain, int64_t opset,
                                const Subject &subject) {
  std::optional<int> newest = getNewestOpset(domain);
  if (!newest)
    return success();
  if (opset < 1 || opset > *newest)
    return subject.error() << "expected " << domain << " opset 1 to " << *newest
                           << ", got " << opset;
  std::string name = (domain + "." + op).str();
  for (int known = opset; known <= *newest; ++known)
    if (findSchema(name, known)) {
      if (known == opset)
        break;
      return subject.error() << "expected " << domain << " opset " << known
                             << " or newer for this op, got " << opset;
    }
  return success();
}

/// The schema of a node's op, if the op's domain is supported.
static std::optional<Schema> schemaOf(const proto::Node &node, StringRef domain,
                                      std::optional<int64_t> opset) {
  if (!opset)
    return std::nullopt;
  if (domain == microsoftDomain || getNewestOpset(domain))
    return findSchema((domain + "." + node.opType).str(), *opset);
  if (!domain.empty())
    return std::nullopt;
  // onnxruntime defines this op in ONNX's own domain, which lacks it.
  if (node.opType == "SimplifiedLayerNormalization")
    return findSchema((microsoftDomain + "." + node.opType).str(), *opset);
  return findSchema(node.opType, *opset);
}

void GraphImporter::importNode(const proto::Node &proto, Scope &scope) {
  if (stopped)
    return;
  std::string name = getName(proto, scope.frame);
  StringRef domain = normalizeDomain(proto.domain);
  std::optional<int64_t> opset = scope.frame.opsets.lookup(domain);
  std::optional<Schema> schema = schemaOf(proto, domain, opset);
  Subject subject = {import, "node", name, proto.opType,
                     schema ? schema->since : 0};
  if (failed(takeNode(proto, scope.frame, subject)))
    return;

  Node node;
  node.op = schema ? schema->name : proto.opType;
  if (!proto.name.empty())
    node.name = builder.getStringAttr(proto.name);
  bool complete = getOperands(proto, scope, subject, node.operands);
  for (StringRef output : proto.outputs)
    node.resultTypes.push_back(output.empty() ? builder.getNoneType()
                                              : scope.getDeclared(output));

  LogicalResult result = failure();
  Location loc =
      enclose(NameLoc::get(builder.getStringAttr(name), import.location),
              scope.frame.functions);
  const proto::Function *function = findFunction(proto);
  if (!complete || failed(checkShardings(proto, subject)) ||
      failed(shard(proto, proto.inputs, node.operands, loc, subject)))
    complete = false;
  if (!complete)
    result = failure();
  else if (++depth > maxDepth)
    result = subject.error() << "expected calls and subgraphs nested at most "
                             << maxDepth << " deep, got more";
  else if (function)
    result = inlineFunction(*function, proto, node, scope, subject);
  else if (opset && failed(checkOpset(proto.opType, domain, *opset, subject)))
    result = failure();
  else if (!domain.empty() && !schema)
    result = importCustom(proto, node, loc, scope, subject);
  else if (!opset)
    result = subject.error() << "expected the model to import an opset of "
                                "ai.onnx, got none";
  else if (!schema)
    result = reportUnknownOp(proto.opType, *opset, subject);
  else
    result = importBuiltin(proto, *schema, node, loc, scope, subject);
  if (complete)
    --depth;
  if (succeeded(result))
    result = shard(proto, proto.outputs, node.results, loc, subject);

  for (auto [i, output] : llvm::enumerate(proto.outputs))
    define(output,
           succeeded(result) && i < node.results.size() ? node.results[i]
                                                        : Value(),
           scope, subject);
}

//===----------------------------------------------------------------------===//
// Ops with a schema
//===----------------------------------------------------------------------===//

/// Checks the names of a node's inputs, or outputs, against its schema. An
/// output may be unnamed: then it has no users.
static LogicalResult checkNames(StringRef kind, ArrayRef<Parameter> parameters,
                                ArrayRef<StringRef> names, bool mayBeUnnamed,
                                const Subject &subject) {
  bool variadic =
      !parameters.empty() && parameters.back().option == Option::Variadic;
  size_t fixed = parameters.size() - variadic;
  if (!variadic && names.size() > fixed)
    return subject.error() << "expected at most " << fixed << ' ' << kind
                           << "s, got " << names.size();
  if (variadic && names.size() < fixed + parameters.back().minArity)
    return subject.error() << "expected at least "
                           << fixed + parameters.back().minArity << ' ' << kind
                           << "s, got " << names.size();
  for (auto [i, parameter] : llvm::enumerate(parameters.take_front(fixed))) {
    bool given = i < names.size() && (mayBeUnnamed || !names[i].empty());
    if (parameter.option == Option::Single && !given)
      return subject.error()
             << "expected " << kind << " '" << parameter.name << "', got none";
  }
  return success();
}

/// AttributeProto's kind of an attribute that a schema declares.
static int64_t getProtoKind(AttributeKind kind) {
  using Proto = proto::Attribute;
  switch (kind) {
  case AttributeKind::Float:
    return Proto::Float;
  case AttributeKind::Int:
    return Proto::Int;
  case AttributeKind::String:
    return Proto::String;
  case AttributeKind::Tensor:
    return Proto::TensorKind;
  case AttributeKind::Graph:
    return Proto::GraphKind;
  case AttributeKind::Floats:
    return Proto::Floats;
  case AttributeKind::Ints:
    return Proto::Ints;
  case AttributeKind::Strings:
    return Proto::Strings;
  case AttributeKind::SparseTensor:
    return Proto::SparseTensorKind;
  case AttributeKind::TypeProto:
    return Proto::TypeProto;
  }
  llvm_unreachable("all kinds are handled");
}

SmallVector<NodeAttribute>
GraphImporter::getAttributes(const proto::Node &node,
                             const Frame &frame) const {
  SmallVector<NodeAttribute> attributes;
  for (const proto::Attribute &attribute : node.attributes) {
    if (attribute.refName.empty())
      attributes.push_back({attribute.name, &attribute, /*isBound=*/false});
    else if (const auto *bound = frame.attributes.lookup(attribute.refName))
      attributes.push_back({attribute.name, bound, /*isBound=*/true});
  }
  return attributes;
}

/// The names of a node's inputs, empty for omitted ones.
static SmallVector<StringRef> given(const proto::Node &proto,
                                    const Node &node) {
  SmallVector<StringRef> names(proto.inputs.begin(), proto.inputs.end());
  for (auto [name, operand] : llvm::zip_equal(names, node.operands))
    if (!operand)
      name = "";
  return names;
}

/// Checks that a node's attributes are unique and of the kinds that its schema
/// declares.
static LogicalResult checkAttributes(ArrayRef<NodeAttribute> attributes,
                                     const Schema &schema,
                                     const Subject &subject) {
  llvm::SmallDenseSet<StringRef> names;
  for (NodeAttribute attribute : attributes) {
    const AttributeSchema *expected = schema.findAttribute(attribute.name);
    if (!expected)
      return subject.error() << "expected an attribute of this op, got '"
                             << attribute.name << "'";
    int64_t kind = getProtoKind(expected->kind);
    if (attribute.value->kind != kind)
      return subject.error()
             << "attribute '" << attribute.name << "': expected "
             << getAttributeKindName(kind) << ", got "
             << getAttributeKindName(attribute.value->kind);
    if (!names.insert(attribute.name).second)
      return subject.error() << "attribute '" << attribute.name
                             << "': expected one value, got two";
  }
  for (const AttributeSchema &expected : schema.attributes)
    if (expected.required && !names.contains(expected.name))
      return subject.error()
             << "expected attribute '" << expected.name << "', got none";
  return success();
}

LogicalResult GraphImporter::importBuiltin(const proto::Node &proto,
                                           const Schema &schema, Node &node,
                                           Location loc, Scope &scope,
                                           const Subject &subject) {
  auto attributes = getAttributes(proto, scope.frame);
  if (failed(checkNames("input", schema.inputs, given(proto, node), false,
                        subject)) ||
      failed(
          checkNames("output", schema.outputs, proto.outputs, true, subject)) ||
      failed(checkAttributes(attributes, schema, subject)))
    return failure();
  if (node.op == "Constant")
    return importConstant(attributes, node, loc, subject);

  // An op withdrawn in a version still has the form of the version before.
  node.since = schema.deprecated ? schema.since - 1 : schema.since;
  for (NodeAttribute attribute : attributes) {
    if (attribute.value->kind == proto::Attribute::GraphKind)
      continue;
    bool isDtype = attribute.name == "to" &&
                   (node.op == "Cast" || node.op == "BitCast") &&
                   attribute.value->kind == proto::Attribute::Int;
    Attribute imported = importAttribute(*attribute.value, isDtype, subject);
    if (!imported)
      return failure();
    node.attributes.append(attribute.name, imported);
  }

  NodeBuilder b(builder, loc, absent, subject);
  if (failed(importSubgraphs(attributes, &schema, node, scope, subject)) ||
      failed(replaceMaps(node, b)) || failed(upgradeNode(node, b)))
    return failure();
  return node.results.empty() ? b.create(node) : success();
}

/// Constant, in all its forms, has its value as a tensor.
LogicalResult GraphImporter::importConstant(ArrayRef<NodeAttribute> attributes,
                                            Node &node, Location loc,
                                            const Subject &subject) {
  if (attributes.size() != 1)
    return subject.error() << "expected one value, got " << attributes.size();
  const proto::Attribute *attribute = attributes.front().value;
  Attribute imported = importAttribute(*attribute, false, subject);
  if (!imported)
    return failure();

  ElementsAttr value =
      ConstantOp::toElements(attributes.front().name, imported);
  node.results.push_back(ConstantOp::create(builder, loc, value));
  return success();
}

//===----------------------------------------------------------------------===//
// Ops of other domains
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importCustom(const proto::Node &proto, Node &node,
                                          Location loc, Scope &scope,
                                          const Subject &subject) {
  NamedAttrList attributes;
  auto given = getAttributes(proto, scope.frame);
  SmallVector<StringRef> graphNames;
  for (NodeAttribute attribute : given) {
    if (attribute.value->kind == proto::Attribute::GraphKind) {
      graphNames.push_back(attribute.name);
      continue;
    }
    Attribute imported = importAttribute(*attribute.value, false, subject);
    if (!imported)
      return failure();
    attributes.set(attribute.name, imported);
  }
  for (StringRef own : {"domain_name", "function_name", "graph_names"})
    if (attributes.get(own))
      return subject.error() << "expected no attribute '" << own
                             << "', which names the op itself";
  if (!graphNames.empty())
    attributes.set("graph_names", builder.getStrArrayAttr(graphNames));
  attributes.set("domain_name", builder.getStringAttr(proto.domain));
  attributes.set("function_name", builder.getStringAttr(proto.opType));

  for (Value &operand : node.operands)
    operand = operand ? operand : absent;
  Type unknown = UnrankedTensorType::get(UnknownType::get(import.context));
  for (Type &type : node.resultTypes)
    type = type ? type : unknown;
  if (failed(importSubgraphs(given, nullptr, node, scope, subject)))
    return failure();
  OperationState state(loc, CustomOp::getOperationName(), node.operands,
                       node.resultTypes, attributes.getAttrs());
  for (std::unique_ptr<Region> &region : node.regions)
    state.addRegion(std::move(region));
  Operation *op = builder.create(state);
  node.noteName(op);
  node.results.assign(op->result_begin(), op->result_end());
  return success();
}
