//===- ControlFlow.cpp - prim.If and prim.Loop to TOSA --------------------===//
//
// The regions of TOSA's control flow can use only their arguments; values from
// outside are passed to them afterwards (IsolateRegions.cpp).
//
//===----------------------------------------------------------------------===//

#include "Families.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

struct IfLowering : Lowering<torch::PrimIfOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::PrimIfOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return decline(op) << "expected results that are tensors or scalars";
    auto target = tosa::IfOp::create(rewriter, op.getLoc(), types,
                                     adaptor.getCondition(), ValueRange());
    rewriter.inlineRegionBefore(op.getThenRegion(), target.getThenGraph(),
                                target.getThenGraph().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), target.getElseGraph(),
                                target.getElseGraph().end());
    rewriter.replaceOp(op, target.getResults());
    return success();
  }
};

/// The first of `given` whose type is not the one of `types`: both types.
static std::optional<std::pair<Type, Type>> otherType(ValueRange given,
                                                      TypeRange types) {
  for (auto [value, type] : llvm::zip_equal(given, types))
    if (value.getType() != type)
      return std::pair(value.getType(), type);
  return std::nullopt;
}

struct IfYieldLowering : Lowering<torch::PrimIfYieldOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::PrimIfYieldOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    if (!isa<tosa::IfOp>(op->getParentOp()))
      return decline(op) << "the prim.If around it was not lowered";
    if (auto other = otherType(adaptor.getOperands(),
                               op->getParentOp()->getResultTypes()))
      return decline(op) << "TOSA has branches whose results have one type, "
                            "got "
                         << other->first << " for " << other->second;
    rewriter.replaceOpWithNewOp<tosa::YieldOp>(op, adaptor.getOperands());
    return success();
  }
};

/// prim.Loop(n, condition, values) is a while loop that carries (i, condition,
/// values) from i = 0, as long as i < n and the condition holds.
struct LoopLowering : Lowering<torch::PrimLoopOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::PrimLoopOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getIterArgsInit().getTypes(),
                                                types)))
      return decline(op)
             << "expected carried values that are tensors or scalars";
    TosaBuilder b(rewriter, op.getLoc());
    Type i32 = b.tensor({}, b.i32()), i1 = b.tensor({}, b.i1());
    types.insert(types.begin(), {i32, i1});
    // No loop reaches 2^31 iterations, so a larger bound is no bound.
    Value count = adaptor.getMaxTripCount();
    if (std::optional<int64_t> known = torch::matchInt(op.getMaxTripCount()))
      count = b.splat(std::clamp<int64_t>(*known, 0, INT32_MAX), b.i32());
    SmallVector<Value> initial = {b.splat(0, b.i32()),
                                  adaptor.getInitialCondition()};
    llvm::append_range(initial, adaptor.getIterArgsInit());
    auto loop = tosa::WhileOp::create(rewriter, op.getLoc(), types, initial);

    Block *condition =
        rewriter.createBlock(&loop.getCondGraph(), {}, types,
                             SmallVector<Location>(types.size(), op.getLoc()));
    Value goesOn = b.logicalAnd(b.greater(count, condition->getArgument(0)),
                                condition->getArgument(1));
    tosa::YieldOp::create(rewriter, op.getLoc(), goesOn);

    TypeConverter::SignatureConversion signature(
        op.getRegion().getNumArguments());
    signature.addInputs(0, i32);
    signature.addInputs(
        i1); // the condition, which is not an argument of the torch region
    for (auto [index, type] : llvm::enumerate(ArrayRef(types).drop_front(2)))
      signature.addInputs(index + 1, type);
    rewriter.inlineRegionBefore(op.getRegion(), loop.getBodyGraph(),
                                loop.getBodyGraph().end());
    rewriter.applySignatureConversion(&loop.getBodyGraph().front(), signature,
                                      getTypeConverter());
    rewriter.replaceOp(op, loop.getResults().drop_front(2));
    return success();
  }
};

struct LoopConditionLowering : Lowering<torch::PrimLoopConditionOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::PrimLoopConditionOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    if (!isa<tosa::WhileOp>(op->getParentOp()))
      return decline(op) << "the prim.Loop around it was not lowered";
    TypeRange types = op->getParentOp()->getResultTypes();
    if (auto other = otherType(adaptor.getIterArgs(), types.drop_front(2)))
      return decline(op) << "TOSA has loops whose carried values keep their "
                            "type, got "
                         << other->first << " for " << other->second;
    TosaBuilder b(rewriter, op.getLoc());
    SmallVector<Value> next = {
        b.add(op->getBlock()->getArgument(0), b.splat(1, b.i32()))};
    llvm::append_range(next, adaptor.getOperands());
    rewriter.replaceOpWithNewOp<tosa::YieldOp>(op, next);
    return success();
  }
};

} // namespace

void torch_to_tosa::populateControlFlow(TosaLowerings &lowerings) {
  // TOSA cannot end a program.
  lowerings.add(dropAssertion<torch::RuntimeAssertOp, TosaBuilder>);
  lowerings.addPatterns<IfLowering, IfYieldLowering, LoopConditionLowering,
                        LoopLowering>();
}
