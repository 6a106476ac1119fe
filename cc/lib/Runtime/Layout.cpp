//===- Layout.cpp - Convolutions with channels last -----------------------===//
//
// With the channels last, a convolution reads its filter as vectors of output
// channels, and writes such vectors. So every channels-first convolution
// becomes a channels-last one between transposes, and the transposes move until
// they meet their inverse: down through elementwise ops, up through pads.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Rewrites.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// NCHW to NHWC is {0, 2, 3, 1}.
SmallVector<int64_t> toLast(int64_t rank) {
  SmallVector<int64_t> permutation{0};
  for (int64_t i = 2; i < rank; ++i)
    permutation.push_back(i);
  permutation.push_back(1);
  return permutation;
}

Value transpose(OpBuilder &builder, Location loc, Value value,
                ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes =
      applyPermutation(tensor::getMixedSizes(builder, loc, value), permutation);
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, empty, permutation)
      ->getResult(0);
}

/// The value with its dims permuted; a fill is recreated with permuted dims.
Value permuted(OpBuilder &builder, Location loc, Value value,
               ArrayRef<int64_t> permutation) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return transpose(builder, loc, value, permutation);
  SmallVector<OpFoldResult> sizes =
      applyPermutation(tensor::getMixedSizes(builder, loc, value), permutation);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes,
                                        getElementTypeOrSelf(value.getType()));
  return linalg::FillOp::create(builder, loc, fill.value(), empty).getResult(0);
}

/// Converts `From`, with channels first, to `To`, with channels last. The
/// second operand is permuted by `filter`; if `filter` is empty, it is a
/// pooling window and is not permuted.
template <typename From, typename To>
struct ChannelsLast : OpRewritePattern<From> {
  ChannelsLast(MLIRContext *context, ArrayRef<int64_t> filter)
      : OpRewritePattern<From>(context), filter(filter.begin(), filter.end()) {}

  LogicalResult matchAndRewrite(From op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    Location loc = op.getLoc();
    SmallVector<int64_t> last =
        toLast(cast<ShapedType>(op.getInputs()[0].getType()).getRank());
    Value input = transpose(rewriter, loc, op.getInputs()[0], last);
    Value second = op.getInputs()[1];
    if (!filter.empty())
      second = transpose(rewriter, loc, second, filter);
    Value init = permuted(rewriter, loc, op.getOutputs()[0], last);
    auto result = To::create(rewriter, loc, TypeRange{init.getType()},
                             ValueRange{input, second}, ValueRange{init},
                             op.getStrides(), op.getDilations());
    rewriter.replaceOp(op, transpose(rewriter, loc, result->getResult(0),
                                     invertPermutationVector(last)));
    return success();
  }

  SmallVector<int64_t> filter;
};

/// elementwise(transpose(x), transpose(y)) = transpose(elementwise(x, y))
struct SinkTranspose : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumParallelLoops() != op.getNumLoops() ||
        op.getNumDpsInits() != 1)
      return failure();
    AffineMap out = op.getIndexingMapsArray().back();
    Value init = op.getDpsInits()[0];
    if (!out.isIdentity() || op.hasIndexSemantics() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      return failure();
    linalg::TransposeOp first;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!op.getMatchingIndexingMap(input).isIdentity())
        continue;
      auto here = input->get().getDefiningOp<linalg::TransposeOp>();
      if (!here || (first && here.getPermutation() != first.getPermutation()))
        return failure();
      first = here;
    }
    if (!first)
      return failure();

    // Loop i of the old op is loop permutation[i] of the new one.
    Location loc = op.getLoc();
    ArrayRef<int64_t> permutation = first.getPermutation();
    SmallVector<int64_t> inverse = invertPermutationVector(permutation);
    SmallVector<AffineExpr> dims;
    for (int64_t i = 0; i < int64_t(op.getNumLoops()); ++i)
      dims.push_back(rewriter.getAffineDimExpr(permutation[i]));
    AffineMap loops =
        AffineMap::get(op.getNumLoops(), 0, dims, rewriter.getContext());
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      if (map.isIdentity()) {
        inputs.push_back(
            input->get().getDefiningOp<linalg::TransposeOp>().getInput());
        maps.push_back(map);
      } else {
        inputs.push_back(input->get());
        maps.push_back(map.compose(loops));
      }
    }
    maps.push_back(out);
    Value empty = tensor::EmptyOp::create(
        rewriter, loc,
        applyPermutation(tensor::getMixedSizes(rewriter, loc, init), inverse),
        getElementTypeOrSelf(init.getType()));
    auto sunk =
        linalg::GenericOp::create(rewriter, loc, empty.getType(), inputs, empty,
                                  maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), sunk.getRegion(),
                                sunk.getRegion().end());
    rewriter.replaceOp(
        op, transpose(rewriter, loc, sunk.getResult(0), permutation));
    return success();
  }
};

/// transpose(pad(x)) = pad(transpose(x))
struct RaiseTransposeOverPad : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getInput().getDefiningOp<tensor::PadOp>();
    if (!pad || !pad->hasOneUse() || !pad.getConstantPaddingValue())
      return failure();
    ArrayRef<int64_t> permutation = op.getPermutation();
    Value source =
        transpose(rewriter, op.getLoc(), pad.getSource(), permutation);
    rewriter.replaceOpWithNewOp<tensor::PadOp>(
        op, op->getResult(0).getType(), source,
        applyPermutation(pad.getMixedLowPad(), permutation),
        applyPermutation(pad.getMixedHighPad(), permutation),
        pad.getConstantPaddingValue());
    return success();
  }
};

/// transpose(transpose(x)), and transpose by the identity.
struct MergeTransposes : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (isIdentityPermutation(op.getPermutation())) {
      rewriter.replaceOp(op, op.getInput());
      return success();
    }
    auto inner = op.getInput().getDefiningOp<linalg::TransposeOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> both =
        applyPermutation(inner.getPermutation(), op.getPermutation());
    rewriter.replaceOp(
        op, isIdentityPermutation(both)
                ? inner.getInput()
                : transpose(rewriter, op.getLoc(), inner.getInput(), both));
    return success();
  }
};

bool isMovedWhole(linalg::LinalgOp op) {
  return isa<linalg::TransposeOp, linalg::FillOp, linalg::GenericOp>(op) ||
         !linalg::isElementwise(op);
}

} // namespace

void isthmus::putChannelsLast(ModuleOp module) {
  // Converts all elementwise ops to linalg.generic.
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::LinalgOp> named;
  module.walk([&](linalg::LinalgOp op) {
    if (!isMovedWhole(op))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }

  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  patterns.add<ChannelsLast<linalg::Conv1DNcwFcwOp, linalg::Conv1DNwcWcfOp>>(
      context, ArrayRef<int64_t>{2, 1, 0});
  patterns
      .add<ChannelsLast<linalg::Conv2DNchwFchwOp, linalg::Conv2DNhwcHwcfOp>>(
          context, ArrayRef<int64_t>{2, 3, 1, 0});
  patterns.add<
      ChannelsLast<linalg::Conv3DNcdhwFcdhwOp, linalg::Conv3DNdhwcDhwcfOp>>(
      context, ArrayRef<int64_t>{2, 3, 4, 1, 0});
  patterns.add<ChannelsLast<linalg::DepthwiseConv1DNcwCwOp,
                            linalg::DepthwiseConv1DNwcWcOp>>(
      context, ArrayRef<int64_t>{1, 0});
  patterns.add<ChannelsLast<linalg::DepthwiseConv2DNchwChwOp,
                            linalg::DepthwiseConv2DNhwcHwcOp>>(
      context, ArrayRef<int64_t>{1, 2, 0});
  patterns
      .add<ChannelsLast<linalg::PoolingNcwMaxOp, linalg::PoolingNwcMaxOp>,
           ChannelsLast<linalg::PoolingNcwSumOp, linalg::PoolingNwcSumOp>,
           ChannelsLast<linalg::PoolingNchwMaxOp, linalg::PoolingNhwcMaxOp>,
           ChannelsLast<linalg::PoolingNchwSumOp, linalg::PoolingNhwcSumOp>>(
          context, ArrayRef<int64_t>());
  patterns.add<MergeTransposes, RaiseTransposeOverPad, SinkTranspose>(context);
  // Computes the size of a pad from its input: a tensor.dim would be a second
  // use of the pad and block the transpose below it.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  applyBounded(module, std::move(patterns));
}
