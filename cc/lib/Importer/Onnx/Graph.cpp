//===- Graph.cpp - The main graph, and code shared by all graphs ----------===//

#include "Graph.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Onnx/Structure.h"
#include "isthmus/Support/WeightNames.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

//===----------------------------------------------------------------------===//
// Opsets and scopes
//===----------------------------------------------------------------------===//

LogicalResult Opsets::add(ArrayRef<proto::Opset> opsets,
                          const Subject &subject) {
  for (const proto::Opset &opset : opsets) {
    StringRef domain = normalizeDomain(opset.domain);
    auto [known, isNew] = versions.try_emplace(domain, opset.version);
    if (!isNew && known->second != opset.version)
      return subject.error()
             << "expected one opset of domain '" << domain << "', got "
             << known->second << " and " << opset.version;
    // Older versions are accepted if the op has not changed since then.
    if (domain.empty() &&
        (opset.version < 1 || opset.version > getNewestOpset()))
      return subject.error() << "expected ai.onnx opset 1 to "
                             << getNewestOpset() << ", got " << opset.version;
  }
  return success();
}

std::optional<int64_t> Opsets::lookup(StringRef domain) const {
  auto found = versions.find(normalizeDomain(domain));
  if (found == versions.end())
    return std::nullopt;
  return found->second;
}

std::optional<Value> Scope::lookup(StringRef name) const {
  llvm::CachedHashStringRef hashed(name);
  for (const Scope *scope = this; scope; scope = scope->parent)
    if (auto found = scope->values.find(hashed); found != scope->values.end())
      return found->second;
  return std::nullopt;
}

Type Scope::getDeclared(StringRef name) const {
  return declared.lookup(llvm::CachedHashStringRef(name));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

GraphImporter::GraphImporter(Import &import, const proto::Model &model)
    : import(import), model(model), builder(import.context) {
  for (const proto::Function &function : model.functions)
    functions.try_emplace(
        {function.name, normalizeDomain(function.domain), function.overload},
        &function);
}

/// Whether a type contains maps, such as a list of them, the result of ZipMap.
static bool containsMaps(const proto::Type &type) {
  return type.unsupported == "map" ||
         (type.element && containsMaps(*type.element));
}

void GraphImporter::declare(ArrayRef<proto::ValueInfo> infos, Scope &scope) {
  for (const proto::ValueInfo &info : infos) {
    // The results of ZipMap are tensors here (Maps.cpp).
    if (info.type.kind == proto::Type::Unset || containsMaps(info.type))
      continue;
    if (Type type = importType(info.type, {import, "value", info.name}))
      scope.declared.try_emplace(llvm::CachedHashStringRef(info.name), type);
  }
}

void GraphImporter::define(StringRef name, Value value, Scope &scope,
                           const Subject &subject) {
  if (!name.empty() &&
      !scope.values.try_emplace(llvm::CachedHashStringRef(name), value).second)
    subject.error() << "expected '" << name
                    << "' to be defined once, got a second definition";
}

void GraphImporter::importInitializers(const proto::Graph &graph,
                                       Scope &scope) {
  auto importOne = [&](StringRef name, auto &&importValue) {
    Subject subject = {import, "initializer", name};
    ElementsAttr value = importValue(subject);
    define(name,
           value ? ConstantOp::create(
                       builder, weightLocation(name, import.location), value)
                 : Value(),
           scope, subject);
  };
  for (const proto::Tensor &tensor : graph.initializers)
    importOne(tensor.name, [&](const Subject &subject) {
      return importTensor(tensor, subject);
    });
  for (const proto::SparseTensor &tensor : graph.sparseInitializers)
    importOne(tensor.values.name, [&](const Subject &subject) {
      return importSparseTensor(tensor, subject);
    });
}

void GraphImporter::importNodes(ArrayRef<proto::Node> nodes, Scope &scope) {
  size_t outputs = 0;
  for (const proto::Node &node : nodes)
    outputs += node.outputs.size();
  scope.values.reserve(scope.values.size() + outputs);
  // Most main graphs are sorted. In a subgraph, a name may resolve to an outer
  // value until the node that defines it is found.
  if (!scope.parent)
    while (!stopped && !nodes.empty() && isReady(nodes.front(), scope)) {
      importNode(nodes.front(), scope);
      nodes = nodes.drop_front();
    }
  if (stopped || nodes.empty())
    return;
  auto sorted = sortNodes(nodes, import);
  stopped |= !sorted;
  if (!stopped)
    for (const proto::Node *node : *sorted)
      importNode(*node, scope);
}

bool GraphImporter::getOutputs(ArrayRef<proto::ValueInfo> outputs, Scope &scope,
                               SmallVectorImpl<Value> &values) {
  bool complete = true;
  for (const proto::ValueInfo &output : outputs) {
    std::optional<Value> value = scope.lookup(output.name);
    if (!value)
      Subject{import, "output", output.name}.error()
          << "expected a value of this name, got none";
    complete &= value && *value;
    if (complete)
      values.push_back(*value);
  }
  return complete;
}

//===----------------------------------------------------------------------===//
// The main graph
//===----------------------------------------------------------------------===//

/// {onnx.dim_params = "0:batch", onnx.name = "x"}
static DictionaryAttr describe(const proto::ValueInfo &info,
                               OpBuilder &builder) {
  SmallVector<NamedAttribute> attributes;
  if (std::string params = getDimParams(info.type); !params.empty())
    attributes.push_back(
        builder.getNamedAttr("onnx.dim_params", builder.getStringAttr(params)));
  attributes.push_back(
      builder.getNamedAttr("onnx.name", builder.getStringAttr(info.name)));
  return builder.getDictionaryAttr(attributes);
}

func::FuncOp GraphImporter::importMain(const proto::Graph &graph,
                                       const Frame &frame) {
  llvm::StringSet<> constants;
  for (const proto::Tensor &tensor : graph.initializers)
    constants.insert(tensor.name);
  for (const proto::SparseTensor &tensor : graph.sparseInitializers)
    constants.insert(tensor.values.name);

  auto func = func::FuncOp::create(builder, import.location, "main_graph",
                                   builder.getFunctionType({}, {}));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = func.addEntryBlock();
  builder.setInsertionPointToStart(body);
  absent = NoValueOp::create(builder, import.location, builder.getNoneType(),
                             ValueRange());

  Scope scope = {nullptr, frame};
  declare(graph.valueInfo, scope);
  declare(graph.outputs, scope);
  importInitializers(graph, scope);
  SmallVector<DictionaryAttr> argAttrs, resultAttrs;
  for (const proto::ValueInfo &input : graph.inputs) {
    if (constants.contains(input.name))
      continue;
    Subject subject = {import, "input", input.name};
    Value arg;
    if (Type type = importType(input.type, subject))
      arg = body->addArgument(
          type,
          NameLoc::get(builder.getStringAttr(input.name), import.location));
    argAttrs.push_back(describe(input, builder));
    define(input.name, arg, scope, subject);
  }
  importNodes(graph.nodes, scope);

  SmallVector<Value> results;
  if (!stopped)
    getOutputs(graph.outputs, scope, results);
  if (import.failed())
    return nullptr;
  for (const proto::ValueInfo &output : graph.outputs)
    resultAttrs.push_back(describe(output, builder));
  builder.setInsertionPointToEnd(body);
  ReturnOp::create(builder, import.location, TypeRange(), results);
  if (absent.use_empty())
    absent.getDefiningOp()->erase();
  func.setType(
      builder.getFunctionType(body->getArgumentTypes(), TypeRange(results)));
  func.setAllArgAttrs(argAttrs);
  func.setAllResultAttrs(resultAttrs);
  return func;
}

void GraphImporter::importModel(ModuleOp module) {
  Opsets opsets;
  Subject subject = {import, "graph", model.graph->name};
  if (failed(opsets.add(model.opsets, subject)) ||
      failed(checkConfigurations(subject)))
    return;
  builder.setInsertionPointToEnd(module.getBody());
  Frame frame = {opsets, "", {}, {}};
  func::FuncOp func = importMain(*model.graph, frame);
  if (!func)
    return;
  listConfigurations(module);
  builder.setInsertionPointToEnd(module.getBody());
  EntryPointOp::create(builder, import.location, TypeRange(), ValueRange(),
                       builder.getNamedAttr("func", SymbolRefAttr::get(func)));
}
