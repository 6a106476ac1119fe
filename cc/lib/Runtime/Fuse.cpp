//===- Fuse.cpp - Elementwise fusion --------------------------------------===//

#include "Codegen.h"
#include "Rewrites.h"
#include "VectorLoops.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// True if the op copies its input without computing anything.
bool isCopy(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getBlock()->without_terminator().empty() &&
         op.getBlock()->getTerminator()->getOperand(0) ==
             op.getBlock()->getArgument(0);
}

bool isConstant(Value value) {
  return isa_and_nonnull<bufferization::ToTensorOp>(value.getDefiningOp());
}

/// False if only `use` determines the trip count of a loop: a splat filter is
/// read only for its sizes. After fusion, the producer would remain as a
/// result, only to give the sizes.
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

/// A longer body gains nothing, since the intermediate values are in the cache
/// anyway, and each fusion would copy all of its ops.
constexpr size_t kMostOpsOfBody = 64;

bool shouldFuse(OpOperand *use) {
  auto producer = use->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(use->getOwner());
  if (!producer || !consumer || !sizesAreKnownWithout(use, producer, consumer))
    return false;
  // A reduction of one element, whose loop was dropped, adds to its initial
  // value. In a consumer with more loops it would do so several times.
  if (llvm::any_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
        return producer.payloadUsesValueFromOperand(&init);
      }))
    return false;
  // A contraction reads its operands many times, so a fused producer would be
  // recomputed for each read. Only a permutation of a weight is fused, since
  // the weight is packed anyway.
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

/// The loops of an op that are dropped if their trip count is one. The loop o
/// over windows is kept even if there is only one window: o * stride + k would
/// become k, and a loop indexed by k alone has the trip count of the input, not
/// of the window.
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

/// True if a reshape, of an operand or of the result of a product, splits loops
/// of its batch only. Without the reshape, an attention whose scores have a dim
/// for the heads is one group of ops.
bool splitsBatch(OpOperand *use) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(use->getOwner());
  auto collapse = use->get().getDefiningOp<tensor::CollapseShapeOp>();
  auto product = expand ? use->get().getDefiningOp<linalg::GenericOp>()
                        : dyn_cast<linalg::GenericOp>(use->getOwner());
  if (!product || (!expand && !collapse))
    return false;
  std::optional<ContractionLoops> loops = matchContraction(product);
  if (!loops)
    return false;
  AffineMap map =
      expand ? product.getIndexingMapMatchingResult(cast<OpResult>(use->get()))
             : product.getMatchingIndexingMap(use);
  auto groups = expand ? expand.getReassociationIndices()
                       : collapse.getReassociationIndices();
  ArrayRef<int64_t> split =
      expand ? expand.getType().getShape() : collapse.getSrcType().getShape();
  for (auto [group, index] : llvm::zip_equal(groups, map.getResults())) {
    if (group.size() == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop || !llvm::is_contained(loops->batch, loop.getPosition()) ||
        llvm::count_if(group, [split](int64_t dim) {
          return split[dim] != 1;
        }) < 2) // a dim of one element, which was dropped
      return false;
  }
  return true;
}

/// A reshaped constant is a constant: reshape(to_tensor(x)) =
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

/// A loop without dims whose results were unused has only the checks of its
/// body left, and no operands. MLIR's conversion to loops does not see it.
void inlineChecks(ModuleOp module, IRRewriter &rewriter) {
  module.walk([&](linalg::GenericOp op) {
    if (op.getNumLoops() != 0 || op->getNumOperands() != 0)
      return;
    rewriter.eraseOp(op.getBlock()->getTerminator());
    rewriter.inlineBlockBefore(op.getBlock(), op);
    rewriter.eraseOp(op);
  });
}

} // namespace

void isthmus::fuseElementwise(ModuleOp module) {
  MLIRContext *context = module.getContext();
  // Converts all ops to linalg.generic; fills stay as they are.
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

  // Loops with a trip count of one obscure the kind of an op: a batch of one is
  // no batch.
  linalg::ControlDropUnitDims unitDims;
  unitDims.controlFn = droppableLoops;
  RewritePatternSet dropping(context);
  linalg::populateFoldUnitExtentDimsPatterns(dropping, unitDims);
  walkAndApplyPatterns(module, std::move(dropping));
  RewritePatternSet cleanup(context);
  linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(cleanup, unitDims);
  applyBounded(module, std::move(cleanup));
  // Separate from the previous patterns: one of those reduces the rank of a
  // slice by a reshape, which one of these folds into the slice, forever.
  // Initial values and sizes follow a product whose batch is split.
  RewritePatternSet reshapes(context);
  linalg::populateFoldReshapeOpsByExpansionPatterns(reshapes, splitsBatch);
  linalg::FillOp::getCanonicalizationPatterns(reshapes, context);
  tensor::populateFoldTensorEmptyPatterns(reshapes);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(reshapes);
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
  inlineChecks(module, rewriter);
}
