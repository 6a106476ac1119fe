//===- Creation.cpp - Literals, and tensors made from scalars -------------===//

#include "Families.h"
#include "SizeRanges.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// The same bytes with the builtin element type; a resource is not copied.
FailureOr<Value> lowerLiteral(ValueTensorLiteralOp op,
                              ValueTensorLiteralOp::Adaptor, LinalgBuilder &b) {
  return b
      .create<arith::ConstantOp>(
          cast<TypedAttr>(toBuiltinElements(op.getValue())))
      .getResult();
}

/// full: a constant value for all elements.
FailureOr<Value> lowerFull(AtenFullOp op, AtenFullOp::Adaptor in,
                           LinalgBuilder &b) {
  std::optional<Sizes> sizes = sizeList(op.getSize(), b);
  if (!sizes)
    return b.decline() << kListOfSizes;
  Type dtype = dtypeOf(op.getResult());
  refine(*sizes, op.getResult(), b);
  return b.filled(*sizes, scalarOperand(op.getFillValue(), in.getFillValue(),
                                        b.elements(dtype)));
}

void checkIsNotZero(Value step, const Elements &e, LinalgBuilder &b) {
  if (!matchPattern(step, m_Constant()))
    b.check(e.compare(Comparison::ne, step, e.zero()), "a step other than 0");
}

/// The number of elements of a range.
Size rangeSize(AtenArangeStartStepOp op, AtenArangeStartStepOp::Adaptor in,
               Elements e, LinalgBuilder &b) {
  Value start = scalarOperand(op.getStart(), in.getStart(), e);
  Value end = scalarOperand(op.getEnd(), in.getEnd(), e);
  Value step = scalarOperand(op.getStep(), in.getStep(), e);
  checkIsNotZero(step, e, b);
  Value span = e.sub(end, start), count;
  if (e.isFloat()) {
    // This check also fails for NaN, and for a number that is not a valid
    // size.
    Value exact = b.create<math::CeilOp>(e.div(span, step));
    b.check(e.compare(Comparison::le, exact, e.constant(kMostElements)),
            "a range that memory can hold");
    count =
        b.elements(IntegerType::get(op.getContext(), 64, IntegerType::Signed))
            .convert(e.max(exact, e.zero()), e.getDtype());
  } else {
    if (!isDifferenceExact(end, start, b.getBuilder()))
      b.check(
          b.create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                  e.compare(Comparison::ge, end, start),
                                  e.compare(Comparison::ge, span, e.zero())),
          "a range that memory can hold");
    count = b.create<arith::CeilDivSIOp>(span, step);
  }
  return b.sizes.max(b.sizes.fromInt(count), b.sizes.constant(0));
}

/// arange: start + i * step, for i below ceil((end - start) / step). Integers
/// are computed as si64, floats as f64.
FailureOr<Value> lowerArange(AtenArangeStartStepOp op,
                             AtenArangeStartStepOp::Adaptor in,
                             LinalgBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  if (isComplex(dtype) || isBoolean(dtype))
    return b.decline() << "expected numbers, got " << dtype;
  Type si64 = IntegerType::get(op.getContext(), 64, IntegerType::Signed);
  Type f64 = Float64Type::get(op.getContext());
  bool isCounted = isIntegral(resultDtype(op->getOperands().take_front(3)));
  int64_t known = tensorType(op.getResult()).getSizes().front();
  Size size = ShapedType::isDynamic(known)
                  ? rangeSize(op, in, b.elements(isCounted ? si64 : f64), b)
                  : b.sizes.constant(known);
  Elements outside = b.elements(isIntegral(dtype) ? si64 : f64);
  Value start = scalarOperand(op.getStart(), in.getStart(), outside);
  Value step = scalarOperand(op.getStep(), in.getStep(), outside);
  return b.pointwise(
      {}, size, elementType(dtype),
      [&](OpBuilder &body, Location loc, ValueRange) {
        Elements e(body, loc, outside.getDtype());
        Value position = arith::IndexCastOp::create(
            body, loc, body.getI64Type(), b.index(body, 0));
        Value value = e.add(start, e.mul(e.convert(position, si64), step));
        return Elements(body, loc, dtype).convert(value, e.getDtype());
      });
}

} // namespace

void torch_to_linalg::populateCreation(LinalgLowerings &lowerings) {
  lowerings.add(lowerArange, lowerLiteral);
  lowerings.addReal(lowerFull);
}
