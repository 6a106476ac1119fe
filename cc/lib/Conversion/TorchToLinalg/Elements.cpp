//===- Elements.cpp - Arithmetic on single elements -----------------------===//

#include "Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

Type torch_to_linalg::elementType(Type dtype) {
  if (auto integer = dyn_cast<IntegerType>(dtype))
    return IntegerType::get(dtype.getContext(), integer.getWidth());
  return dtype;
}

Type torch_to_linalg::wide(Type dtype) {
  bool isHalf = isa<FloatType>(dtype) && dtype.getIntOrFloatBitWidth() < 32;
  return isHalf ? Float32Type::get(dtype.getContext()) : dtype;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value Elements::constantOf(TypedAttr value) const {
  return constantFrom<arith::ConstantOp>(constants, value, builder, loc, value);
}

Value Elements::constant(double value) const {
  if (isFloat())
    return constantOf(builder.getFloatAttr(dtype, value));
  if (isBool())
    return integer(value != 0.0);
  APSInt whole(64, /*isUnsigned=*/false); // the nearest one, out of range
  bool isExact;
  APFloat(value).convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  return integer(whole.getSExtValue());
}

Value Elements::integer(int64_t value) const {
  if (isFloat())
    return constant(static_cast<double>(value));
  unsigned width = dtype.getIntOrFloatBitWidth();
  APInt bits = isBool() ? APInt(1, value != 0)
                        : APInt(64, value, /*isSigned=*/true).trunc(width);
  return constantOf(builder.getIntegerAttr(getType(), bits));
}

Value Elements::lowest() const {
  if (auto type = dyn_cast<FloatType>(dtype))
    return constantOf(
        FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), true)));
  unsigned width = dtype.getIntOrFloatBitWidth();
  return constantOf(builder.getIntegerAttr(
      getType(),
      isUnsigned() ? APInt::getZero(width) : APInt::getSignedMinValue(width)));
}

Value Elements::highest() const {
  if (auto type = dyn_cast<FloatType>(dtype))
    return constantOf(
        FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics())));
  unsigned width = dtype.getIntOrFloatBitWidth();
  return constantOf(builder.getIntegerAttr(
      getType(), isUnsigned() ? APInt::getMaxValue(width)
                              : APInt::getSignedMaxValue(width)));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value Elements::convert(Value value, Type from) const {
  if (from == dtype)
    return value;
  Elements source(builder, loc, from);
  if (isBool())
    return source.compare(Comparison::ne, value, source.zero());
  unsigned width = dtype.getIntOrFloatBitWidth(),
           fromWidth = from.getIntOrFloatBitWidth();
  if (isa<Float8E4M3FNType>(dtype)) { // PyTorch's conversion saturates
    Elements single(builder, loc, builder.getF32Type());
    double largest =
        APFloat::getLargest(cast<mlir::FloatType>(dtype).getFloatSemantics())
            .convertToDouble();
    Value number = single.convert(value, from);
    number = single.max(number, single.constant(-largest));
    number = single.min(number, single.constant(largest));
    return arith::TruncFOp::create(builder, loc, dtype, number);
  }
  if (isFloat() && source.isFloat()) {
    if (width < fromWidth)
      return arith::TruncFOp::create(builder, loc, dtype, value);
    if (width > fromWidth)
      return arith::ExtFOp::create(builder, loc, dtype, value);
    Value extended =
        arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    return arith::TruncFOp::create(builder, loc, dtype,
                                   extended); // f16 and bf16
  }
  if (isFloat()) {
    if (source.isUnsigned())
      return arith::UIToFPOp::create(builder, loc, dtype, value);
    return arith::SIToFPOp::create(builder, loc, dtype, value);
  }
  if (source.isFloat()) {
    // An out-of-range conversion is undefined; narrow integers wrap around as
    // in PyTorch, which converts to a wider integer and takes its low bits.
    unsigned through = width < 32 ? 32 : isUnsigned() ? 64 : width;
    Type wide = builder.getIntegerType(through);
    Value wider = arith::FPToSIOp::create(builder, loc, wide, value);
    if (isUnsigned() &&
        width == 64) // from 2^63 on, no signed integer is wide enough
      wider =
          select(source.compare(Comparison::ge, value, source.constant(0x1p63)),
                 arith::FPToUIOp::create(builder, loc, wide, value), wider);
    return through == width
               ? wider
               : arith::TruncIOp::create(builder, loc, getType(), wider)
                     .getResult();
  }
  if (width < fromWidth)
    return arith::TruncIOp::create(builder, loc, getType(), value);
  if (width == fromWidth)
    return value;
  if (source.isUnsigned())
    return arith::ExtUIOp::create(builder, loc, getType(), value);
  return arith::ExtSIOp::create(builder, loc, getType(), value);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value Elements::add(Value a, Value b) const {
  if (isFloat())
    return arith::AddFOp::create(builder, loc, a, b);
  if (isBool())
    return arith::OrIOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}

Value Elements::sub(Value a, Value b) const {
  if (isFloat())
    return arith::SubFOp::create(builder, loc, a, b);
  return arith::SubIOp::create(builder, loc, a, b);
}

Value Elements::mul(Value a, Value b) const {
  if (isFloat())
    return arith::MulFOp::create(builder, loc, a, b);
  if (isBool())
    return arith::AndIOp::create(builder, loc, a, b);
  return arith::MulIOp::create(builder, loc, a, b);
}

Value Elements::neg(Value a) const {
  return isFloat() ? arith::NegFOp::create(builder, loc, a).getResult()
                   : sub(zero(), a);
}

Value Elements::abs(Value a) const {
  if (isFloat())
    return math::AbsFOp::create(builder, loc, a);
  return isUnsigned() ? a : math::AbsIOp::create(builder, loc, a).getResult();
}

Value Elements::safeDivisor(Value a, Value b) const {
  std::optional<int64_t> known = getConstantIntValue(b);
  if (known && *known != 0 && *known != -1)
    return b;
  Value unsafe = compare(Comparison::eq, b, zero());
  if (!isUnsigned()) {
    Value isMinusOne = compare(Comparison::eq, b, constant(-1.0));
    Value isLowest = compare(Comparison::eq, a, lowest());
    Value overflows = arith::AndIOp::create(builder, loc, isMinusOne, isLowest);
    unsafe = arith::OrIOp::create(builder, loc, unsafe, overflows);
  }
  return select(unsafe, one(), b);
}

Value Elements::div(Value a, Value b) const {
  if (isFloat())
    return arith::DivFOp::create(builder, loc, a, b);
  return truncDiv(a, b);
}

Value Elements::truncDiv(Value a, Value b) const {
  if (isFloat()) {
    Value quotient = div(a, b);
    return math::TruncOp::create(builder, loc, quotient);
  }
  Value divisor = safeDivisor(a, b);
  if (isUnsigned())
    return arith::DivUIOp::create(builder, loc, a, divisor);
  return arith::DivSIOp::create(builder, loc, a, divisor);
}

/// torch.floor_divide on floats computes the exact remainder first, so that
/// quotients that round up to an integer are not one too large:
///   q = (a - fmod(a, b)) / b, minus one if signs differ, rounded to the
///   nearest integer
Value Elements::floorDiv(Value a, Value b) const {
  if (!isFloat()) {
    Value divisor = safeDivisor(a, b);
    if (isUnsigned())
      return arith::DivUIOp::create(builder, loc, a, divisor);
    return arith::FloorDivSIOp::create(builder, loc, a, divisor);
  }
  Value rest = fmod(a, b);
  Value quotient = div(sub(a, rest), b);
  Value hasRest = compare(Comparison::ne, rest, zero());
  Value signsDiffer =
      arith::XOrIOp::create(builder, loc, compare(Comparison::lt, b, zero()),
                            compare(Comparison::lt, rest, zero()));
  Value roundsDown = arith::AndIOp::create(builder, loc, hasRest, signsDiffer);
  quotient = select(roundsDown, sub(quotient, one()), quotient);
  Value floor = math::FloorOp::create(builder, loc, quotient);
  Value above = compare(Comparison::gt, sub(quotient, floor), constant(0.5));
  Value nearest = select(above, add(floor, one()), floor);
  return select(compare(Comparison::eq, b, zero()), div(a, b), nearest);
}

Value Elements::fmod(Value a, Value b) const {
  if (isFloat())
    return arith::RemFOp::create(builder, loc, a, b);
  Value divisor = safeDivisor(a, b);
  if (isUnsigned())
    return arith::RemUIOp::create(builder, loc, a, divisor);
  return arith::RemSIOp::create(builder, loc, a, divisor);
}

Value Elements::remainder(Value a, Value b) const {
  Value rest = fmod(a, b);
  if (isUnsigned())
    return rest;
  Value hasRest = compare(Comparison::ne, rest, zero());
  Value signsDiffer =
      arith::XOrIOp::create(builder, loc, compare(Comparison::lt, b, zero()),
                            compare(Comparison::lt, rest, zero()));
  Value moves = arith::AndIOp::create(builder, loc, hasRest, signsDiffer);
  return select(moves, add(rest, b), rest);
}

Value Elements::max(Value a, Value b) const {
  if (isFloat())
    return arith::MaximumFOp::create(builder, loc, a, b);
  if (isUnsigned())
    return arith::MaxUIOp::create(builder, loc, a, b);
  return arith::MaxSIOp::create(builder, loc, a, b);
}

Value Elements::min(Value a, Value b) const {
  if (isFloat())
    return arith::MinimumFOp::create(builder, loc, a, b);
  if (isUnsigned())
    return arith::MinUIOp::create(builder, loc, a, b);
  return arith::MinSIOp::create(builder, loc, a, b);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Value Elements::compare(Comparison comparison, Value a, Value b) const {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  struct Predicates {
    F floating;
    I isSigned, isUnsigned;
  };
  static constexpr Predicates table[] = {
      {F::OEQ, I::eq, I::eq},   {F::UNE, I::ne, I::ne},
      {F::OLT, I::slt, I::ult}, {F::OLE, I::sle, I::ule},
      {F::OGT, I::sgt, I::ugt}, {F::OGE, I::sge, I::uge},
  };
  const Predicates &row = table[static_cast<unsigned>(comparison)];
  if (isFloat())
    return arith::CmpFOp::create(builder, loc, row.floating, a, b);
  return arith::CmpIOp::create(
      builder, loc, isUnsigned() ? row.isUnsigned : row.isSigned, a, b);
}

Value Elements::isNan(Value a) const {
  if (!isFloat())
    return arith::ConstantIntOp::create(builder, loc, 0, 1);
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, a, a);
}

Value Elements::select(Value condition, Value a, Value b) const {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}
