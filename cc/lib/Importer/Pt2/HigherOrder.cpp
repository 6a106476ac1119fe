//===- HigherOrder.cpp - Nodes that call graphs ---------------------------===//

#include "HigherOrder.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

LogicalResult GraphImporter::importHigherOrder(NodeContext &context,
                                               StringRef name) {
  using Import = LogicalResult (GraphImporter::*)(NodeContext &);
  Import import =
      llvm::StringSwitch<Import>(name)
          .Case("auto_functionalized_v2", &GraphImporter::importFunctionalized)
          .Case("cond", &GraphImporter::importCond)
          .Case("map_impl", &GraphImporter::importMap)
          .Case("out_dtype", &GraphImporter::importOutDtype)
          .Case("scan", &GraphImporter::importScan)
          .Case("while_loop", &GraphImporter::importWhileLoop)
          .Case("with_effects", &GraphImporter::importEffects)
          .Case("wrap_with_autocast", &GraphImporter::importAutocast)
          // A mode for tracing around a graph has no further effect.
          .Cases({"hints_wrapper", "invoke_subgraph", "strict_mode",
                  "tag_activation_checkpoint", "wrap_activation_checkpoint",
                  "wrap_with_set_grad_enabled"},
                 &GraphImporter::importInlined)
          .Default(nullptr);
  if (name == "print")
    return success(); // computes nothing
  if (!import)
    return context.subject.fail(
        "expected a higher-order operator that is known, got '" + name + "'");
  return (this->*import)(context);
}

//===----------------------------------------------------------------------===//
// Calls of an operator
//===----------------------------------------------------------------------===//

/// The call that a node makes of its argument `index`, an operator, with
/// `arguments`: positional, named by the operator's signature.
static FailureOr<schema::Node>
getCall(NodeContext &context, size_t index,
        ArrayRef<schema::NamedArgument> arguments) {
  const schema::Node &node = context.node;
  if (index >= node.inputs.size() ||
      node.inputs[index].arg.kind != Kind::Operator)
    return context.subject.fail("expected an operator as argument " +
                                Twine(index) + ", got none");
  schema::Node call;
  call.target = node.inputs[index].arg.text;
  call.inputs = arguments.vec();
  call.outputs = node.outputs;
  call.name = node.name;
  nameArguments(call);
  return call;
}

/// with_effects(token, operator, arguments…) = (token, results…). The order of
/// the nodes gives the order of effects: a token has no value here.
LogicalResult GraphImporter::importEffects(NodeContext &context) {
  auto inputs = ArrayRef(context.node.inputs);
  FailureOr<schema::Node> call = getCall(
      context, 1, inputs.drop_front(std::min<size_t>(2, inputs.size())));
  if (failed(call))
    return failure();
  call->hasEffects = true;
  if (call->outputs.empty() || call->outputs[0].kind != Kind::Tensor)
    return context.subject.fail("expected a token as first output");
  define(call->outputs[0].text, Value(), context.subject);
  call->outputs.erase(call->outputs.begin());
  llvm::erase_if(call->outputs, [](const schema::Argument &output) {
    return output.kind == Kind::None;
  });
  importNode(*call);
  return success(); // the call itself has reported the error and given up
}

/// out_dtype(operator, dtype, arguments…): the operator on tensors cast to
/// `dtype`.
LogicalResult GraphImporter::importOutDtype(NodeContext &context) {
  auto inputs = ArrayRef(context.node.inputs);
  FailureOr<schema::Node> call = getCall(
      context, 0, inputs.drop_front(std::min<size_t>(2, inputs.size())));
  if (failed(call))
    return failure();
  std::optional<int64_t> code =
      inputs.size() > 1 ? getDtypeCode(inputs[1].arg.integer) : std::nullopt;
  Type dtype = code ? torch::dtypeOfCode(import.context, *code) : Type();
  StringRef op = getOp(call->target);
  auto signature = findSignature(op);
  if (!dtype || !signature)
    return context.subject.fail("expected an operator and a dtype that are "
                                "known, got '" +
                                op + "'");
  NodeContext inner = {*call, context.subject, context.builder};
  FailureOr<Operands> operands = getOperands(inner, *signature);
  if (failed(operands))
    return failure();
  for (Value &operand : *operands)
    if (torch::isTensor(operand.getType()))
      operand = context.builder.convert(operand, dtype);
  FailureOr<Operation *> built = buildInferred(context, op, *operands);
  if (failed(built))
    return failure();
  return bindResults(context, *built, /*shared=*/std::nullopt);
}

//===----------------------------------------------------------------------===//
// Calls of graphs
//===----------------------------------------------------------------------===//

/// The arguments of a graph, with lists flattened.
FailureOr<Ids>
GraphImporter::getGraphOperands(NodeContext &context,
                                ArrayRef<schema::NamedArgument> arguments) {
  Ids ids;
  bool failed = false;
  auto add = [&](const schema::Argument &argument) {
    std::optional<Values::Id> id;
    if (argument.kind == Kind::Tensor || argument.kind == Kind::Symbol)
      id = find(argument.text, context.subject);
    else if (Value value = getValue(argument, context.builder, context.subject))
      id = values.add(value);
    failed |= !id;
    ids.push_back(id.value_or(0));
  };
  for (const schema::NamedArgument &argument : arguments) {
    if (argument.isKeyword || argument.arg.kind == Kind::String ||
        argument.arg.kind == Kind::Dict)
      continue; // hints to the tracer
    if (argument.arg.kind == Kind::List)
      llvm::for_each(argument.arg.elements, add);
    else
      add(argument.arg);
  }
  if (failed)
    return failure();
  return ids;
}

FailureOr<Ids> GraphImporter::call(NodeContext &context,
                                   const schema::Graph &callee,
                                   ArrayRef<Values::Id> inputs) {
  const Subject &subject = context.subject;
  if (callee.inputs.size() != inputs.size())
    return subject.fail("expected " + Twine(callee.inputs.size()) +
                        " arguments for a graph, got " + Twine(inputs.size()));
  GraphImporter inner(import, builder, values, callee);
  for (auto [formal, id] : llvm::zip_equal(callee.inputs, inputs))
    if (formal.kind == Kind::Tensor || formal.kind == Kind::Symbol)
      inner.define(formal.text, id, subject);
  inner.importNodes();
  Ids results;
  for (const schema::Argument &output : callee.outputs) {
    std::optional<Values::Id> id;
    if (output.kind == Kind::Tensor || output.kind == Kind::Symbol)
      id = inner.find(output.text, subject);
    else if (Value value = inner.getValue(output, context.builder, subject))
      id = values.add(value);
    if (!id)
      return failure();
    results.push_back(*id);
  }
  return results;
}

LogicalResult pt2::castTo(TorchBuilder &b, TypeRange types,
                          MutableArrayRef<Value> values,
                          const Subject &subject) {
  for (auto [type, value] : llvm::zip_equal(types, values)) {
    if (value.getType() == type)
      continue;
    if (!torch::isTensor(type) || !torch::mayBe(value.getType(), type)) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "expected a value of " << type << ", got " << value.getType();
      return subject.fail(text);
    }
    value = torch::TensorStaticInfoCastOp::create(b.getBuilder(), b.getLoc(),
                                                  type, value);
  }
  return success();
}

SmallVector<const schema::Argument *>
pt2::flatten(ArrayRef<schema::Argument> outputs) {
  SmallVector<const schema::Argument *> flat;
  for (const schema::Argument &output : outputs)
    if (output.kind == Kind::List)
      for (const schema::Argument &element : output.elements)
        flat.push_back(&element);
    else
      flat.push_back(&output);
  return flat;
}

LogicalResult pt2::checkOutputs(ArrayRef<const schema::Argument *> outputs,
                                size_t results, const Subject &subject) {
  if (outputs.size() == results)
    return success();
  return subject.fail("expected " + Twine(results) +
                      " outputs of its graph, got " + Twine(outputs.size()));
}

LogicalResult GraphImporter::importInlined(NodeContext &context) {
  const Subject &subject = context.subject;
  ArrayRef<schema::NamedArgument> inputs = context.node.inputs;
  const auto *graph = llvm::find_if(
      inputs, [](const auto &input) { return input.arg.kind == Kind::Graph; });
  if (graph == inputs.end())
    return subject.fail("expected a graph as argument, got none");
  FailureOr<Ids> operands =
      getGraphOperands(context, inputs.drop_front(graph - inputs.begin() + 1));
  if (failed(operands))
    return failure();
  FailureOr<Ids> results = call(context, *graph->arg.graph, *operands);
  if (failed(results))
    return failure();
  auto outputs = flatten(context.node.outputs);
  if (failed(checkOutputs(outputs, results->size(), subject)))
    return failure();
  for (auto [output, id] : llvm::zip_equal(outputs, *results))
    if (output->kind != Kind::None)
      define(output->text, id, subject);
  return success();
}

/// wrap_with_autocast(device, dtype, enabled, …, graph, operands): if enabled,
/// dtypes differ from those that the graph's operators declare.
LogicalResult GraphImporter::importAutocast(NodeContext &context) {
  ArrayRef<schema::NamedArgument> inputs = context.node.inputs;
  if (inputs.size() > 2 && inputs[2].arg.kind == Kind::Bool &&
      inputs[2].arg.integer)
    return context.subject.fail("expected a graph without automatic casts: "
                                "export the program with run_decompositions()");
  return importInlined(context);
}

/// cond(condition, then, else, operands)
LogicalResult GraphImporter::importCond(NodeContext &context) {
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  ArrayRef<schema::NamedArgument> inputs = context.node.inputs;
  if (inputs.size() < 3 || inputs[1].arg.kind != Kind::Graph ||
      inputs[2].arg.kind != Kind::Graph)
    return subject.fail("expected a condition and two graphs");
  Value predicate = getValue(inputs[0].arg, b, subject);
  FailureOr<Ids> operands = getGraphOperands(context, inputs.drop_front(3));
  if (!predicate || failed(operands))
    return failure();
  FailureOr<Value> condition = toBool(context, predicate);
  if (failed(condition))
    return failure();
  auto outputs = flatten(context.node.outputs);
  SmallVector<Type> types;
  for (const schema::Argument *output : outputs) {
    types.push_back(getDeclaredType(*output, subject));
    if (!types.back())
      return failure();
  }

  auto op = torch::PrimIfOp::create(builder, b.getLoc(), types, *condition);
  for (int i : {0, 1}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op->getRegion(i));
    Values::Snapshot before = values.snapshot();
    FailureOr<Ids> results = call(context, *inputs[1 + i].arg.graph, *operands);
    if (failed(results) ||
        failed(checkOutputs(outputs, results->size(), subject)))
      return failure();
    FailureOr<Operands> yielded = readAll(*results);
    if (failed(yielded))
      return failure();
    if (failed(castTo(b, types, *yielded, subject)))
      return failure();
    if (failed(values.restore(std::move(before))))
      return subject.fail("expected no write to a tensor in a branch: export "
                          "the program with run_decompositions()");
    torch::PrimIfYieldOp::create(builder, b.getLoc(), *yielded);
  }
  for (auto [output, result] : llvm::zip_equal(outputs, op.getResults()))
    if (output->kind != Kind::None)
      define(output->text, result, subject);
  return success();
}
