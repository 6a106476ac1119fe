//===- TosaLayout.cpp - Fewer layout changes in TOSA ----------------------===//

#include "Patterns.h"
#include "isthmus/Conversion/Passes.h"
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

struct TosaSimplifyLayout
    : isthmus::impl::TosaSimplifyLayoutBase<TosaSimplifyLayout> {
  void runOnOperation() override {
    // Before transposes of weights are folded.
    RewritePatternSet products(&getContext());
    tosa_layout::populateLinearToConvolution(products);
    if (failed(applyPatternsGreedily(getOperation(), std::move(products))))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    tosa_layout::populateSinkTransposes(patterns);
    tosa_layout::populateDropTiles(patterns);
    tosa_layout::populateFoldConstants(patterns);
    // Two transposes in a row, and those that move no element but dims of
    // size 1.
    tosa::TransposeOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
