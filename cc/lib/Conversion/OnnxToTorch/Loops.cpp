//===- Loops.cpp - torch.prim.If and torch.prim.Loop ----------------------===//

#include "Loops.h"
#include "LoopRecord.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

/// The type that fits two values; null if there is none. Of two numbers, of
/// which one is a tensor of rank 0 and one of a single element, as
/// paddle2onnx writes them, it is the smaller rank's.
static Type findCommonType(Type first, Type second) {
  if (first == second)
    return first;
  auto x = dyn_cast<torch::ValueTensorType>(first),
       y = dyn_cast<torch::ValueTensorType>(second);
  if (!x || !y || x.getDtype() != y.getDtype())
    return {};
  if (x.getRank() != y.getRank()) {
    auto isOne = [](int64_t size) { return size == 1; };
    bool areNumbers =
        llvm::all_of(x.getSizes(), isOne) && llvm::all_of(y.getSizes(), isOne);
    return !areNumbers ? Type() : x.getRank() < y.getRank() ? x : y;
  }
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

/// Casts the values to common types: with fewer static sizes, or of numbers.
static Values castTo(NodeBuilder &b, TypeRange types, ValueRange values) {
  Values results;
  for (auto [type, value] : llvm::zip_equal(types, values)) {
    if (auto tensor = dyn_cast<torch::ValueTensorType>(type);
        tensor && tensor.getRank() != torch::tensorType(value).getRank())
      value = b.view(value, Values(tensor.getRank(), b.constant(1)));
    if (value.getType() != type)
      value = torch::TensorStaticInfoCastOp::create(b.getBuilder(), b.getLoc(),
                                                    type, value);
    results.push_back(value);
  }
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

/// A loop under construction.
class LoopBuilder {
public:
  LoopBuilder(NodeBuilder &b, ValueRange init, LoopBody body,
              ArrayRef<Gathering> gatherings, LoopRecord &record)
      : b(b), init(init), body(body), gatherings(gatherings), record(record) {}

  /// The results if there are no steps.
  FailureOr<Values> skip();
  /// Emits the steps in sequence; nullopt if they depend on a condition known
  /// only at run time.
  FailureOr<std::optional<Values>> unroll(int64_t tripCount);
  /// Fails without an error if `ranksChange`.
  FailureOr<Values> build(Value tripCount, Value condition);
  /// A loop of at least one step, which is emitted before the loop.
  FailureOr<Values> buildAfterFirst(Value tripCount);

  /// The types, before and after a step, of a carried value whose rank or dtype
  /// a step changes.
  std::optional<std::pair<Type, Type>> ranksChange;

private:
  FailureOr<Step> emitStep(Value number, ValueRange carried) {
    LoopRecord *around = b.enterLoop(&record);
    FailureOr<Step> step = body(number, carried);
    b.enterLoop(around);
    return step;
  }
  SmallVector<Type> startingTypes() const;
  /// Emits a step in `region` whose carried values begin with these types;
  /// widens the types so that they also fit the values that the step yields.
  FailureOr<Step> emitStep(Region &region, SmallVector<Type> &types);
  /// The types of the first step's outputs, from a trial emission.
  FailureOr<SmallVector<Type>> outputsOfFirstStep();
  Values emitLoop(Region &region, Value tripCount, Value condition,
                  ValueRange initial);
  /// A loop with these steps that ends when the buffers are full, inside a loop
  /// that extends them. The carried values end with the buffers and the number
  /// of steps.
  Values buildNested(Region &region, Value tripCount, Value condition,
                     ValueRange initial, ArrayRef<GatheringRoom> rooms);
  /// Stacks the `outputs` of all steps, which are individually known.
  FailureOr<Values> stack(ArrayRef<Values> outputs, TypeRange types);

  NodeBuilder &b;
  ValueRange init;
  LoopBody body;
  ArrayRef<Gathering> gatherings;
  LoopRecord &record;
};

} // namespace

FailureOr<Values> LoopBuilder::skip() {
  Values results(init);
  if (gatherings.empty())
    return results;
  FailureOr<SmallVector<Type>> outputs = outputsOfFirstStep();
  FailureOr<Values> gathered =
      failed(outputs) ? FailureOr<Values>() : stack({}, *outputs);
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
  Values carried(init);
  SmallVector<Values> outputs; // of each step
  bool wasCopied = std::exchange(record.isCopied, true);
  llvm::scope_exit restore([&] { record.isCopied = wasCopied; });
  record.begin();
  for (int64_t number = 0; number < tripCount; ++number) {
    FailureOr<Step> step = emitStep(b.constant(number), carried);
    if (failed(step))
      return failure();
    outputs.push_back(step->outputs);
    carried = step->carried;
    if (!step->shouldContinue)
      continue;
    std::optional<bool> shouldContinue = torch::matchBool(step->shouldContinue);
    if (!shouldContinue)
      return std::optional<Values>();
    if (!*shouldContinue)
      break;
  }
  FailureOr<Values> gathered =
      stack(outputs, ValueRange(outputs.front()).getTypes());
  if (failed(gathered))
    return failure();
  llvm::append_range(carried, *gathered);
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
    for (auto [type, after] : llvm::zip_equal(types, step->carried)) {
      Type common = findCommonType(type, after.getType());
      if (!common) {
        ranksChange = {type, after.getType()};
        return failure();
      }
      type = common;
    }
    return success();
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

FailureOr<Values> LoopBuilder::stack(ArrayRef<Values> outputs,
                                     TypeRange types) {
  Values stacked;
  for (auto [output, gathering] : llvm::enumerate(gatherings)) {
    Values ofSteps;
    for (const Values &step : outputs)
      ofSteps.push_back(step[output]);
    FailureOr<Value> all = gathering.stack(
        b, ofSteps, cast<torch::ValueTensorType>(types[output]));
    if (failed(all))
      return failure();
    stacked.push_back(*all);
  }
  return stacked;
}

FailureOr<Values> LoopBuilder::build(Value tripCount, Value condition) {
  OpBuilder &builder = b.getBuilder();
  // A step may yield values of other sizes than it began with: emit the body
  // again until the types agree. Each time at least one more size is left open,
  // so this ends.
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
  // is the same in all steps.
  SmallVector<Type> outputs =
      llvm::to_vector(ValueRange(step->outputs).getTypes());
  auto isOpen = [](Type type) {
    return !cast<torch::ValueTensorType>(type).hasStaticShape();
  };
  LoopRecord apart(record); // not affected by the wider types
  if (llvm::any_of(outputs, isOpen) && apart.trials++ < 2) {
    FailureOr<SmallVector<Type>> first =
        LoopBuilder(b, init, body, gatherings, apart).outputsOfFirstStep();
    if (failed(first))
      return failure();
    for (auto [gathering, inFirst, inAny] :
         llvm::zip_equal(gatherings, *first, outputs))
      if (gathering.isSequence && inFirst != inAny)
        return b.decline() << "expected a loop that fills a sequence with "
                              "tensors of one shape, got "
                           << inFirst << " in the first step and " << inAny
                           << " in others";
    outputs = *first;
  }
  bool asksInStep =
      step->shouldContinue && torch::matchBool(step->shouldContinue) != true;
  // A trip count this large means "no limit", unless a gathering counts back
  // from the last step.
  std::optional<int64_t> known = torch::matchInt(tripCount);
  bool isEndless = known && *known > std::numeric_limits<int32_t>::max() &&
                   llvm::none_of(gatherings, [](const Gathering &gathering) {
                     return gathering.backwards;
                   });
  bool asksBefore = condition && torch::matchBool(condition) != true;
  Value steps = asksBefore || asksInStep || isEndless ? Value() : tripCount;
  SmallVector<GatheringRoom> rooms;
  for (auto [gathering, type] : llvm::zip_equal(gatherings, outputs))
    rooms.emplace_back(b, gathering, cast<torch::ValueTensorType>(type), steps);

  // The loop carries the values, the buffers and, if it is not known in
  // advance, the number of steps. Buffers grow in an outer loop, if possible.
  bool isCounted = !rooms.empty() && !steps;
  bool isNested = isCounted && llvm::all_of(rooms, [](GatheringRoom &room) {
                    return room.hasKnownRows();
                  });
  Values initial(init);
  for (const GatheringRoom &room : rooms)
    initial.push_back(room.start());
  if (isCounted)
    initial.push_back(b.constant(0));
  llvm::append_range(types,
                     ValueRange(initial).drop_front(types.size()).getTypes());
  initial = castTo(b, types, initial);

  Block &block = region.get().front();
  for (Type type : ArrayRef(types).drop_front(init.size()))
    block.addArgument(type, b.getLoc());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&block);
    Value number = block.getArgument(0);
    if (isNested) {
      number.replaceAllUsesWith(block.getArguments().back());
      number = block.getArguments().back();
    }
    Values after(step->carried);
    for (auto [room, output] : llvm::zip_equal(rooms, step->outputs)) {
      Value before = block.getArgument(after.size() + 1);
      FailureOr<Value> filled = isNested
                                    ? room.put(before, output, number)
                                    : room.putGrowing(before, output, number);
      if (failed(filled))
        return failure();
      after.push_back(*filled);
    }
    if (isCounted)
      after.push_back(b.addInt(number, b.constant(1)));
    Value shouldContinue =
        step->shouldContinue ? step->shouldContinue : b.constantBool(true);
    torch::PrimLoopConditionOp::create(builder, b.getLoc(), shouldContinue,
                                       castTo(b, types, after));
  }
  Value mayBegin = condition ? condition : b.constantBool(true);
  Values last =
      isNested ? buildNested(region.get(), tripCount, mayBegin, initial, rooms)
               : emitLoop(region.get(), tripCount, mayBegin, initial);

  Values results(ArrayRef(last).take_front(init.size()));
  for (auto [room, gathered] :
       llvm::zip(rooms, ArrayRef(last).drop_front(init.size()))) {
    FailureOr<Value> result =
        room.finish(gathered, isCounted ? last.back() : Value());
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  return results;
}

Values LoopBuilder::emitLoop(Region &region, Value tripCount, Value condition,
                             ValueRange initial) {
  auto op =
      torch::PrimLoopOp::create(b.getBuilder(), b.getLoc(), initial.getTypes(),
                                tripCount, condition, initial);
  op.getRegion().takeBody(region);
  return Values(op.getResults());
}

Values LoopBuilder::buildNested(Region &region, Value tripCount,
                                Value condition, ValueRange initial,
                                ArrayRef<GatheringRoom> rooms) {
  // The inner loop also yields the condition on which it ended.
  Block &step = region.front();
  auto end = cast<torch::PrimLoopConditionOp>(step.getTerminator());
  step.addArgument(end.getShouldContinue().getType(), b.getLoc());
  end.getIterArgsMutable().append(end.getShouldContinue());

  DraftRegion outer(b);
  SmallVector<Type> arguments = {torch::IntType::get(b.getContext())};
  llvm::append_range(arguments, initial.getTypes());
  auto emit = [&](Block &block) -> LogicalResult {
    Values begin(block.getArguments().drop_front());
    Value count = begin.back(), places;
    for (auto [room, before] : llvm::zip(
             rooms, llvm::drop_begin(begin, begin.size() - rooms.size() - 1))) {
      before = castTo(b, before.getType(), room.extend(before)).front();
      places = b.size(before, 0);
    }
    begin.push_back(b.constantBool(true));
    Value most = b.minInt(tripCount, places);
    Values after =
        emitLoop(region, b.subInt(most, count), b.constantBool(true), begin);
    Value goesOn = after.pop_back_val();
    Value isLess = b.fold<torch::AtenLtIntOp>(after.back(), tripCount);
    goesOn = b.fold<torch::Aten__And__BoolOp>(goesOn, isLess);
    torch::PrimLoopConditionOp::create(b.getBuilder(), b.getLoc(), goesOn,
                                       after);
    return success();
  };
  (void)emitInto(b, outer.get(), arguments, emit);
  return emitLoop(outer.get(), b.constant(std::numeric_limits<int64_t>::max()),
                  condition, initial);
}

FailureOr<Values> LoopBuilder::buildAfterFirst(Value tripCount) {
  record.begin();
  FailureOr<Step> first = emitStep(b.constant(0), init);
  if (failed(first))
    return failure();
  auto later = [&](Value number, ValueRange carried) {
    return body(b.addInt(number, b.constant(1)), carried);
  };
  LoopRecord ofRest(record);
  LoopBuilder rest(b, first->carried, later, gatherings, ofRest);
  FailureOr<Values> results =
      rest.build(b.subInt(tripCount, b.constant(1)), first->shouldContinue);
  ranksChange = rest.ranksChange;
  return results;
}

int64_t onnx_to_torch::countNodes(Region &body) {
  int64_t nodes = 0;
  body.walk([&](Operation *) { ++nodes; });
  return nodes;
}

FailureOr<Values> onnx_to_torch::buildLoop(NodeBuilder &b, Value tripCount,
                                           Value condition, ValueRange init,
                                           LoopBody body,
                                           ArrayRef<Gathering> gatherings,
                                           int64_t nodes) {
  LoopRecord outermost, *known = b.nextLoop();
  LoopRecord &record = known ? *known : outermost;
  LoopBuilder loop(b, init, body, gatherings, record);
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
  FailureOr<Values> results = loop.build(tripCount, condition);
  if (loop.ranksChange && gatherings.empty()) {
    // paddle2onnx starts with a number in the place of a tensor that the first
    // step makes. No type fits the results of a loop without steps.
    Value hasFirst = b.fold<torch::AtenGtIntOp>(tripCount, b.constant(0));
    if (condition)
      hasFirst = b.fold<torch::Aten__And__BoolOp>(hasFirst, condition);
    b.check(hasFirst, "a first step of a loop whose steps change the rank of "
                      "what they carry");
    results = loop.buildAfterFirst(tripCount);
  }
  if (loop.ranksChange)
    (void)commonType(b, loop.ranksChange->first, loop.ranksChange->second);
  return results;
}
