//===- Fuse.cpp - Elementwise ops into one --------------------------------===//

#include "Codegen.h"
#include "VectorLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// The input is moved, not computed with.
bool isCopy(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getBlock()->without_terminator().empty() &&
         op.getBlock()->getTerminator()->getOperand(0) ==
             op.getBlock()->getArgument(0);
}

bool isConstant(Value value) {
  return isa_and_nonnull<bufferization::ToTensorOp>(value.getDefiningOp());
}

bool shouldFuse(OpOperand *use) {
  auto producer = use->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(use->getOwner());
  if (!producer || !consumer)
    return false;
  // A contraction reads its operands many times: what was computed once would
  // be computed for each. Only the order of a weight is taken in, since the
  // weight is packed anyway.
  if (matchContraction(consumer))
    return isCopy(producer) && isConstant(producer.getDpsInputs()[0]) &&
           producer.getIndexingMapsArray()[0].isPermutation();
  if (isCopy(producer))
    return true;
  return producer->hasOneUse() && consumer->getNumOperands() < 16;
}

} // namespace

LogicalResult isthmus::fuseElementwise(ModuleOp module) {
  MLIRContext *context = module.getContext();
  // All in one form; a fill says best what it is.
  IRRewriter rewriter(context);
  SmallVector<linalg::LinalgOp> named;
  module.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op) &&
        op.hasPureTensorSemantics())
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }

  RewritePatternSet patterns(context);
  linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(module, std::move(patterns));
}
