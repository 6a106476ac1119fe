//===- Arithmetic.cpp - ATen arithmetic to TOSA ---------------------------===//
//
// Operands are promoted to the result's dtype and computed in its compute type
// (i32 for every integer); narrower results wrap when they are stored.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

bool isFloat(Value x) { return isa<FloatType>(TosaBuilder::elementOf(x)); }
bool isBool(Value x) { return TosaBuilder::elementOf(x).isInteger(1); }

/// The operands, promoted to the dtype of the result.
template <typename SourceOp>
std::pair<Value, Value>
promotedOperands(SourceOp op, typename SourceOp::Adaptor in, TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  return {promoted(b, op.getSelf(), in.getSelf(), dtype),
          promoted(b, op.getOther(), in.getOther(), dtype)};
}

using Formula = Value (*)(Value x, Value y, TosaBuilder &b);

/// A formula of the promoted operands.
template <typename SourceOp, Formula formula>
FailureOr<Value> lowerBinary(SourceOp op, typename SourceOp::Adaptor in,
                             TosaBuilder &b) {
  auto [x, y] = promotedOperands(op, in, b);
  return b.store(formula(x, y, b), dtypeOf(op.getResult()));
}

/// One op for numbers, and one for bools. maximum and minimum are NaN if
/// numericOrBool operand is, as TOSA's are by default.
template <typename TargetOp, typename BoolOp>
Value numericOrBool(Value x, Value y, TosaBuilder &b) {
  return isBool(x) ? b.binary<BoolOp>(x, y) : b.binary<TargetOp>(x, y);
}

/// add, sub: self ± alpha * other. For bools, or and xor.
template <typename SourceOp, typename TargetOp, typename BoolOp>
FailureOr<Value> lowerScaled(SourceOp op, typename SourceOp::Adaptor in,
                             TosaBuilder &b) {
  auto [x, y] = promotedOperands(op, in, b);
  std::optional<double> alpha = torch::matchNumber(op.getAlpha());
  if (!alpha)
    return b.decline() << "expected an alpha that is known while compiling";
  Type dtype = dtypeOf(op.getResult());
  if (isBool(x))
    return b.store(*alpha == 0 ? x : b.binary<BoolOp>(x, y), dtype);
  if (*alpha != 1)
    y = b.mul(y, b.splatLike(*alpha, y));
  return b.store(b.binary<TargetOp>(x, y), dtype);
}

Value mul(Value x, Value y, TosaBuilder &b) {
  return isBool(x) ? b.logicalAnd(x, y) : b.mul(x, y);
}

/// TOSA shifts by 0 to 31. PyTorch defines shifts by more, and by negative
/// amounts, as shifting all bits out: narrower dtypes lose the excess bits when
/// they are stored.
Value canShift(Value amount, TosaBuilder &b) {
  Value above = b.binary<tosa::BitwiseAndOp>(amount, b.splatLike(~31, amount));
  return b.equal(above, b.splatLike(0, above));
}

Value leftShift(Value x, Value y, TosaBuilder &b) {
  Value amount = b.select(canShift(y, b), y, b.splatLike(0, y));
  Value shifted = b.binary<tosa::LogicalLeftShiftOp>(x, amount);
  return b.select(canShift(y, b), shifted, b.splatLike(0, x));
}

Value rightShift(Value x, Value y, TosaBuilder &b) {
  // Shifting by 31 leaves the sign, which is 0 for unsigned numbers.
  return b.rightShift(x, b.select(canShift(y, b), y, b.splatLike(31, y)));
}

/// Narrow floats in f32.
Value widened(Value x, TosaBuilder &b) {
  return isFloat(x) ? b.cast(x, b.f32()) : x;
}

/// div.Tensor: self / other, in floating point for all operands. TOSA 1.0
/// divides only integers; 1 / y overflows for y below 2^-128, and so does the
/// quotient then, even if x is as small. The two roundings together have an
/// error of up to 1.5 units in the last place, a division one of 0.5. Adding (x
/// - q * y) / y would leave 1.25, as TOSA's product is rounded before the
/// difference, and turn infinities into NaN. A product in two halves, some 20
/// ops, would be exact; no model has needed that. Narrow floats are divided in
/// f32, where the errors are too small to be seen.
Value div(Value x, Value y, TosaBuilder &b) {
  // A fold would make the reciprocal of infinity 0, and then any product 0.
  bool isByInfinity =
      matchPattern(y, m_PosInfFloat()) || matchPattern(y, m_NegInfFloat());
  if (isByInfinity)
    return b.mul(x, b.splatLike(0, y));
  Value quotient = b.mul(widened(x, b), b.reciprocal(widened(y, b)));
  return b.cast(quotient, TosaBuilder::elementOf(x));
}

/// The quotient rounded towards zero, and the remainder: x = quotient * y +
/// remainder.
struct Quotient {
  Value quotient, remainder;
};

/// The upper 12 bits of the significand of x (Dekker's splitting), for |x|
/// below 2^115. Two of such numbers have an exact product in f32.
Value upperHalf(Value x, TosaBuilder &b) {
  Value scaled = b.mul(x, b.splatLike(4097, x));
  return b.sub(scaled, b.sub(scaled, x));
}

/// x = quotient * y + remainder for f32 numbers 0 < y <= x, with a remainder in
/// [0, y). Both are exact for quotients below 2^34, except that a quotient
/// above 2^24 is rounded.
///
/// Each step subtracts a multiple of y of 12 bits, by exact products and
/// differences, and leaves at most 2^-11 of the rest, or half of y.
Quotient exactQuotient(Value x, Value y, TosaBuilder &b) {
  constexpr int steps = 3;
  Value zero = b.splatLike(0, x), one = b.splatLike(1, x);
  Value half = b.splatLike(0.5, x);
  // Large numbers are scaled, so that upperHalf does not overflow.
  Value isLarge = b.greaterEqual(y, b.splatLike(0x1p100, y));
  Value scale = b.select(isLarge, b.splatLike(0x1p-24, y), one);
  Value divisor = b.mul(y, scale), inverse = b.reciprocal(divisor);
  Value upper = upperHalf(divisor, b), lower = b.sub(divisor, upper);
  Value quotient = zero, rest = b.mul(x, scale);
  for (int i = 0; i < steps; ++i) {
    Value estimate = upperHalf(b.mul(rest, inverse), b);
    Value part = b.floor(b.add(estimate, half));
    rest = b.sub(b.sub(rest, b.mul(part, upper)), b.mul(part, lower));
    quotient = b.add(quotient, part);
  }
  Value isBelow = b.less(rest, zero);
  quotient = b.sub(quotient, b.select(isBelow, one, zero));
  rest = b.add(rest, b.select(isBelow, divisor, zero));
  return {quotient, b.mul(rest, b.reciprocal(scale))};
}

/// The exact quotient and remainder of any f32 numbers. Beyond 2^34 and at
/// infinity, the quotient is an estimate, and the remainder of numbers is 0.
Quotient truncatedFloats(Value x, Value y, TosaBuilder &b) {
  Value zero = b.splatLike(0, x), one = b.splatLike(1, x);
  Value minusOne = b.splatLike(-1, x), infinity = b.splatLike(INFINITY, x);
  Value xSign = b.select(b.less(x, zero), minusOne, one);
  Value ySign = b.select(b.less(y, zero), minusOne, one);
  Value xSize = b.abs(x), ySize = b.abs(y);
  Quotient sizes = exactQuotient(xSize, ySize, b);
  Value estimate = b.trunc(b.mul(x, b.reciprocal(y)));
  Value isExact = b.less(b.abs(estimate), b.splatLike(0x1p34, x));
  Value quotient =
      b.select(isExact, b.mul(sizes.quotient, b.mul(xSign, ySign)), estimate);
  // The remainder of an infinite x, and of a divisor of 0, stays NaN.
  Value isNumber = b.logicalAnd(b.less(xSize, infinity), b.less(zero, ySize));
  Value isTooLarge = b.logicalAnd(isNumber, b.logicalNot(isExact));
  Value remainder = b.select(isTooLarge, zero, b.mul(sizes.remainder, xSign));
  Value isSmaller = b.less(xSize, ySize);
  return {b.select(isSmaller, zero, quotient),
          b.select(isSmaller, x, remainder)};
}

Quotient truncatedQuotient(Value x, Value y, TosaBuilder &b) {
  if (!isFloat(x)) {
    Value quotient = b.binary<tosa::IntDivOp>(x, y);
    return {quotient, b.sub(x, b.mul(quotient, y))};
  }
  return truncatedFloats(x, y, b);
}

/// True where the remainder and the divisor differ in sign, so that the floored
/// quotient is one less.
Value crossesZero(const Quotient &truncated, Value y, TosaBuilder &b) {
  Value zero = b.splatLike(0, truncated.remainder);
  Value signsDiffer = b.logicalXor(b.less(truncated.remainder, zero),
                                   b.less(y, b.splatLike(0, y)));
  return b.logicalAnd(b.logicalNot(b.equal(truncated.remainder, zero)),
                      signsDiffer);
}

/// x / y rounded towards zero. PyTorch truncates the rounded quotient of
/// floats: 1 / 0.1 gives 10, although 0.1 in f32 is larger than a tenth.
Value divTrunc(Value x, Value y, TosaBuilder &b) {
  Quotient truncated = truncatedQuotient(x, y, b);
  if (!isFloat(x))
    return truncated.quotient;
  Value fraction = b.mul(truncated.remainder, b.reciprocal(y));
  Value rounded =
      b.select(b.equal(fraction, fraction), b.add(truncated.quotient, fraction),
               truncated.quotient);
  return b.trunc(rounded);
}

/// x / y rounded down. PyTorch computes it from the remainder, so that an
/// infinite x gives NaN, except for a divisor of 0.
Value divFloor(Value x, Value y, TosaBuilder &b) {
  Quotient truncated = truncatedQuotient(x, y, b);
  Value one = b.splatLike(1, truncated.quotient),
        zero = b.splatLike(0, truncated.quotient);
  Value excess = b.select(crossesZero(truncated, y, b), one, zero);
  Value floored = b.sub(truncated.quotient, excess);
  if (!isFloat(x))
    return floored;
  Value isInfinite = b.equal(b.abs(x), b.splatLike(INFINITY, x));
  Value isUndefined =
      b.logicalAnd(isInfinite, b.logicalNot(b.equal(y, b.splatLike(0, y))));
  return b.select(isUndefined, b.splatLike(NAN, floored), floored);
}

/// div.Tensor_mode: no mode, "trunc" (towards zero) or "floor".
FailureOr<Value> lowerDivMode(torch::AtenDivTensorModeOp op,
                              torch::AtenDivTensorModeOp::Adaptor in,
                              TosaBuilder &b) {
  auto [x, y] = promotedOperands(op, in, b);
  Type dtype = dtypeOf(op.getResult());
  if (torch::isNone(op.getRoundingMode()))
    return b.store(div(x, y, b), dtype);
  std::optional<StringRef> mode = torch::matchStr(op.getRoundingMode());
  if (!mode || (*mode != "trunc" && *mode != "floor"))
    return b.decline() << "expected a rounding mode of trunc or floor";
  Formula divide = *mode == "trunc" ? divTrunc : divFloor;
  return b.store(divide(widened(x, b), widened(y, b), b), dtype);
}

/// fmod: x - trunc(x / y) * y, with the sign of x.
Value fmod(Value x, Value y, TosaBuilder &b) {
  return truncatedQuotient(widened(x, b), widened(y, b), b).remainder;
}

/// remainder: x - floor(x / y) * y, with the sign of y.
Value remainder(Value x, Value y, TosaBuilder &b) {
  x = widened(x, b);
  y = widened(y, b);
  Quotient truncated = truncatedQuotient(x, y, b);
  return b.select(crossesZero(truncated, y, b), b.add(truncated.remainder, y),
                  truncated.remainder);
}

/// The value of a splat constant operand.
std::optional<double> constantNumber(Value value) {
  auto literal = value.getDefiningOp<torch::ValueTensorLiteralOp>();
  auto dense = literal ? dyn_cast<DenseElementsAttr>(literal.getValue())
                       : DenseElementsAttr();
  if (!dense || !dense.isSplat())
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().convertToDouble();
  return torch::doubleOf(dense.getSplatValue<APInt>(), dtypeOf(value));
}

ArrayRef<int64_t> dtypeSizes(Value value) {
  return cast<torch::ValueTensorType>(value.getType()).getSizes();
}

/// Square and multiply over the bits of a known exponent, 1 or more.
Value integerPower(Value base, uint64_t exponent, TosaBuilder &b) {
  Value power;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      power = power ? b.mul(power, base) : base;
    if (exponent > 1)
      base = b.mul(base, base);
  }
  return power;
}

Value knownPower(Value base, double exponent, TosaBuilder &b) {
  if (isFloat(base)) {
    if (exponent == 0.5)
      return b.sqrt(base);
    if (exponent == -0.5)
      return b.unary<tosa::RsqrtOp>(base);
    if (exponent == -1)
      return b.reciprocal(base);
  }
  if (exponent == 1)
    return base;
  if (exponent == 2)
    return b.mul(base, base);
  if (exponent == 3)
    return b.mul(b.mul(base, base), base);
  return isFloat(base) || exponent < 1 ? Value()
                                       : integerPower(base, exponent, b);
}

/// tosa.pow is defined for a base of 0 or more, and for a base of 0 only with
/// an exponent above 0: x^y is the reciprocal of |x|^|y| where y < 0, has the
/// sign of x where y is odd, and is NaN where x < 0 and y is not whole.
Value floatPower(Value base, Value exponent, TosaBuilder &b) {
  Value zero = b.splatLike(0, base), one = b.splatLike(1, base);
  Value noExponent = b.splatLike(0, exponent),
        half = b.splatLike(0.5, exponent);
  Value size = b.select(b.equal(exponent, noExponent), one, b.abs(base));
  Value power = b.binary<tosa::PowOp>(size, b.abs(exponent));
  power = b.select(b.less(exponent, noExponent), b.reciprocal(power), power);
  Value halved = b.mul(exponent, half);
  Value odd = b.logicalNot(b.equal(halved, b.floor(halved)));
  Value whole = b.equal(exponent, b.floor(exponent));
  Value ofNegative = b.select(odd, b.neg(power), power);
  ofNegative = b.select(whole, ofNegative, b.splatLike(NAN, base));
  return b.select(b.less(base, zero), ofNegative, power);
}

/// Square and multiply over all bits of a run-time exponent. A negative
/// exponent gives 1 / base^-exponent rounded towards zero: 0 except for bases
/// of 1 and -1.
Value integerPower(Value base, Value exponent, Type dtype, TosaBuilder &b) {
  unsigned width = std::min(32u, dtype.getIntOrFloatBitWidth());
  unsigned bits = dtype.isUnsignedInteger() ? width : width - 1;
  Value one = b.splatLike(1, base), minusOne = b.splatLike(-1, base);
  Value zero = b.splatLike(0, exponent);
  auto lacks = [&](unsigned bit) {
    Value flag = b.binary<tosa::BitwiseAndOp>(
        exponent, b.splatLike(std::ldexp(1.0, bit), exponent));
    return b.equal(flag, zero);
  };
  Value power = one, square = base;
  for (unsigned bit = 0; bit < bits; ++bit) {
    power = b.select(lacks(bit), power, b.mul(power, square));
    if (bit + 1 < bits)
      square = b.mul(square, square);
  }
  if (dtype.isUnsignedInteger())
    return power;
  Value sign = b.select(lacks(0), one, minusOne);
  Value ofMinusOne =
      b.select(b.equal(base, minusOne), sign, b.splatLike(0, base));
  Value inverse = b.select(b.equal(base, one), one, ofMinusOne);
  return b.select(b.less(exponent, zero), inverse, power);
}

/// pow: a product if the exponent is a small whole constant.
FailureOr<Value> lowerPow(torch::AtenPowTensorTensorOp op,
                          torch::AtenPowTensorTensorOp::Adaptor in,
                          TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  Value base = promoted(b, op.getSelf(), in.getSelf(), dtype);
  if (torch::isBoolean(dtype))
    return b.decline() << "expected numbers, got bool";
  std::optional<double> known = constantNumber(op.getExponent());
  // A constant of higher rank than the base would still have to broadcast it.
  if (known &&
      dtypeSizes(op.getExponent()).size() <= dtypeSizes(op.getSelf()).size() &&
      llvm::all_of(dtypeSizes(op.getExponent()),
                   [](int64_t size) { return size == 1; }))
    if (Value product = knownPower(base, *known, b))
      return b.store(product, dtype);
  Value exponent = promoted(b, op.getExponent(), in.getExponent(), dtype);
  return b.store(isFloat(base) ? floatPower(base, exponent, b)
                               : integerPower(base, exponent, dtype, b),
                 dtype);
}

} // namespace

void torch_to_tosa::populateArithmetic(TosaLowerings &lowerings) {
  using namespace torch;
  lowerings.add(
      lowerScaled<AtenAddTensorOp, tosa::AddOp, tosa::LogicalOrOp>,
      lowerScaled<AtenSubTensorOp, tosa::SubOp, tosa::LogicalXorOp>,
      lowerBinary<AtenBitwiseAndTensorOp,
                  numericOrBool<tosa::BitwiseAndOp, tosa::LogicalAndOp>>,
      lowerBinary<AtenBitwiseLeftShiftTensorOp, leftShift>,
      lowerBinary<AtenBitwiseOrTensorOp,
                  numericOrBool<tosa::BitwiseOrOp, tosa::LogicalOrOp>>,
      lowerBinary<AtenBitwiseRightShiftTensorOp, rightShift>,
      lowerBinary<AtenBitwiseXorTensorOp,
                  numericOrBool<tosa::BitwiseXorOp, tosa::LogicalXorOp>>,
      lowerBinary<AtenDivTensorOp, div>, lowerBinary<AtenFmodTensorOp, fmod>,
      lowerBinary<AtenMaximumOp,
                  numericOrBool<tosa::MaximumOp, tosa::LogicalOrOp>>,
      lowerBinary<AtenMinimumOp,
                  numericOrBool<tosa::MinimumOp, tosa::LogicalAndOp>>,
      lowerBinary<AtenMulTensorOp, mul>,
      lowerBinary<AtenRemainderTensorOp, remainder>, lowerDivMode, lowerPow);
}
