//===- Loops.cpp - while_loop, map and scan -------------------------------===//
//
// All become torch.prim.Loop. A map is a scan without carried values; the rows
// that a scan yields are written into a carried tensor.
//
//===----------------------------------------------------------------------===//

#include "HigherOrder.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::pt2;
using torch::TorchBuilder;
using Kind = schema::Argument::Kind;

/// Builds a loop that begins with `init`, cast to `types`. Given the step's
/// number and the current values, `body` returns the next values and the
/// condition to continue.
FailureOr<torch::PrimLoopOp> GraphImporter::buildLoop(
    NodeContext &context, Value tripCount, Value condition, TypeRange types,
    ValueRange init,
    llvm::function_ref<FailureOr<Value>(Value, ValueRange, Operands &)> body) {
  TorchBuilder &b = context.builder;
  Operands first(init);
  if (failed(castTo(b, types, first, context.subject)))
    return failure();
  auto loop = torch::PrimLoopOp::create(builder, b.getLoc(), types, tripCount,
                                        condition, first);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> argumentTypes = {torch::IntType::get(import.context)};
  llvm::append_range(argumentTypes, types);
  SmallVector<Location> locations(argumentTypes.size(), b.getLoc());
  Block *block =
      builder.createBlock(&loop.getRegion(), {}, argumentTypes, locations);
  Values::Snapshot before = values.snapshot();
  Operands next;
  FailureOr<Value> again =
      body(block->getArgument(0), block->getArguments().drop_front(), next);
  if (failed(again))
    return failure();
  if (failed(castTo(b, types, next, context.subject)))
    return failure();
  if (failed(values.restore(std::move(before))))
    return context.subject.fail("expected no write to a tensor in a loop: "
                                "export the program with run_decompositions()");
  torch::PrimLoopConditionOp::create(builder, b.getLoc(), *again, next);
  return loop;
}

/// The final values of the loop become the outputs of the node.
LogicalResult GraphImporter::bindLoop(NodeContext &context,
                                      torch::PrimLoopOp loop) {
  auto outputs = flatten(context.node.outputs);
  for (auto [output, result] : llvm::zip_equal(outputs, loop.getResults())) {
    Type type = getDeclaredType(*output, context.subject);
    if (!type)
      return failure();
    Value value = result;
    if (failed(castTo(context.builder, type, value, context.subject)))
      return failure();
    define(output->text, value, context.subject);
  }
  return success();
}

/// The current values of tensors and scalars; fails if one has none, which has
/// been reported.
FailureOr<GraphImporter::Operands>
GraphImporter::readAll(ArrayRef<Values::Id> ids) {
  Operands all;
  for (Values::Id id : ids) {
    all.push_back(values.read(id, builder));
    if (!all.back())
      return failure();
  }
  return all;
}

/// The types of a graph's first inputs: they tell which sizes stay the same
/// from step to step.
FailureOr<SmallVector<Type>>
GraphImporter::getInputTypes(NodeContext &context, const schema::Graph &body,
                             size_t count) {
  if (body.inputs.size() < count)
    return context.subject.fail("expected a graph that takes what is carried");
  GraphImporter inner(import, builder, values, body);
  SmallVector<Type> types;
  for (const schema::Argument &input :
       ArrayRef(body.inputs).take_front(count)) {
    types.push_back(inner.getDeclaredType(input, context.subject));
    if (!types.back())
      return failure();
  }
  return types;
}

//===----------------------------------------------------------------------===//
// while_loop
//===----------------------------------------------------------------------===//

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
  if (failed(carried) || failed(others) ||
      failed(checkOutputs(flatten(context.node.outputs), carried->size(),
                          subject)))
    return failure();
  FailureOr<Operands> init = readAll(*carried);
  auto types = getInputTypes(context, body, carried->size());
  if (failed(init) || failed(types))
    return failure();

  auto withOthers = [&](ArrayRef<Values::Id> state) {
    Ids arguments(state);
    llvm::append_range(arguments, *others);
    return arguments;
  };
  auto test = [&](ArrayRef<Values::Id> state) -> FailureOr<Value> {
    FailureOr<Ids> results = call(context, condition, withOthers(state));
    if (failed(results))
      return failure();
    if (results->size() != 1)
      return subject.fail("expected one condition, got " +
                          Twine(results->size()));
    FailureOr<Operands> value = readAll(*results);
    if (failed(value))
      return failure();
    return toBool(context, value->front());
  };
  FailureOr<Value> first = test(*carried);
  if (failed(first))
    return failure();
  auto loop = buildLoop(
      context, b.constant(std::numeric_limits<int64_t>::max()), *first, *types,
      *init, [&](Value, ValueRange state, Operands &next) -> FailureOr<Value> {
        Ids ids;
        for (Value value : state)
          ids.push_back(values.add(value));
        FailureOr<Ids> results = call(context, body, withOthers(ids));
        if (failed(results))
          return failure();
        if (results->size() != carried->size())
          return subject.fail("expected a graph that gives what is carried");
        FailureOr<Operands> read = readAll(*results);
        if (failed(read))
          return failure();
        next = *read;
        return test(*results);
      });
  return succeeded(loop) ? bindLoop(context, *loop) : failure();
}

//===----------------------------------------------------------------------===//
// map, scan
//===----------------------------------------------------------------------===//

/// map_impl(graph, tensors, others): graph(row, others) for the rows of each
/// tensor, with the results stacked.
LogicalResult GraphImporter::importMap(NodeContext &context) {
  ArrayRef<schema::NamedArgument> inputs = context.node.inputs;
  if (inputs.size() != 3 || inputs[0].arg.kind != Kind::Graph)
    return context.subject.fail("expected a graph and two lists of values");
  FailureOr<Ids> tensors = getGraphOperands(context, inputs.slice(1, 1));
  FailureOr<Ids> others = getGraphOperands(context, inputs.slice(2, 1));
  if (failed(tensors) || failed(others))
    return failure();
  return importRows(context, *inputs[0].arg.graph, {}, *tensors, *others);
}

/// scan(graph, carried, tensors, others): carried, row = graph(carried, rows,
/// others) for each row.
LogicalResult GraphImporter::importScan(NodeContext &context) {
  ArrayRef<schema::NamedArgument> inputs = context.node.inputs;
  if (inputs.size() != 4 || inputs[0].arg.kind != Kind::Graph)
    return context.subject.fail("expected a graph and three lists of values");
  FailureOr<Ids> carried = getGraphOperands(context, inputs.slice(1, 1));
  FailureOr<Ids> tensors = getGraphOperands(context, inputs.slice(2, 1));
  FailureOr<Ids> others = getGraphOperands(context, inputs.slice(3, 1));
  if (failed(carried) || failed(tensors) || failed(others))
    return failure();
  return importRows(context, *inputs[0].arg.graph, *carried, *tensors, *others);
}

/// Zeros of the type of an output with `count` rows like `row`, which is there
/// if their sizes are open.
static Value makeRows(TorchBuilder &b, torch::ValueTensorType type, Value count,
                      Value row) {
  SmallVector<Value> sizes = {count};
  for (auto [dim, size] : llvm::enumerate(type.getSizes().drop_front()))
    sizes.push_back(ShapedType::isDynamic(size) ? b.size(row, dim)
                                                : b.constant(size));
  return b.create<torch::AtenFullOp>(b.ints(sizes), b.constant(0),
                                     b.dtype(type.getDtype()), b.none(),
                                     b.none(), b.none());
}

LogicalResult GraphImporter::importRows(NodeContext &context,
                                        const schema::Graph &body,
                                        ArrayRef<Values::Id> carried,
                                        ArrayRef<Values::Id> tensors,
                                        ArrayRef<Values::Id> others) {
  const Subject &subject = context.subject;
  TorchBuilder &b = context.builder;
  auto outputs = flatten(context.node.outputs);
  if (tensors.empty())
    return subject.fail("expected a tensor to take rows of, got none");
  if (failed(checkOutputs(outputs, body.outputs.size(), subject)))
    return failure();
  if (outputs.size() < carried.size())
    return subject.fail("expected a graph that gives what is carried");
  FailureOr<Operands> wholes = readAll(tensors);
  FailureOr<Operands> init = readAll(carried);
  auto types = getInputTypes(context, body, carried.size());
  if (failed(wholes) || failed(init) || failed(types))
    return failure();

  // What the body makes of a state and of the rows at a place.
  auto callBody = [&](Value place, ValueRange state) -> FailureOr<Operands> {
    Ids arguments;
    for (Value value : state.take_front(carried.size()))
      arguments.push_back(values.add(value));
    for (Value whole : *wholes)
      arguments.push_back(values.add(
          b.create<torch::AtenSelectIntOp>(whole, b.constant(0), place)));
    llvm::append_range(arguments, others);
    FailureOr<Ids> results = call(context, body, arguments);
    if (failed(results))
      return failure();
    return readAll(*results);
  };

  Value count = b.size(wholes->front(), 0);
  Operands first; // only its sizes are computed
  for (auto [i, output] : llvm::enumerate(outputs)) {
    if (i < carried.size())
      continue;
    auto type = dyn_cast_or_null<torch::ValueTensorType>(
        getDeclaredType(*output, subject));
    if (!type)
      return failure();
    if (!type.hasRank() || type.getRank() == 0)
      return subject.fail("expected rows of a known rank");
    if (first.empty() &&
        llvm::any_of(type.getSizes().drop_front(), ShapedType::isDynamic)) {
      FailureOr<Operands> results = callBody(b.constant(0), *init);
      if (failed(results))
        return failure();
      first = *results;
    }
    types->push_back(type);
    init->push_back(
        makeRows(b, type, count, first.empty() ? Value() : first[i]));
  }
  auto loop = buildLoop(
      context, count, b.constantBool(true), *types, *init,
      [&](Value number, ValueRange state, Operands &next) -> FailureOr<Value> {
        FailureOr<Operands> results = callBody(number, state);
        if (failed(results))
          return failure();
        next = *results;
        Value place =
            b.unsqueeze(b.create<torch::PrimNumToTensorScalarOp>(number), 0);
        for (size_t i = carried.size(); i < next.size(); ++i)
          next[i] = b.create<torch::AtenIndexPutOp>(
              state[i], b.optionalTensors(place), b.unsqueeze(next[i], 0),
              b.constantBool(false));
        return b.constantBool(true);
      });
  return succeeded(loop) ? bindLoop(context, *loop) : failure();
}
