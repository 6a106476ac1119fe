//===- ControlFlow.cpp - prim.If and prim.Loop to MHLO --------------------===//

#include "Families.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

struct IfLowering : Lowering<torch::PrimIfOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::PrimIfOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return decline(op) << "expected results that are tensors or scalars";
    auto branch = mhlo::IfOp::create(rewriter, op.getLoc(), types,
                                     adaptor.getCondition());
    rewriter.inlineRegionBefore(op.getThenRegion(), branch.getTrueBranch(),
                                branch.getTrueBranch().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), branch.getFalseBranch(),
                                branch.getFalseBranch().end());
    rewriter.replaceOp(op, branch);
    return success();
  }
};

struct IfYieldLowering : Lowering<torch::PrimIfYieldOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::PrimIfYieldOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<mhlo::ReturnOp>(op, adaptor.getResults());
    return success();
  }
};

/// while (i < maxTripCount && condition), with i, the condition and the values
/// of the loop carried.
struct LoopLowering : Lowering<torch::PrimLoopOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::PrimLoopOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    HloBuilder b(rewriter, op.getLoc());
    SmallVector<Value> inits = {b.scalar(int64_t(0), rewriter.getI64Type()),
                                adaptor.getInitialCondition()};
    llvm::append_range(inits, adaptor.getIterArgsInit());
    SmallVector<Type> types = llvm::to_vector(ValueRange(inits).getTypes());
    SmallVector<Location> locs(types.size(), op.getLoc());
    auto loop = mhlo::WhileOp::create(rewriter, op.getLoc(), types, inits);

    OpBuilder::InsertionGuard guard(rewriter);
    Block *test = rewriter.createBlock(&loop.getCond(), {}, types, locs);
    Value isBelow = b.compare(hlo::ComparisonDirection::LT,
                              test->getArgument(0), adaptor.getMaxTripCount());
    mhlo::ReturnOp::create(
        rewriter, op.getLoc(),
        b.create<mhlo::AndOp>(isBelow, test->getArgument(1)));

    // The region's first argument is i; the condition is inserted after it.
    Region &region = op.getRegion();
    TypeConverter::SignatureConversion signature(region.getNumArguments());
    signature.addInputs(0, types[0]);
    signature.addInputs(types[1]);
    for (unsigned i = 1; i < region.getNumArguments(); ++i)
      signature.addInputs(i, types[i + 1]);
    rewriter.applySignatureConversion(&region.front(), signature,
                                      getTypeConverter());
    rewriter.inlineRegionBefore(region, loop.getBody(), loop.getBody().end());
    rewriter.replaceOp(op, loop->getResults().drop_front(2));
    return success();
  }
};

struct LoopConditionLowering : Lowering<torch::PrimLoopConditionOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::PrimLoopConditionOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    HloBuilder b(rewriter, op.getLoc());
    Value i = op->getBlock()->getArgument(0);
    if (!isa<RankedTensorType>(i.getType()))
      return decline(op) << "the loop around it was not lowered";
    SmallVector<Value> carried = {
        b.create<mhlo::AddOp>(i, b.scalar(int64_t(1), rewriter.getI64Type())),
        adaptor.getShouldContinue()};
    llvm::append_range(carried, adaptor.getIterArgs());
    rewriter.replaceOpWithNewOp<mhlo::ReturnOp>(op, carried);
    return success();
  }
};

} // namespace

void torch_to_mhlo::populateControlFlow(HloLowerings &lowerings) {
  // XLA cannot end a program.
  lowerings.add(dropAssertion<torch::RuntimeAssertOp, HloBuilder>);
  lowerings.addPatterns<IfLowering, IfYieldLowering, LoopConditionLowering,
                        LoopLowering>();
}
