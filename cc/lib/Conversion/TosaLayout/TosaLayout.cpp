//===- TosaLayout.cpp - Fewer layout changes in TOSA ----------------------===//

#include "Patterns.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Support/Prefetch.h"
#include "isthmus/Support/StandIns.h"
#include "isthmus/Support/TosaResources.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace isthmus {
#define GEN_PASS_DEF_TOSASIMPLIFYLAYOUT
#include "isthmus/Conversion/Passes.h.inc"
} // namespace isthmus

using namespace mlir;
using namespace isthmus;

MutableArrayRef<OpOperand> tosa_layout::pointwiseOperands(Operation *op) {
  if (isa<tosa::MulOp>(op))
    return op->getOpOperands().take_front(2);
  if (isa<tosa::NegateOp>(op))
    return op->getOpOperands().take_front(1);
  if (isa<tosa::CastOp>(op) ||
      op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>())
    return op->getOpOperands();
  return {};
}

namespace {

/// The next op to process; stays valid while patterns erase ops.
struct Next : RewriterBase::Listener {
  explicit Next(Block &block) : op(block.empty() ? nullptr : &block.front()) {}

  void advance() { op = op->getNextNode(); }
  void notifyOperationErased(Operation *erased) override {
    if (erased == op)
      advance();
  }

  Operation *op;
};

/// Applies patterns until none applies, one stretch of ops at a time: for much
/// longer stretches, the driver's worklist would not fit into the caches.
LogicalResult simplifyBlock(Block &block,
                            const FrozenRewritePatternSet &patterns) {
  const size_t most = stretchSize(2048);
  Next next(block);
  GreedyRewriteConfig config;
  config.setListener(&next).setScope(block.getParent());
  SmallVector<Operation *> stretch;
  while (next.op) {
    stretch.clear();
    for (; next.op && stretch.size() < most; next.advance()) {
      prefetchNext(next.op);
      next.op->walk([&](Operation *op) { stretch.push_back(op); });
    }
    if (failed(applyOpPatternsGreedily(stretch, patterns, config)))
      return failure();
  }
  return success();
}

/// The canonicalization patterns of TOSA.
void populateCanonicalization(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  auto *dialect = context->getLoadedDialect<tosa::TosaDialect>();
  dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (&op.getDialect() == dialect)
      op.getCanonicalizationPatterns(patterns, context);
}

struct TosaSimplifyLayout
    : isthmus::impl::TosaSimplifyLayoutBase<TosaSimplifyLayout> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateCanonicalization(patterns);
    tosa_layout::populateLinearToConvolution(patterns);
    tosa_layout::populateSinkTransposes(patterns);
    tosa_layout::populateDropTiles(patterns);
    tosa_layout::populateFoldConstants(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    hideTosaResources(getOperation());
    getOperation()->walk<WalkOrder::PreOrder>([&](func::FuncOp func) {
      for (Block &block : func.getBody())
        if (failed(simplifyBlock(block, frozen)))
          signalPassFailure();
      return WalkResult::skip();
    });
    showTosaResources(getOperation(),
                      [](OpBuilder &builder, Location loc,
                         DenseResourceElementsAttr elements) -> Value {
                        return tosa::ConstOp::create(
                            builder, loc, elements.getType(), elements);
                      });
  }
};

} // namespace
