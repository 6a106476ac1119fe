//===- Scalar.cpp - Ints, floats and bools to rank-0 tensors --------------===//
//
// Most scalars fold during conversion; the others depend on run-time values. An
// int is an i32 and a float an f32, of rank 0.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// The computation of a scalar op on its converted operands.
using Formula = Value (*)(ValueRange, TosaBuilder &);

Value add(ValueRange x, TosaBuilder &b) { return b.add(x[0], x[1]); }
Value sub(ValueRange x, TosaBuilder &b) { return b.sub(x[0], x[1]); }
Value mul(ValueRange x, TosaBuilder &b) { return b.mul(x[0], x[1]); }
Value div(ValueRange x, TosaBuilder &b) {
  return b.mul(x[0], b.reciprocal(x[1]));
}
Value neg(ValueRange x, TosaBuilder &b) { return b.neg(x[0]); }
Value max(ValueRange x, TosaBuilder &b) { return b.max(x[0], x[1]); }
Value min(ValueRange x, TosaBuilder &b) { return b.min(x[0], x[1]); }
Value equal(ValueRange x, TosaBuilder &b) { return b.equal(x[0], x[1]); }
Value notEqual(ValueRange x, TosaBuilder &b) {
  return b.logicalNot(b.equal(x[0], x[1]));
}
Value greater(ValueRange x, TosaBuilder &b) { return b.greater(x[0], x[1]); }
Value greaterEqual(ValueRange x, TosaBuilder &b) {
  return b.greaterEqual(x[0], x[1]);
}
Value less(ValueRange x, TosaBuilder &b) { return b.greater(x[1], x[0]); }
Value lessEqual(ValueRange x, TosaBuilder &b) {
  return b.greaterEqual(x[1], x[0]);
}
Value logicalAnd(ValueRange x, TosaBuilder &b) {
  return b.logicalAnd(x[0], x[1]);
}
Value logicalOr(ValueRange x, TosaBuilder &b) {
  return b.logicalOr(x[0], x[1]);
}
Value logicalNot(ValueRange x, TosaBuilder &b) { return b.logicalNot(x[0]); }
Value ceil(ValueRange x, TosaBuilder &b) {
  return b.cast(b.unary<tosa::CeilOp>(x[0]), b.i32());
}
Value floor(ValueRange x, TosaBuilder &b) {
  return b.cast(b.floor(x[0]), b.i32());
}

/// Rounded towards minus infinity, as in Python.
Value floorDiv(ValueRange x, TosaBuilder &b) {
  return b.floorDivide(x[0], x[1]);
}

Value remainder(ValueRange x, TosaBuilder &b) {
  return b.sub(x[0], b.mul(floorDiv(x, b), x[1]));
}

// int(x), float(x) and bool(x) of a number or a one-element tensor.
Value toInt(ValueRange x, TosaBuilder &b) {
  bool isFloat = isa<FloatType>(TosaBuilder::elementOf(x[0]));
  return b.cast(isFloat ? b.trunc(x[0]) : x[0], b.i32());
}
Value toFloat(ValueRange x, TosaBuilder &b) { return b.cast(x[0], b.f32()); }
Value toBool(ValueRange x, TosaBuilder &b) { return b.cast(x[0], b.i1()); }
Value unchanged(ValueRange x, TosaBuilder &) { return x[0]; }

template <typename SourceOp, Formula formula>
FailureOr<Value> lowerScalar(SourceOp op, typename SourceOp::Adaptor in,
                             TosaBuilder &b) {
  for (Value operand : op->getOperands())
    if (std::optional<int64_t> known = torch::matchInt(operand);
        known && !llvm::isInt<32>(*known))
      return b.decline() << "TOSA 1.0 has integers of 32 bits, got " << *known;
  SmallVector<Value> operands;
  for (Value operand : in.getOperands())
    operands.push_back(b.reshape(operand, {}));
  return formula(operands, b);
}

FailureOr<Value> lowerSize(torch::AtenSizeIntOp op,
                           torch::AtenSizeIntOp::Adaptor, TosaBuilder &b) {
  return b.decline() << "TOSA 1.0 has no sizes as values, got one of "
                     << op.getSelf().getType()
                     << "; make sizes known with --specialize";
}

} // namespace

void torch_to_tosa::populateScalar(TosaLowerings &lowerings) {
  using namespace torch;
  lowerings.add(
      lowerScalar<AtenAddFloatOp, add>, lowerScalar<AtenAddIntOp, add>,
      lowerScalar<AtenBoolIntOp, toBool>, lowerScalar<AtenBoolTensorOp, toBool>,
      lowerScalar<AtenCeilFloatOp, ceil>, lowerScalar<AtenDivFloatOp, div>,
      lowerScalar<AtenEqIntOp, equal>, lowerScalar<AtenFloatScalarOp, toFloat>,
      lowerScalar<AtenFloatTensorOp, toFloat>,
      lowerScalar<AtenFloordivIntOp, floorDiv>,
      lowerScalar<AtenFloorFloatOp, floor>,
      lowerScalar<AtenGeIntOp, greaterEqual>, lowerScalar<AtenGtIntOp, greater>,
      lowerScalar<AtenIntBoolOp, toInt>, lowerScalar<AtenIntScalarOp, toInt>,
      lowerScalar<AtenIntTensorOp, toInt>, lowerScalar<AtenLeIntOp, lessEqual>,
      lowerScalar<AtenLtIntOp, less>, lowerScalar<AtenMulFloatOp, mul>,
      lowerScalar<AtenMulIntOp, mul>, lowerScalar<AtenNegIntOp, neg>,
      lowerScalar<AtenNeIntOp, notEqual>,
      lowerScalar<AtenRemainderIntOp, remainder>,
      lowerScalar<AtenSubFloatOp, sub>, lowerScalar<AtenSubIntOp, sub>,
      lowerScalar<Aten__And__BoolOp, logicalAnd>,
      lowerScalar<Aten__Not__Op, logicalNot>,
      lowerScalar<Aten__Or__BoolOp, logicalOr>, lowerScalar<PrimMaxIntOp, max>,
      lowerScalar<PrimMinIntOp, min>,
      lowerScalar<PrimNumToTensorScalarOp, unchanged>, lowerSize);
}
