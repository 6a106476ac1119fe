//===- Loops.cpp - torch.prim.If and torch.prim.Loop ----------------------===//

#include "Loops.h"
#include "LoopRecord.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

/// The type that two values fit into; null when there is none.
static Type findCommonType(Type first, Type second) {
  if (first == second)
    return first;
  auto x = dyn_cast<torch::ValueTensorType>(first),
       y = dyn_cast<torch::ValueTensorType>(second);
  if (!x || !y || x.getDtype() != y.getDtype() || x.getRank() != y.getRank())
    return {};
  SmallVector<int64_t> sizes(x.getSizes());
  for (auto [size, other] : llvm::zip(sizes, y.getSizes()))
    if (size != other)
      size = ShapedType::kDynamic;
  return torch::ValueTensorType::get(first.getContext(), sizes, x.getDtype());
}

static FailureOr<Type> commonType(NodeBuilder &b, Type first, Type second) {
  if (Type common = findCommonType(first, second))
    return common;
  return b.decline()
         << "expected values of one rank and dtype from every path, got "
         << first << " and " << second;
}

static FailureOr<SmallVector<Type>> commonTypes(NodeBuilder &b, TypeRange first,
                                                TypeRange second) {
  SmallVector<Type> types;
  for (auto [x, y] : llvm::zip_equal(first, second)) {
    FailureOr<Type> type = commonType(b, x, y);
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  return types;
}

/// The values as the types, which leave more sizes open.
static Values castTo(NodeBuilder &b, TypeRange types, ValueRange values) {
  Values results;
  for (auto [type, value] : llvm::zip_equal(types, values))
    results.push_back(value.getType() == type
                          ? value
                          : torch::TensorStaticInfoCastOp::create(
                                b.getBuilder(), b.getLoc(), type, value)
                                .getResult());
  return results;
}

/// Adds a block to a region and emits into it.
static LogicalResult emitInto(NodeBuilder &b, Region &region,
                              TypeRange argumentTypes,
                              llvm::function_ref<LogicalResult(Block &)> emit) {
  OpBuilder::InsertionGuard guard(b.getBuilder());
  SmallVector<Location> locs(argumentTypes.size(), b.getLoc());
  return emit(*b.getBuilder().createBlock(&region, {}, argumentTypes, locs));
}

FailureOr<Values> onnx_to_torch::buildIf(NodeBuilder &b, Value condition,
                                         Branch thenBranch, Branch elseBranch) {
  if (std::optional<bool> known = torch::matchBool(condition))
    return *known ? thenBranch() : elseBranch();
  OpBuilder &builder = b.getBuilder();
  DraftRegion regions[] = {DraftRegion(b), DraftRegion(b)};
  Values yielded[2];
  for (int i : {0, 1}) {
    auto emit = [&](Block &) -> LogicalResult {
      FailureOr<Values> values = i == 0 ? thenBranch() : elseBranch();
      if (succeeded(values))
        yielded[i] = *values;
      return values;
    };
    if (failed(emitInto(b, regions[i].get(), {}, emit)))
      return failure();
  }
  FailureOr<SmallVector<Type>> types = commonTypes(
      b, ValueRange(yielded[0]).getTypes(), ValueRange(yielded[1]).getTypes());
  if (failed(types))
    return failure();
  for (int i : {0, 1}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&regions[i].get().front());
    torch::PrimIfYieldOp::create(builder, b.getLoc(),
                                 castTo(b, *types, yielded[i]));
  }
  auto op = torch::PrimIfOp::create(builder, b.getLoc(), *types, condition);
  op.getThenRegion().takeBody(regions[0].get());
  op.getElseRegion().takeBody(regions[1].get());
  return Values(op.getResults());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// A loop while it is built.
class LoopBuilder {
public:
  LoopBuilder(NodeBuilder &b, ValueRange init, LoopBody body,
              const Gathering &gathering, LoopRecord &record)
      : b(b), init(init), body(body), gathering(gathering), record(record) {}

  /// The results without any step.
  FailureOr<Values> skip();
  /// The steps one after the other; nullopt when they depend on a condition
  /// that is known at run time only.
  FailureOr<std::optional<Values>> unroll(int64_t tripCount);
  FailureOr<Values> build(Value tripCount, Value condition);

private:
  FailureOr<Step> emitStep(Value number, ValueRange carried) {
    LoopRecord *around = b.enterLoop(&record);
    FailureOr<Step> step = body(number, carried);
    b.enterLoop(around);
    return step;
  }
  SmallVector<Type> startingTypes() const;
  /// A step in `region` that begins with values of these types, which become
  /// those that what it leaves behind fits, too.
  FailureOr<Step> emitStep(Region &region, SmallVector<Type> &types);
  /// The outputs of the first step, from one that is thrown away.
  FailureOr<SmallVector<Type>> outputsOfFirstStep();
  FailureOr<Values> startGathering(TypeRange outputs);
  /// What is gathered at the end of a step, which began with another argument
  /// that is added to it.
  FailureOr<Value> gatherIn(Block &block, size_t output, Type start,
                            Value element);

  NodeBuilder &b;
  ValueRange init;
  LoopBody body;
  const Gathering &gathering;
  LoopRecord &record;
};

} // namespace

FailureOr<Values> LoopBuilder::skip() {
  Values results(init);
  if (!gathering.start)
    return results;
  FailureOr<SmallVector<Type>> outputs = outputsOfFirstStep();
  FailureOr<Values> gathered =
      failed(outputs) ? FailureOr<Values>() : startGathering(*outputs);
  if (failed(gathered))
    return failure();
  llvm::append_range(results, *gathered);
  return results;
}

FailureOr<std::optional<Values>> LoopBuilder::unroll(int64_t tripCount) {
  if (tripCount <= 0) {
    FailureOr<Values> results = skip();
    return failed(results) ? FailureOr<std::optional<Values>>()
                           : FailureOr<std::optional<Values>>(*results);
  }
  Values carried(init), gathered;
  bool wasCopied = std::exchange(record.isCopied, true);
  auto restore = llvm::make_scope_exit([&] { record.isCopied = wasCopied; });
  record.begin();
  for (int64_t number = 0; number < tripCount; ++number) {
    FailureOr<Step> step = emitStep(b.constant(number), carried);
    if (failed(step))
      return failure();
    if (number == 0) {
      FailureOr<Values> start =
          startGathering(ValueRange(step->outputs).getTypes());
      if (failed(start))
        return failure();
      gathered = *start;
    }
    for (auto [output, element] : llvm::enumerate(step->outputs))
      gathered[output] = gathering.append(output, gathered[output], element);
    carried = step->carried;
    if (!step->shouldContinue)
      continue;
    std::optional<bool> shouldContinue = torch::matchBool(step->shouldContinue);
    if (!shouldContinue)
      return std::optional<Values>();
    if (!*shouldContinue)
      break;
  }
  llvm::append_range(carried, gathered);
  return std::optional<Values>(carried);
}

SmallVector<Type> LoopBuilder::startingTypes() const {
  SmallVector<Type> types = llvm::to_vector(init.getTypes());
  if (record.types.size() == types.size())
    for (auto [type, before] : llvm::zip_equal(types, record.types))
      if (Type common = findCommonType(type, before))
        type = common;
  return types;
}

FailureOr<Step> LoopBuilder::emitStep(Region &region,
                                      SmallVector<Type> &types) {
  SmallVector<Type> arguments = {torch::IntType::get(b.getContext())};
  llvm::append_range(arguments, types);
  FailureOr<Step> step;
  record.begin();
  auto emit = [&](Block &block) -> LogicalResult {
    step = emitStep(block.getArgument(0), block.getArguments().drop_front());
    if (failed(step))
      return failure();
    FailureOr<SmallVector<Type>> common =
        commonTypes(b, types, ValueRange(step->carried).getTypes());
    if (succeeded(common))
      types = *common;
    return common;
  };
  if (failed(emitInto(b, region, arguments, emit)))
    return failure();
  return step;
}

FailureOr<SmallVector<Type>> LoopBuilder::outputsOfFirstStep() {
  OpBuilder::InsertionGuard guard(b.getBuilder());
  DraftRegion scratch(b);
  b.getBuilder().createBlock(&scratch.get());
  record.begin();
  FailureOr<Step> first = emitStep(b.constant(0), init);
  if (failed(first))
    return failure();
  return llvm::to_vector(ValueRange(first->outputs).getTypes());
}

FailureOr<Values> LoopBuilder::startGathering(TypeRange outputs) {
  Values gathered;
  for (auto [output, type] : llvm::enumerate(outputs)) {
    FailureOr<Value> start =
        gathering.start(output, cast<torch::ValueTensorType>(type));
    if (failed(start))
      return failure();
    gathered.push_back(*start);
  }
  return gathered;
}

FailureOr<Value> LoopBuilder::gatherIn(Block &block, size_t output, Type start,
                                       Value element) {
  BlockArgument before = block.addArgument(start, b.getLoc());
  Operation *last = block.empty() ? nullptr : &block.back();
  while (true) {
    Value after = gathering.append(output, before, element);
    FailureOr<Type> common = commonType(b, before.getType(), after.getType());
    if (failed(common))
      return failure();
    if (*common == before.getType())
      return castTo(b, *common, after).front();
    while (!block.empty() && &block.back() != last)
      block.back().erase();
    before.setType(*common);
  }
}

FailureOr<Values> LoopBuilder::build(Value tripCount, Value condition) {
  OpBuilder &builder = b.getBuilder();
  // What a step leaves behind may have other sizes than what it began with:
  // emit the body again until the types of both agree. Each time some size is
  // left open that was not before, so this ends.
  SmallVector<Type> types = startingTypes(), before;
  DraftRegion region(b);
  FailureOr<Step> step;
  do {
    before = types;
    region.clear();
    step = emitStep(region.get(), types);
    if (failed(step))
      return failure();
  } while (types != before);
  record.types = types;

  // A size that is open in general may be known in the first step, and then it
  // is that of all.
  SmallVector<Type> outputs =
      llvm::to_vector(ValueRange(step->outputs).getTypes());
  auto isOpen = [](Type type) {
    return !cast<torch::ValueTensorType>(type).hasStaticShape();
  };
  LoopRecord apart(record); // that the wider types have no say in
  if (llvm::any_of(outputs, isOpen) && apart.trials++ < 2) {
    FailureOr<SmallVector<Type>> first =
        LoopBuilder(b, init, body, gathering, apart).outputsOfFirstStep();
    if (failed(first))
      return failure();
    outputs = *first;
  }
  FailureOr<Values> starts = startGathering(outputs);
  if (failed(starts))
    return failure();

  Block &block = region.get().front();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&block);
    Values carried = castTo(b, types, step->carried);
    for (auto [output, element] : llvm::enumerate(step->outputs)) {
      FailureOr<Value> gathered =
          gatherIn(block, output, (*starts)[output].getType(), element);
      if (failed(gathered))
        return failure();
      carried.push_back(*gathered);
      types.push_back(gathered->getType());
    }
    Value shouldContinue =
        step->shouldContinue ? step->shouldContinue : b.constantBool(true);
    torch::PrimLoopConditionOp::create(builder, b.getLoc(), shouldContinue,
                                       carried);
  }
  Values initial(init);
  llvm::append_range(initial, *starts);
  auto op = torch::PrimLoopOp::create(
      builder, b.getLoc(), types, tripCount,
      condition ? condition : b.constantBool(true), castTo(b, types, initial));
  op.getRegion().takeBody(region.get());
  return Values(op.getResults());
}

FailureOr<Values> onnx_to_torch::buildLoop(NodeBuilder &b, Value tripCount,
                                           Value condition, ValueRange init,
                                           LoopBody body,
                                           const Gathering &gathering,
                                           int64_t nodes) {
  LoopRecord outermost, *known = b.nextLoop();
  LoopRecord &record = known ? *known : outermost;
  LoopBuilder loop(b, init, body, gathering, record);
  std::optional<bool> mayBegin = true;
  if (condition)
    mayBegin = torch::matchBool(condition);
  if (mayBegin == false)
    return loop.skip();
  std::optional<int64_t> steps = torch::matchInt(tripCount);
  bool mayUnroll =
      mayBegin && steps && *steps <= maxUnrolled && !record.asksAtRunTime;
  if (mayUnroll && record.isCopied && *steps > 0)
    mayUnroll = b.takeCopies(nodes * *steps);
  if (mayUnroll) {
    FailureOr<std::optional<Values>> results = loop.unroll(*steps);
    if (failed(results))
      return failure();
    if (*results)
      return **results;
    record.asksAtRunTime = true;
  }
  return loop.build(tripCount, condition);
}
