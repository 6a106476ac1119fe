//===- ControlFlow.cpp - Ifs, loops and assertions to scf -----------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

FailureOr<LoweredResults>
lowerAssert(RuntimeAssertOp op, RuntimeAssertOp::Adaptor in, LinalgBuilder &b) {
  b.sizes.stopUnless(in.getCondition(), op.getMessage());
  return LoweredResults();
}

struct IfLowering : Lowering<PrimIfOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(PrimIfOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), results)))
      return decline(op) << "expected results of known rank and dtype";
    auto newOp = scf::IfOp::create(
        rewriter, op.getLoc(), results, adaptor.getCondition(),
        /*addThenBlock=*/false, /*addElseBlock=*/false);
    rewriter.inlineRegionBefore(op.getThenRegion(), newOp.getThenRegion(),
                                newOp.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), newOp.getElseRegion(),
                                newOp.getElseRegion().end());
    rewriter.replaceOp(op, newOp);
    return success();
  }
};

struct IfYieldLowering : Lowering<PrimIfYieldOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(PrimIfYieldOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op, adaptor.getOperands());
    return success();
  }
};

/// A loop runs as long as its trip count and its condition allow:
///   for (i = 0; i < max && condition; ++i) (condition, carried) = body(i,
///   carried)
/// As scf.while, (carried, i) goes to both regions, of which the second is the
/// body, and i becomes max if the condition does not hold. IREE 3.13 compiles a
/// loop whose regions take other types to wrong numbers.
struct LoopLowering : Lowering<PrimLoopOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(PrimLoopOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return decline(op) << "expected carried values of known rank and dtype";
    types.push_back(rewriter.getI64Type());
    SmallVector<Location> locations(types.size(), loc);
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 64),
          end = adaptor.getMaxTripCount();
    SmallVector<Value> inits(adaptor.getIterArgsInit());
    inits.push_back(arith::SelectOp::create(
        rewriter, loc, adaptor.getInitialCondition(), zero, end));

    auto loop = scf::WhileOp::create(rewriter, loc, types, inits);
    Block *before =
        rewriter.createBlock(&loop.getBefore(), {}, types, locations);
    Value goesOn =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                              before->getArguments().back(), end);
    scf::ConditionOp::create(rewriter, loc, goesOn, before->getArguments());

    Block *after = rewriter.createBlock(&loop.getAfter(), {}, types, locations);
    FailureOr<Block *> body =
        rewriter.convertRegionTypes(&op.getRegion(), *getTypeConverter());
    if (failed(body))
      return decline(op) << "expected carried values of known rank and dtype";
    SmallVector<Value> arguments = {after->getArguments().back()};
    llvm::append_range(arguments, after->getArguments().drop_back());
    rewriter.mergeBlocks(*body, after, arguments);
    rewriter.replaceOp(op, loop.getResults().drop_back());
    return success();
  }
};

struct LoopConditionLowering : Lowering<PrimLoopConditionOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(PrimLoopConditionOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    auto loop = dyn_cast<scf::WhileOp>(op->getParentOp());
    auto goesOn = loop ? loop.getConditionOp()
                             .getCondition()
                             .getDefiningOp<arith::CmpIOp>()
                       : arith::CmpIOp();
    if (!goesOn)
      return decline(op) << "expected a loop that is lowered";
    Location loc = op.getLoc();
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 64);
    Value next = arith::AddIOp::create(rewriter, loc,
                                       loop.getAfterArguments().back(), one);
    SmallVector<Value> values(adaptor.getIterArgs());
    values.push_back(arith::SelectOp::create(
        rewriter, loc, adaptor.getShouldContinue(), next, goesOn.getRhs()));
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op, values);
    return success();
  }
};

} // namespace

void torch_to_linalg::populateControlFlow(LinalgLowerings &lowerings) {
  lowerings.add(lowerAssert);
  lowerings.addPatterns<IfLowering, IfYieldLowering, LoopConditionLowering,
                        LoopLowering>();
}
