//===- Scalar.cpp - Ints, floats and bools to arith -----------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// The torch dtype of an int, float or bool, as an element.
Type scalarDtype(Type type) {
  MLIRContext *context = type.getContext();
  if (isInt(type) || type.isInteger(64))
    return IntegerType::get(context, 64, IntegerType::Signed);
  if (isBool(type) || type.isInteger(1))
    return IntegerType::get(context, 1);
  return Float64Type::get(context);
}

/// A table row: `compute` gets the operands as elements of the first one's
/// dtype.
class ScalarLowering : public ConversionPattern {
public:
  using Function = Value (*)(Elements &, ValueRange);

  ScalarLowering(const TypeConverter &types, MLIRContext *context,
                 StringRef name, Function compute)
      : ConversionPattern(types, name, /*benefit=*/1, context),
        compute(compute) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    Elements elements(rewriter, op->getLoc(),
                      scalarDtype(op->getOperand(0).getType()));
    Value result = compute(elements, operands);
    Elements target(rewriter, op->getLoc(),
                    scalarDtype(op->getResult(0).getType()));
    rewriter.replaceOp(op,
                       target.convert(result, scalarDtype(result.getType())));
    return success();
  }

private:
  Function compute;
};

/// size.int: the size of a dim.
struct SizeLowering : LinalgLowering<AtenSizeIntOp> {
  using LinalgLowering::LinalgLowering;

  Lowered lower(AtenSizeIntOp op, Adaptor adaptor,
                LinalgBuilder &b) const override {
    std::optional<int64_t> dim = matchInt(op.getDim());
    if (!dim)
      return decline(op) << "expected a dim that is known while compiling";
    int64_t rank = typeOf(adaptor.getSelf()).getRank();
    return b.sizes.toInt(b.sizes.of(adaptor.getSelf(), normalDim(*dim, rank)));
  }
};

/// Int.Tensor, Float.Tensor, Bool.Tensor: the only element of a tensor.
template <typename Op>
struct ElementLowering : LinalgLowering<Op> {
  using LinalgLowering<Op>::LinalgLowering;

  Lowered lower(Op op, typename Op::Adaptor adaptor,
                LinalgBuilder &b) const override {
    Value tensor = adaptor.getA();
    for (Size size : b.sizes.of(tensor))
      b.checkSame(size, b.sizes.constant(1), "a tensor of one element");
    Value zero = b.sizes.toIndex(b.sizes.constant(0));
    SmallVector<Value> first(typeOf(tensor).getRank(), zero);
    Value element = b.extract(tensor, first);
    return b.elements(scalarDtype(op.getResult().getType()))
        .convert(element, dtypeOf(op.getA()));
  }
};

/// NumToTensor: a rank-0 tensor of a scalar.
struct NumToTensorLowering : LinalgLowering<PrimNumToTensorScalarOp> {
  using LinalgLowering::LinalgLowering;

  Lowered lower(PrimNumToTensorScalarOp op, Adaptor adaptor,
                LinalgBuilder &b) const override {
    Type dtype = dtypeOf(op.getResult());
    Value element = scalarOperand(op.getA(), adaptor.getA(), b.elements(dtype));
    return b
        .create<tensor::FromElementsOp>(
            RankedTensorType::get({}, elementType(dtype)), element)
        .getResult();
  }
};

template <Value (Elements::*compute)(Value, Value) const>
Value binary(Elements &e, ValueRange x) {
  return (e.*compute)(x[0], x[1]);
}
template <Comparison comparison>
Value compare(Elements &e, ValueRange x) {
  return e.compare(comparison, x[0], x[1]);
}
/// Floats are rounded before they become ints.
template <typename MathOp>
Value rounded(Elements &e, ValueRange x) {
  return MathOp::create(e.getBuilder(), e.getLoc(), x[0]);
}
/// Only the conversion to the result's type is needed.
Value itself(Elements &, ValueRange x) { return x[0]; }

} // namespace

void torch_to_linalg::populateScalar(const TypeConverter &types,
                                     RewritePatternSet &patterns,
                                     UnsupportedOps &unsupported) {
  MLIRContext *context = patterns.getContext();
  patterns
      .add<ElementLowering<AtenBoolTensorOp>,
           ElementLowering<AtenFloatTensorOp>, ElementLowering<AtenIntTensorOp>,
           NumToTensorLowering, SizeLowering>(types, context, unsupported);
  auto row = [&](StringRef name, ScalarLowering::Function compute) {
    patterns.add<ScalarLowering>(types, context, name, compute);
  };
#define ROW(OP, ...) row(OP##Op::getOperationName(), __VA_ARGS__)
  ROW(AtenBoolInt, itself);
  ROW(AtenFloatScalar, itself);
  ROW(AtenIntBool, itself);
  ROW(AtenIntScalar, itself);
  ROW(Aten__And__Bool, binary<&Elements::mul>);
  ROW(Aten__Not__, [](Elements &e, ValueRange x) {
    return e.compare(Comparison::eq, x[0], e.zero());
  });
  ROW(Aten__Or__Bool, binary<&Elements::add>);
  ROW(AtenAddFloat, binary<&Elements::add>);
  ROW(AtenAddInt, binary<&Elements::add>);
  ROW(AtenCeilFloat, rounded<math::CeilOp>);
  ROW(AtenDivFloat, binary<&Elements::div>);
  ROW(AtenEqInt, compare<Comparison::eq>);
  ROW(AtenFloorFloat, rounded<math::FloorOp>);
  ROW(AtenFloordivInt, binary<&Elements::floorDiv>);
  ROW(AtenGeInt, compare<Comparison::ge>);
  ROW(AtenGtInt, compare<Comparison::gt>);
  ROW(AtenLeInt, compare<Comparison::le>);
  ROW(AtenLtInt, compare<Comparison::lt>);
  ROW(AtenMulFloat, binary<&Elements::mul>);
  ROW(AtenMulInt, binary<&Elements::mul>);
  ROW(AtenNeInt, compare<Comparison::ne>);
  ROW(AtenNegInt, [](Elements &e, ValueRange x) { return e.neg(x[0]); });
  ROW(AtenRemainderInt, binary<&Elements::remainder>);
  ROW(AtenSubFloat, binary<&Elements::sub>);
  ROW(AtenSubInt, binary<&Elements::sub>);
  ROW(PrimMaxInt, binary<&Elements::max>);
  ROW(PrimMinInt, binary<&Elements::min>);
#undef ROW
}
