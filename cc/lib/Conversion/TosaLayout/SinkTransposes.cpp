//===- SinkTransposes.cpp - Transposes move towards the results -----------===//
//
// A transpose after a convolution and the one before the next cancel if they
// are adjacent. The ops between them are pointwise or work on a dim that can be
// renumbered, so the transpose moves past them. The patterns terminate, since
// transposes move in one direction only.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace isthmus;

namespace {

using Order = ArrayRef<int32_t>;

SmallVector<int32_t> inverted(Order order) {
  SmallVector<int32_t> inverse(order.size());
  for (auto [at, dim] : llvm::enumerate(order))
    inverse[dim] = at;
  return inverse;
}

/// The type whose transpose by `order` has the shape of `type`.
RankedTensorType typeBefore(RankedTensorType type, Order order) {
  SmallVector<int64_t> sizes(order.size());
  for (auto [at, dim] : llvm::enumerate(order))
    sizes[dim] = type.getDimSize(at);
  return RankedTensorType::get(sizes, type.getElementType());
}

/// Permutes values given per dim of the result to the dims before the
/// transpose.
template <typename T>
SmallVector<T> valuesBefore(ArrayRef<T> values, Order order) {
  SmallVector<T> before(order.size());
  for (auto [at, dim] : llvm::enumerate(order))
    before[dim] = values[at];
  return before;
}

Value transposed(OpBuilder &builder, Location loc, Value x, Order order) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> sizes;
  for (int32_t dim : order)
    sizes.push_back(type.getDimSize(dim));
  return tosa::TransposeOp::create(
      builder, loc, RankedTensorType::get(sizes, type.getElementType()), x,
      order);
}

/// True if transposing it is free: a constant, or at most one dim is not of
/// size 1.
bool isFree(Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  return x.getDefiningOp<tosa::ConstOp>() ||
         llvm::count_if(type.getShape(),
                        [](int64_t size) { return size != 1; }) <= 1;
}

tosa::TransposeOp transposeOf(Value x) {
  return x.getDefiningOp<tosa::TransposeOp>();
}

/// op(T(a), T(b), c) -> T(op(a, b, T'(c))) where c is free to transpose.
struct ThroughPointwise : RewritePattern {
  explicit ThroughPointwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    MutableArrayRef<OpOperand> operands = tosa_layout::pointwiseOperands(op);
    auto type = op->getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                    : RankedTensorType();
    if (operands.empty() || !type)
      return failure();
    // The transpose of a free value stays in place: two of them on both sides
    // of an op would move past it in turns, forever.
    tosa::TransposeOp first;
    for (OpOperand &operand : operands)
      if (tosa::TransposeOp transpose = transposeOf(operand.get());
          !first && transpose && !isFree(transpose.getInput1()))
        first = transpose;
    if (!first)
      return failure();
    SmallVector<int32_t> order(first.getPerms());
    for (OpOperand &operand : operands) {
      tosa::TransposeOp other = transposeOf(operand.get());
      if (!isa<RankedTensorType>(operand.get().getType()) ||
          !(other ? other.getPerms() == Order(order) : isFree(operand.get())))
        return failure();
    }

    IRMapping mapping;
    for (OpOperand &operand : operands) {
      tosa::TransposeOp other = transposeOf(operand.get());
      mapping.map(operand.get(),
                  other ? other.getInput1()
                        : transposed(rewriter, op->getLoc(), operand.get(),
                                     inverted(order)));
    }
    Operation *moved = rewriter.clone(*op, mapping);
    moved->getResult(0).setType(typeBefore(type, order));
    rewriter.replaceOpWithNewOp<tosa::TransposeOp>(op, type,
                                                   moved->getResult(0), order);
    return success();
  }
};

/// reduce(T(x), dim) -> T(reduce(x, order[dim]))
template <typename Op>
struct ThroughReduction : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    tosa::TransposeOp transpose = transposeOf(op.getInput());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!transpose || !type)
      return failure();
    SmallVector<int32_t> order(transpose.getPerms());
    IRMapping mapping;
    mapping.map(op.getInput(), transpose.getInput1());
    auto moved = cast<Op>(rewriter.clone(*op, mapping));
    moved.setAxis(order[op.getAxis()]);
    moved->getResult(0).setType(typeBefore(type, order));
    rewriter.replaceOpWithNewOp<tosa::TransposeOp>(op, type,
                                                   moved->getResult(0), order);
    return success();
  }
};

struct ThroughConcat : OpRewritePattern<tosa::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    SmallVector<Value> inputs;
    SmallVector<int32_t> order;
    for (Value part : op.getInput1()) {
      tosa::TransposeOp transpose = transposeOf(part);
      if (!transpose ||
          (!order.empty() && transpose.getPerms() != Order(order)))
        return failure();
      order.assign(transpose.getPerms().begin(), transpose.getPerms().end());
      inputs.push_back(transpose.getInput1());
    }
    if (inputs.empty() || !type)
      return failure();
    Value moved = tosa::ConcatOp::create(
        rewriter, op.getLoc(), typeBefore(type, order), inputs,
        rewriter.getI32IntegerAttr(order[op.getAxis()]));
    rewriter.replaceOpWithNewOp<tosa::TransposeOp>(op, type, moved, order);
    return success();
  }
};

/// The values of a constant shape operand.
std::optional<SmallVector<int64_t>> knownShape(Value shape) {
  auto constant = shape.getDefiningOp<tosa::ConstShapeOp>();
  if (!constant)
    return std::nullopt;
  return llvm::to_vector(constant.getValues().getValues<int64_t>());
}

Value shapeOf(OpBuilder &builder, Location loc, ArrayRef<int64_t> values) {
  return tosa::ConstShapeOp::create(
      builder, loc, tosa::shapeType::get(builder.getContext(), values.size()),
      builder.getIndexTensorAttr(values));
}

struct ThroughPad : OpRewritePattern<tosa::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::PadOp op,
                                PatternRewriter &rewriter) const override {
    tosa::TransposeOp transpose = transposeOf(op.getInput1());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto padding = knownShape(op.getPadding());
    if (!transpose || !type || !padding)
      return failure();
    SmallVector<int32_t> order(transpose.getPerms());
    SmallVector<int64_t> before(padding->size());
    for (auto [at, dim] : llvm::enumerate(order)) {
      before[2 * dim] = (*padding)[2 * at];
      before[2 * dim + 1] = (*padding)[2 * at + 1];
    }
    Value moved = tosa::PadOp::create(
        rewriter, op.getLoc(), typeBefore(type, order), transpose.getInput1(),
        shapeOf(rewriter, op.getLoc(), before), op.getPadConst());
    rewriter.replaceOpWithNewOp<tosa::TransposeOp>(op, type, moved, order);
    return success();
  }
};

struct ThroughSlice : OpRewritePattern<tosa::SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tosa::SliceOp op,
                                PatternRewriter &rewriter) const override {
    tosa::TransposeOp transpose = transposeOf(op.getInput1());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto start = knownShape(op.getStart()), size = knownShape(op.getSize());
    if (!transpose || !type || !start || !size)
      return failure();
    SmallVector<int32_t> order(transpose.getPerms());
    auto before = [&](ArrayRef<int64_t> values) {
      return shapeOf(rewriter, op.getLoc(), valuesBefore(values, order));
    };
    Value moved = tosa::SliceOp::create(
        rewriter, op.getLoc(), typeBefore(type, order), transpose.getInput1(),
        before(*start), before(*size));
    rewriter.replaceOpWithNewOp<tosa::TransposeOp>(op, type, moved, order);
    return success();
  }
};

} // namespace

void tosa_layout::populateSinkTransposes(RewritePatternSet &patterns) {
  patterns.add<
      ThroughConcat, ThroughPad, ThroughPointwise,
      ThroughReduction<tosa::ReduceAllOp>, ThroughReduction<tosa::ReduceAnyOp>,
      ThroughReduction<tosa::ReduceMaxOp>, ThroughReduction<tosa::ReduceMinOp>,
      ThroughReduction<tosa::ReduceProductOp>,
      ThroughReduction<tosa::ReduceSumOp>, ThroughSlice>(patterns.getContext());
}
