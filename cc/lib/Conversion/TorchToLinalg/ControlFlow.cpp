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
/// As scf.while: the first region takes (carried, i, condition) and passes
/// (carried, i, i + 1) to the second, which is the body. MLIR updates a tensor
/// in place if it is the same operand of both.
struct LoopLowering : Lowering<PrimLoopOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(PrimLoopOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Type> handedOn;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), handedOn)))
      return decline(op) << "expected carried values of known rank and dtype";
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 64);
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 64);
    SmallVector<Value> inits(adaptor.getIterArgsInit());
    inits.append({zero, adaptor.getInitialCondition()});
    handedOn.append({rewriter.getI64Type(), rewriter.getI64Type()});

    auto loop = scf::WhileOp::create(rewriter, loc, handedOn, inits);
    SmallVector<Location> locations(inits.size(), loc);
    Block *before = rewriter.createBlock(
        &loop.getBefore(), {}, ValueRange(inits).getTypes(), locations);
    SmallVector<Value> values(before->getArguments());
    Value condition = values.pop_back_val(), index = values.back();
    Value inRange =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, index,
                              adaptor.getMaxTripCount());
    Value goesOn = arith::AndIOp::create(rewriter, loc, inRange, condition);
    values.push_back(arith::AddIOp::create(rewriter, loc, index, one));
    scf::ConditionOp::create(rewriter, loc, goesOn, values);

    Block *after =
        rewriter.createBlock(&loop.getAfter(), {}, handedOn, locations);
    FailureOr<Block *> body =
        rewriter.convertRegionTypes(&op.getRegion(), *getTypeConverter());
    if (failed(body))
      return decline(op) << "expected carried values of known rank and dtype";
    ValueRange carried = after->getArguments().drop_back(2);
    SmallVector<Value> arguments = {after->getArgument(carried.size())};
    llvm::append_range(arguments, carried);
    rewriter.mergeBlocks(*body, after, arguments);
    rewriter.replaceOp(op, loop.getResults().drop_back(2));
    return success();
  }
};

struct LoopConditionLowering : Lowering<PrimLoopConditionOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(PrimLoopConditionOp op, Adaptor adaptor,
                                Rewriter &rewriter) const override {
    auto loop = dyn_cast<scf::WhileOp>(op->getParentOp());
    if (!loop)
      return decline(op) << "expected a loop that is lowered";
    SmallVector<Value> values(adaptor.getIterArgs());
    values.append(
        {loop.getAfterArguments().back(), adaptor.getShouldContinue()});
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
