//===- Loops.cpp - torch.prim.If and torch.prim.Loop ----------------------===//

#include "Loops.h"
#include "isthmus/Dialect/Torch/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

/// The type that two values fit into; declines when there is none.
static FailureOr<Type> commonType(NodeBuilder &b, Type first, Type second) {
  if (first == second)
    return first;
  auto x = dyn_cast<torch::ValueTensorType>(first),
       y = dyn_cast<torch::ValueTensorType>(second);
  if (!x || !y || x.getDtype() != y.getDtype() || x.getRank() != y.getRank())
    return b.decline()
           << "expected values of one rank and dtype from every path, got "
           << first << " and " << second;
  SmallVector<int64_t> sizes(x.getSizes());
  for (auto [size, other] : llvm::zip(sizes, y.getSizes()))
    if (size != other)
      size = ShapedType::kDynamic;
  return Type(torch::ValueTensorType::get(b.getContext(), sizes, x.getDtype()));
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

/// The steps of a loop one after the other; nullopt when they depend on a
/// condition that is known at run time only.
static FailureOr<std::optional<Values>>
unroll(NodeBuilder &b, int64_t tripCount, ValueRange init, LoopBody body) {
  Values carried(init);
  for (int64_t number = 0; number < tripCount; ++number) {
    FailureOr<Step> step = body(b.constant(number), carried);
    if (failed(step))
      return failure();
    carried = step->carried;
    if (!step->shouldContinue)
      continue;
    std::optional<bool> shouldContinue = torch::matchBool(step->shouldContinue);
    if (!shouldContinue)
      return std::optional<Values>();
    if (!*shouldContinue)
      break;
  }
  return std::optional<Values>(carried);
}

FailureOr<Values> onnx_to_torch::buildLoop(NodeBuilder &b, Value tripCount,
                                           Value condition, ValueRange init,
                                           LoopBody body) {
  OpBuilder &builder = b.getBuilder();
  if (condition && torch::matchBool(condition) == false)
    return Values(init);
  std::optional<int64_t> known = torch::matchInt(tripCount);
  if (known && *known <= maxUnrolled &&
      (!condition || torch::matchBool(condition))) {
    FailureOr<std::optional<Values>> results = unroll(b, *known, init, body);
    if (failed(results) || *results)
      return failed(results) ? FailureOr<Values>()
                             : FailureOr<Values>(**results);
  }

  // What a step leaves behind may have other sizes than what it began with:
  // emit the body again until the types of both agree. Each time some size is
  // left open that was not before, so this ends.
  SmallVector<Type> types = llvm::to_vector(init.getTypes());
  DraftRegion region(b);
  for (bool isStable = false; !isStable;) {
    region.clear();
    SmallVector<Type> arguments = {torch::IntType::get(b.getContext())};
    llvm::append_range(arguments, types);
    auto emit = [&](Block &block) -> LogicalResult {
      FailureOr<Step> step =
          body(block.getArgument(0), block.getArguments().drop_front());
      if (failed(step))
        return failure();
      FailureOr<SmallVector<Type>> common =
          commonTypes(b, types, ValueRange(step->carried).getTypes());
      if (failed(common))
        return failure();
      isStable = *common == types;
      types = *common;
      if (!isStable)
        return success();
      Value shouldContinue =
          step->shouldContinue ? step->shouldContinue : b.constantBool(true);
      torch::PrimLoopConditionOp::create(builder, b.getLoc(), shouldContinue,
                                         castTo(b, types, step->carried));
      return success();
    };
    if (failed(emitInto(b, region.get(), arguments, emit)))
      return failure();
  }
  auto op = torch::PrimLoopOp::create(
      builder, b.getLoc(), types, tripCount,
      condition ? condition : b.constantBool(true), castTo(b, types, init));
  op.getRegion().takeBody(region.get());
  return Values(op.getResults());
}
