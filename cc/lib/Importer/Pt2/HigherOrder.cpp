//===- HigherOrder.cpp - Nodes that call graphs ---------------------------===//

#include "Graph.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;
using Ids = SmallVector<Values::Id>;

LogicalResult GraphImporter::importHigherOrder(NodeContext &context,
                                               StringRef name) {
  using Import = LogicalResult (GraphImporter::*)(NodeContext &);
  // What surrounds a graph with a mode for tracing has done its work.
  Import import =
      llvm::StringSwitch<Import>(name)
          .Case("cond", &GraphImporter::importCond)
          .Case("while_loop", &GraphImporter::importWhileLoop)
          .Cases({"wrap_with_set_grad_enabled", "wrap_with_autocast",
                  "invoke_subgraph", "strict_mode", "hints_wrapper",
                  "tag_activation_checkpoint", "wrap_activation_checkpoint"},
                 &GraphImporter::importInlined)
          .Default(nullptr);
  if (!import)
    return context.subject.fail(
        "expected a higher-order operator that is known, got '" + name + "'");
  return (this->*import)(context);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The arguments of a graph, lists of them taken apart.
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

/// The outputs of a node with lists taken apart.
static SmallVector<const schema::Argument *>
flatten(ArrayRef<schema::Argument> outputs) {
  SmallVector<const schema::Argument *> flat;
  for (const schema::Argument &output : outputs)
    if (output.kind == Kind::List)
      for (const schema::Argument &element : output.elements)
        flat.push_back(&element);
    else
      flat.push_back(&output);
  return flat;
}

static LogicalResult checkOutputs(ArrayRef<const schema::Argument *> outputs,
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

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The value as a type that knows more or fewer sizes.
static Value castTo(TorchBuilder &b, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return torch::TensorStaticInfoCastOp::create(b.getBuilder(), b.getLoc(), type,
                                               value);
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
    SmallVector<Value> yielded;
    if (succeeded(results) &&
        failed(checkOutputs(outputs, results->size(), subject)))
      return failure();
    for (auto [type, id] :
         llvm::zip(types, succeeded(results) ? *results : Ids())) {
      Value value = values.read(id, builder);
      if (!value)
        return failure();
      yielded.push_back(castTo(b, type, value));
    }
    if (failed(values.restore(std::move(before))))
      return subject.fail("expected no write to a tensor in a branch: export "
                          "the program with run_decompositions()");
    if (failed(results))
      return failure();
    torch::PrimIfYieldOp::create(builder, b.getLoc(), yielded);
  }
  for (auto [output, result] : llvm::zip_equal(outputs, op.getResults()))
    if (output->kind != Kind::None)
      define(output->text, result, subject);
  return success();
}

/// while_loop(condition, body, carried, others): while condition(carried +
/// others), carried = body(carried + others).
LogicalResult GraphImporter::importWhileLoop(NodeContext &context) {
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  ArrayRef<schema::NamedArgument> inputs = context.node.inputs;
  if (inputs.size() != 4 || inputs[0].arg.kind != Kind::Graph ||
      inputs[1].arg.kind != Kind::Graph)
    return subject.fail("expected two graphs and two lists of values");
  const schema::Graph &condition = *inputs[0].arg.graph;
  const schema::Graph &body = *inputs[1].arg.graph;
  FailureOr<Ids> carried = getGraphOperands(context, inputs.slice(2, 1));
  FailureOr<Ids> others = getGraphOperands(context, inputs.slice(3, 1));
  if (failed(carried) || failed(others))
    return failure();
  auto outputs = flatten(context.node.outputs);
  if (failed(checkOutputs(outputs, carried->size(), subject)) ||
      body.inputs.size() < carried->size())
    return subject.fail("expected as many outputs as carried values");

  auto test = [&](ArrayRef<Values::Id> state) -> FailureOr<Value> {
    Ids arguments(state);
    llvm::append_range(arguments, *others);
    FailureOr<Ids> results = call(context, condition, arguments);
    if (failed(results) || results->size() != 1)
      return failure();
    Value value = values.read(results->front(), builder);
    return value ? toBool(context, value) : FailureOr<Value>(failure());
  };

  // The body's own inputs say which sizes stay the same from step to step.
  GraphImporter inner(import, builder, values, body);
  SmallVector<Type> types;
  SmallVector<Value> init;
  for (auto [input, id] : llvm::zip(body.inputs, *carried)) {
    Type type = inner.getDeclaredType(input, subject);
    Value value = values.read(id, builder);
    if (!type || !value)
      return failure();
    types.push_back(type);
    init.push_back(castTo(b, type, value));
  }
  FailureOr<Value> first = test(*carried);
  if (failed(first))
    return failure();
  auto loop = torch::PrimLoopOp::create(
      builder, b.getLoc(), types,
      b.constant(std::numeric_limits<int64_t>::max()), *first, init);
  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Type> argumentTypes = {torch::IntType::get(import.context)};
    llvm::append_range(argumentTypes, types);
    SmallVector<Location> locations(argumentTypes.size(), b.getLoc());
    Block *block =
        builder.createBlock(&loop.getRegion(), {}, argumentTypes, locations);
    Values::Snapshot before = values.snapshot();
    Ids arguments;
    for (Value argument : block->getArguments().drop_front())
      arguments.push_back(values.add(argument));
    llvm::append_range(arguments, *others);
    FailureOr<Ids> next = call(context, body, arguments);
    if (failed(next) || failed(checkOutputs(outputs, next->size(), subject)))
      return failure();
    FailureOr<Value> again = test(*next);
    if (failed(again))
      return failure();
    SmallVector<Value> state;
    for (auto [type, id] : llvm::zip_equal(types, *next)) {
      Value value = values.read(id, builder);
      if (!value)
        return failure();
      state.push_back(castTo(b, type, value));
    }
    if (failed(values.restore(std::move(before))))
      return subject.fail("expected no write to a tensor in a loop: export the "
                          "program with run_decompositions()");
    torch::PrimLoopConditionOp::create(builder, b.getLoc(), *again, state);
  }
  for (auto [output, result] : llvm::zip_equal(outputs, loop.getResults())) {
    Type type = getDeclaredType(*output, subject);
    if (!type)
      return failure();
    define(output->text, castTo(b, type, result), subject);
  }
  return success();
}
