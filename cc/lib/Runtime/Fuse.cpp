//===- Fuse.cpp - Elementwise ops into one --------------------------------===//

#include "Codegen.h"
#include "Rewrites.h"
#include "VectorLoops.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

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

/// False if `use` alone tells how often a loop turns: a filter of one value is
/// read for its sizes. Fused, the producer would stay as a result that only
/// says them.
bool sizesAreKnownWithout(OpOperand *use, linalg::GenericOp producer,
                          linalg::GenericOp consumer) {
  AffineMap written =
      inversePermutation(producer.getIndexingMapsArray().back());
  if (!written)
    return false;
  AffineMap loops =
      written.compose(consumer.getMatchingIndexingMap(use)); // of the producer
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : consumer->getOpOperands())
    if (&operand != use)
      maps.push_back(consumer.getMatchingIndexingMap(&operand));
  for (OpOperand *input : producer.getDpsInputOperands())
    maps.push_back(producer.getMatchingIndexingMap(input).compose(loops));
  return bool(
      inversePermutation(concatAffineMaps(maps, consumer.getContext())));
}

/// More ops than this in one body are a chain whose numbers are in the cache
/// anyway, and each fusion would copy all of them.
constexpr size_t kMostOpsOfBody = 64;

bool shouldFuse(OpOperand *use) {
  auto producer = use->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(use->getOwner());
  if (!producer || !consumer || !sizesAreKnownWithout(use, producer, consumer))
    return false;
  // A contraction reads its operands many times: what was computed once would
  // be computed for each. Only the order of a weight is taken in, since the
  // weight is packed anyway.
  if (matchContraction(consumer))
    return isCopy(producer) && isConstant(producer.getDpsInputs()[0]) &&
           producer.getIndexingMapsArray()[0].isPermutation();
  if (isCopy(producer))
    return true;
  return producer->hasOneUse() && consumer->getNumOperands() < 16 &&
         producer.getBlock()->getOperations().size() +
                 consumer.getBlock()->getOperations().size() <=
             kMostOpsOfBody;
}

/// The loops of an op that are dropped if they turn once. Not those of a single
/// window: of o * stride + k there would be left k, and a loop over it alone
/// turns as often as the input has elements, not as the window has.
SmallVector<unsigned> droppableLoops(Operation *op) {
  SmallVector<unsigned> loops = linalg::ControlDropUnitDims().controlFn(op);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return loops;
  SmallVector<int64_t> ranges = generic.getStaticLoopRanges();
  SmallVector<AffineExpr> left;
  for (auto [loop, range] : llvm::enumerate(ranges))
    left.push_back(range == 1 ? getAffineConstantExpr(0, op->getContext())
                              : getAffineDimExpr(loop, op->getContext()));
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = generic.getMatchingIndexingMap(&operand);
    for (auto [place, size] :
         llvm::zip_equal(map.getResults(), generic.getShape(&operand))) {
      auto alone = dyn_cast<AffineDimExpr>(place.replaceDims(left));
      if (alone && ranges[alone.getPosition()] != size)
        llvm::erase_if(loops, [place = place](unsigned loop) {
          return place.isFunctionOfDim(loop);
        });
    }
  }
  return loops;
}

/// A constant in another shape is a constant: reshape(to_tensor(x)) =
/// to_tensor(reshape(x)).
template <typename Reshape, typename BufferReshape>
struct ReshapeOfConstant : OpRewritePattern<Reshape> {
  using OpRewritePattern<Reshape>::OpRewritePattern;

  LogicalResult matchAndRewrite(Reshape op,
                                PatternRewriter &rewriter) const override {
    auto constant =
        op.getSrc().template getDefiningOp<bufferization::ToTensorOp>();
    auto type = cast<RankedTensorType>(op.getType());
    if (!constant || !type.hasStaticShape())
      return failure();
    rewriter.setInsertionPointAfter(constant);
    Value buffer = BufferReshape::create(
        rewriter, op.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()),
        constant.getBuffer(), op.getReassociationIndices());
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(op, type, buffer,
                                                           /*restrict=*/true);
    return success();
  }
};

} // namespace

void isthmus::fuseElementwise(ModuleOp module) {
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

  // Loops that turn once hide what an op is: a batch of one is no batch.
  linalg::ControlDropUnitDims unitDims;
  unitDims.controlFn = droppableLoops;
  RewritePatternSet dropping(context);
  linalg::populateFoldUnitExtentDimsPatterns(dropping, unitDims);
  walkAndApplyPatterns(module, std::move(dropping));
  RewritePatternSet cleanup(context);
  linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(cleanup, unitDims);
  applyBounded(module, std::move(cleanup));
  // Apart from the former: one reduces the rank of a slice by a reshape, which
  // the other folds into the slice, for ever.
  RewritePatternSet reshapes(context);
  tensor::populateReassociativeReshapeFoldingPatterns(reshapes);
  reshapes
      .add<ReshapeOfConstant<tensor::CollapseShapeOp, memref::CollapseShapeOp>,
           ReshapeOfConstant<tensor::ExpandShapeOp, memref::ExpandShapeOp>>(
          context);
  applyBounded(module, std::move(reshapes));

  RewritePatternSet patterns(context);
  linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
  applyBounded(module, std::move(patterns));
}
