//===- Graph.cpp - Builds the nodes of a graph ----------------------------===//

#include "Graph.h"
#include "isthmus/Support/Enclosing.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

void GraphImporter::define(StringRef name, Values::Id id,
                           const Subject &subject) {
  if (!scope.try_emplace(name, id).second)
    subject.error() << "expected a new name for a value, got '" << name
                    << "' again";
}

std::optional<Values::Id> GraphImporter::find(StringRef name,
                                              const Subject &subject) {
  auto found = scope.find(name);
  if (found == scope.end()) {
    subject.error() << "expected a value named '" << name
                    << "', got a name that nothing defines";
    return std::nullopt;
  }
  if (!values.isUnclear(found->second))
    return found->second;
  reportUnclear(name, subject);
  return std::nullopt;
}

void GraphImporter::reportUnclear(StringRef name, const Subject &subject) {
  subject.error() << "expected to know what '" << name
                  << "' holds, but it perhaps shares its memory with what was "
                     "written to: export the program with run_decompositions()";
}

void GraphImporter::giveUp(const schema::Node &node) {
  auto poison = [&](const schema::Argument &output) {
    if (output.kind == Kind::Tensor || output.kind == Kind::Symbol)
      scope.try_emplace(output.text, values.add(Value()));
  };
  for (const schema::Argument &output : node.outputs) {
    poison(output);
    llvm::for_each(output.elements, poison);
  }
}

void GraphImporter::importNodes() {
  for (const schema::Node &node : graph.nodes)
    importNode(node);
}

/// The name of a node. Old files lack it: then the name of its output.
static StringRef getName(const schema::Node &node) {
  if (!node.name.empty())
    return node.name;
  for (const schema::Argument &output : node.outputs) {
    if (!output.text.empty())
      return output.text;
    if (!output.elements.empty())
      return output.elements.front().text;
  }
  return node.target;
}

/// The modules that contain a node: "L__self___norm@1,norm,torch.nn.LayerNorm"
/// is the second call of the module `norm`. The whole model is the first, with
/// an empty path.
static SmallVector<Enclosing> getModules(StringRef text, Builder &builder) {
  SmallVector<Enclosing> modules;
  for (StringRef module : llvm::split(text, ';')) {
    auto [key, rest] = module.split(',');
    auto [path, name] = rest.split(',');
    size_t call = key.find('@');
    if (name.empty())
      continue;
    modules.push_back(
        {builder.getStringAttr(name),
         builder.getStringAttr(
             path + (call == StringRef::npos ? "" : key.drop_front(call))),
         builder.getDictionaryAttr({})});
  }
  return modules;
}

Location GraphImporter::getLocation(const schema::Node &node) {
  return enclose(
      NameLoc::get(builder.getStringAttr(getName(node)), import.location),
      getModules(node.modules, builder));
}

void GraphImporter::importNode(const schema::Node &node) {
  Subject subject(import, "node", getName(node), getOp(node.target));
  if (!import.isStopped)
    import.isStopped = failed(import.budget.takeNode(subject));
  if (import.isStopped)
    return giveUp(node);
  NodeContext context = {node, subject,
                         TorchBuilder(builder, getLocation(node))};
  LogicalResult result = importTarget(context);
  if (succeeded(result) && !context.builder.error().empty())
    result = context.subject.fail(context.builder.error());
  if (failed(result))
    giveUp(node);
}

LogicalResult GraphImporter::importTarget(NodeContext &context) {
  StringRef target = context.node.target;
  if (target.consume_front("torch.ops.higher_order."))
    return importHigherOrder(context, target);
  if (target.starts_with("torch.ops."))
    return importOperator(context, getOp(target));
  if (target.starts_with("torch._functorch."))
    return context.subject.fail("expected a program without torch.vmap: export "
                                "it with run_decompositions()");
  for (StringRef module : {"_operator.", "builtins.", "math.", "torch."})
    if (target.consume_front(module))
      return importSymbolic(context, target);
  return context.subject.fail("expected a call of an operator, got one of '" +
                              target + "'");
}

Type GraphImporter::getDeclaredType(const schema::Argument &argument,
                                    const Subject &subject) {
  MLIRContext *context = import.context;
  StringRef name = argument.text;
  switch (argument.kind) {
  case Kind::Tensor:
    if (auto found = graph.tensors.find(name); found != graph.tensors.end())
      return importTensorType(found->second, subject);
    subject.error() << "expected tensor_values to describe '" << name
                    << "', got nothing";
    return nullptr;
  case Kind::Symbol:
    if (graph.symInts.contains(name))
      return torch::IntType::get(context);
    if (graph.symBools.contains(name))
      return torch::BoolType::get(context);
    if (graph.symFloats.contains(name))
      return torch::FloatType::get(context);
    subject.error() << "expected sym_int_values to describe '" << name
                    << "', got nothing";
    return nullptr;
  case Kind::None:
    return torch::NoneType::get(context);
  case Kind::List:
    return torch::ListType::get(context,
                                torch::ValueTensorType::getUnknown(context));
  default:
    subject.error() << "expected a tensor or a symbolic scalar, got "
                    << describe(argument.kind);
    return nullptr;
  }
}

Value GraphImporter::getValue(const schema::Argument &argument, TorchBuilder &b,
                              const Subject &subject) {
  switch (argument.kind) {
  case Kind::None:
    return b.none();
  case Kind::Int:
    return b.constant(argument.integer);
  case Kind::Bool:
    return b.constantBool(argument.integer);
  case Kind::Float:
    return b.constantFloat(argument.number);
  case Kind::String:
    return b.constantStr(argument.text);
  case Kind::Device:
    return torch::ConstantDeviceOp::create(builder, b.getLoc(), argument.text);
  case Kind::Tensor:
  case Kind::Symbol:
    if (std::optional<Values::Id> id = find(argument.text, subject))
      return values.read(*id, builder);
    return nullptr;
  default:
    subject.error() << "expected a tensor or a scalar, got "
                    << describe(argument.kind);
    return nullptr;
  }
}
