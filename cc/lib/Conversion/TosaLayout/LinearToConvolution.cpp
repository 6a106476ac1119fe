//===- LinearToConvolution.cpp - Products with an untransposed weight -----===//
//
//   matmul(x, transpose(w)) = conv2d(x, w)
//
// for a weight w: [OC, IC] as a one-pixel kernel, [OC, 1, 1, IC]. TOSA's matmul
// takes [IC, OC], and transposing gigabytes of weights costs a copy of them;
// its convolution takes the layout of PyTorch and its files.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// True if it transposes a weight stored as a resource, [OC, IC] or [1, OC,
/// IC].
bool turnsWeight(tosa::TransposeOp op) {
  auto constant = op.getInput1().getDefiningOp<tosa::ConstOp>();
  ArrayRef<int32_t> order = op.getPerms();
  return constant && isa<DenseResourceElementsAttr>(constant.getValues()) &&
         (order == ArrayRef<int32_t>{1, 0} ||
          order == ArrayRef<int32_t>{0, 2, 1});
}

/// True if it reshapes [IC, OC] to [1, IC, OC].
bool addsBatch(tosa::ReshapeOp op) {
  auto from = cast<ShapedType>(op.getInput1().getType());
  auto to = cast<ShapedType>(op.getType());
  return to.hasStaticShape() && from.hasRank() && from.getRank() == 2 &&
         from.getShape() == to.getShape().drop_front();
}

/// The matmuls with `turned` as their right operand, on floats, with one batch
/// and a known IC.
void collectProducts(Value turned, SmallVectorImpl<tosa::MatMulOp> &products) {
  for (OpOperand &use : turned.getUses()) {
    auto product = dyn_cast<tosa::MatMulOp>(use.getOwner());
    if (auto reshape = dyn_cast<tosa::ReshapeOp>(use.getOwner());
        reshape && addsBatch(reshape))
      collectProducts(reshape, products);
    if (!product || &use != &product.getBMutable())
      continue;
    auto input = dyn_cast<RankedTensorType>(product.getA().getType());
    auto result = dyn_cast<RankedTensorType>(product.getType());
    if (input && result && input.getDimSize(0) == 1 && !input.isDynamicDim(2) &&
        isa<FloatType>(result.getElementType()) &&
        cast<ShapedType>(turned.getType()).getDimSize(0) == 1)
      products.push_back(product);
  }
}

void convolve(tosa::MatMulOp op, Value weight, PatternRewriter &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  auto input = cast<RankedTensorType>(op.getA().getType());
  int64_t rows = input.getDimSize(1), channels = input.getDimSize(2);
  int64_t outputs = cast<ShapedType>(op.getB().getType()).getDimSize(2);
  auto reshaped = [&](Value value, ArrayRef<int64_t> sizes) -> Value {
    Type type = RankedTensorType::get(sizes, getElementTypeOrSelf(value));
    return tosa::ReshapeOp::create(
        rewriter, loc, type, value,
        tosa::getTosaConstShape(rewriter, loc,
                                tosa::convertFromMlirShape(sizes)));
  };
  Type element = getElementTypeOrSelf(op.getType());
  auto biasType = RankedTensorType::get({outputs}, element);
  Value bias = tosa::ConstOp::create(
      rewriter, loc, biasType,
      DenseElementsAttr::get(biasType, rewriter.getZeroAttr(element)));
  Value convolved = tosa::Conv2DOp::create(
      rewriter, loc, RankedTensorType::get({1, rows, 1, outputs}, element),
      reshaped(op.getA(), {1, rows, 1, channels}),
      reshaped(weight, {outputs, 1, 1, channels}), bias, op.getAZp(),
      op.getBZp(), /*pad=*/{0, 0, 0, 0}, /*stride=*/{1, 1},
      /*dilation=*/{1, 1}, element.isF64() ? element : rewriter.getF32Type());
  rewriter.replaceOp(op, reshaped(convolved, {1, rows, outputs}));
}

/// Matches the transpose rather than a product, so that it applies before the
/// transpose is folded.
struct ProductsToConvolutions : OpRewritePattern<tosa::TransposeOp> {
  explicit ProductsToConvolutions(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(tosa::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<tosa::MatMulOp> products;
    if (turnsWeight(op))
      collectProducts(op, products);
    for (tosa::MatMulOp product : products)
      convolve(product, op.getInput1(), rewriter);
    return success(!products.empty());
  }
};

} // namespace

void tosa_layout::populateLinearToConvolution(RewritePatternSet &patterns) {
  patterns.add<ProductsToConvolutions>(patterns.getContext());
}
