//===- Scalar.cpp - Ints, floats, bools and casts to arith ----------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
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

/// size.int: the size of a dim.
FailureOr<Value> lowerSize(AtenSizeIntOp op, AtenSizeIntOp::Adaptor in,
                           LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.decline() << kConstantDim;
  int64_t rank = typeOf(in.getSelf()).getRank();
  return b.sizes.toInt(b.sizes.of(in.getSelf(), normalDim(*dim, rank)));
}

/// Int.Tensor, Float.Tensor, Bool.Tensor: the only element of a tensor.
template <typename Op>
FailureOr<Value> lowerElement(Op op, typename Op::Adaptor in,
                              LinalgBuilder &b) {
  Value tensor = in.getA();
  for (Size size : b.sizes.of(tensor))
    b.checkSame(size, b.sizes.constant(1), "a tensor of one element");
  Value zero = b.sizes.toIndex(b.sizes.constant(0));
  SmallVector<Value> first(typeOf(tensor).getRank(), zero);
  Value element = b.extract(tensor, first);
  return b.elements(scalarDtype(op.getResult().getType()))
      .convert(element, dtypeOf(op.getA()));
}

/// NumToTensor: a rank-0 tensor of a scalar.
FailureOr<Value> lowerNumToTensor(PrimNumToTensorScalarOp op,
                                  PrimNumToTensorScalarOp::Adaptor in,
                                  LinalgBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  Value element = scalarOperand(op.getA(), in.getA(), b.elements(dtype));
  // IREE 3.13 fails on tensor.from_elements of an i1.
  if (b.isForIree() && element.getType().isInteger(1))
    return b.filled({}, element);
  return b
      .create<tensor::FromElementsOp>(
          RankedTensorType::get({}, elementType(dtype)), element)
      .getResult();
}

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

void torch_to_linalg::populateScalar(LinalgLowerings &lowerings) {
  lowerings.add(lowerElement<AtenBoolTensorOp>, lowerElement<AtenFloatTensorOp>,
                lowerElement<AtenIntTensorOp>, lowerNumToTensor, lowerSize);
  lowerings.add(lowerForward<ShardingConstraintOp, LinalgBuilder>,
                lowerForward<TensorStaticInfoCastOp, LinalgBuilder>,
                lowerForward<torch_c::FromBuiltinTensorOp, LinalgBuilder>,
                lowerForward<torch_c::FromF64Op, LinalgBuilder>,
                lowerForward<torch_c::FromI1Op, LinalgBuilder>,
                lowerForward<torch_c::FromI64Op, LinalgBuilder>,
                lowerForward<torch_c::ToBuiltinTensorOp, LinalgBuilder>,
                lowerForward<torch_c::ToF64Op, LinalgBuilder>,
                lowerForward<torch_c::ToI1Op, LinalgBuilder>,
                lowerForward<torch_c::ToI64Op, LinalgBuilder>);

  // A table row: `compute` gets the operands as elements of the first one's
  // dtype.
  auto row = [&](StringRef name, Value (*compute)(Elements &, ValueRange)) {
    lowerings.add(name, [=](Operation *op, ArrayRef<Value> operands,
                            LinalgBuilder &b) {
      Elements elements = b.elements(scalarDtype(op->getOperand(0).getType()));
      Value computed = compute(elements, operands);
      return LoweredResults{
          b.elements(scalarDtype(op->getResult(0).getType()))
              .convert(computed, scalarDtype(computed.getType()))};
    });
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
