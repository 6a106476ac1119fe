//===- LinearToConvolution.cpp - Products with a weight as it lies --------===//
//
//   matmul(x, transpose(w)) = conv2d(x, w)
//
// for a weight w: [OC, IC] as a kernel of one pixel, [OC, 1, 1, IC]. TOSA's
// matmul takes [IC, OC], and turning gigabytes of weights costs a copy of them;
// its convolution takes them as PyTorch, and files, have them.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// The constant [OC, IC], or [1, OC, IC], that `value` is the transpose of;
/// null if it is none, or none that lies in a file.
Value transposedWeight(Value value) {
  if (auto reshape = value.getDefiningOp<tosa::ReshapeOp>()) {
    auto from = dyn_cast<RankedTensorType>(reshape.getInput1().getType());
    auto to = cast<ShapedType>(value.getType());
    if (!from || !to.hasStaticShape() || from.getRank() != 2 ||
        from.getShape() != to.getShape().drop_front())
      return {};
    value = reshape.getInput1();
  }
  auto transpose = value.getDefiningOp<tosa::TransposeOp>();
  if (!transpose)
    return {};
  auto constant = transpose.getInput1().getDefiningOp<tosa::ConstOp>();
  ArrayRef<int32_t> order = transpose.getPerms();
  if (!constant || !isa<DenseResourceElementsAttr>(constant.getValues()) ||
      (order != ArrayRef<int32_t>{1, 0} && order != ArrayRef<int32_t>{0, 2, 1}))
    return {};
  return constant;
}

struct MatmulToConvolution : OpRewritePattern<tosa::MatMulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::MatMulOp op,
                                PatternRewriter &rewriter) const override {
    auto input = dyn_cast<RankedTensorType>(op.getA().getType());
    auto result = dyn_cast<RankedTensorType>(op.getType());
    Value weight = transposedWeight(op.getB());
    if (!weight || !input || !result || input.getDimSize(0) != 1 ||
        input.isDynamicDim(2) || !isa<FloatType>(result.getElementType()) ||
        cast<ShapedType>(op.getB().getType()).getDimSize(0) != 1)
      return failure();
    Location loc = op.getLoc();
    int64_t rows = input.getDimSize(1), channels = input.getDimSize(2);
    int64_t outputs = cast<ShapedType>(op.getB().getType()).getDimSize(2);
    auto reshaped = [&](Value value, ArrayRef<int64_t> sizes) -> Value {
      Type type = RankedTensorType::get(sizes, getElementTypeOrSelf(value));
      return tosa::ReshapeOp::create(
          rewriter, loc, type, value,
          tosa::getTosaConstShape(rewriter, loc,
                                  tosa::convertFromMlirShape(sizes)));
    };
    Type element = result.getElementType();
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
    return success();
  }
};

} // namespace

void tosa_layout::populateLinearToConvolution(RewritePatternSet &patterns) {
  patterns.add<MatmulToConvolution>(patterns.getContext());
}
