//===- Powers.cpp - Powers of single elements -----------------------------===//

#include "Powers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

/// The largest exponent whose power is a product. Each factor adds a rounding.
static constexpr int64_t kMostFactors = 16;

static Value bitAnd(const Elements &e, Value a, Value b) {
  return arith::AndIOp::create(e.getBuilder(), e.getLoc(), a, b);
}

static Value bitOr(const Elements &e, Value a, Value b) {
  return arith::OrIOp::create(e.getBuilder(), e.getLoc(), a, b);
}

/// The exponent, if it is known, whole, and of a size of at most kMostFactors.
static std::optional<int64_t> matchSmall(const Elements &e, Value exponent) {
  APInt integer(64, 0);
  APFloat number(0.0);
  double value;
  if (matchPattern(exponent, m_ConstantInt(&integer)))
    value = integer.roundToDouble(/*isSigned=*/!e.isUnsigned());
  else if (matchPattern(exponent, m_ConstantFloat(&number)))
    value = number.convertToDouble();
  else
    return std::nullopt;
  if (!(std::abs(value) <= kMostFactors) || value != std::trunc(value))
    return std::nullopt;
  return static_cast<int64_t>(value);
}

/// Square and multiply over the bits of a known exponent, 0 or more.
static Value product(const Elements &e, Value base, int64_t exponent) {
  Value result;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = result ? e.mul(result, base) : base;
    if (exponent > 1)
      base = e.mul(base, base);
  }
  return result ? result : e.one();
}

/// math.powf, which IREE 3.13 computes as exp(y * log(x)), NaN for a negative x
/// and for 0^0. For it, the size is |x|^y, 1 if y is 0 or |x| is 1. The result
/// has the sign of x if y is odd, and is NaN if x < 0 and y is not whole.
static Value floatPower(const Elements &e, Value base, Value exponent,
                        bool isForIree) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  if (!isForIree)
    return math::PowFOp::create(builder, loc, base, exponent);
  auto isWhole = [&](Value x) {
    return e.compare(Comparison::eq, x, math::FloorOp::create(builder, loc, x));
  };
  Value size = e.abs(base);
  Value isOne = bitOr(e, e.compare(Comparison::eq, exponent, e.zero()),
                      e.compare(Comparison::eq, size, e.one()));
  size = e.select(isOne, e.one(),
                  math::PowFOp::create(builder, loc, size, exponent));
  Value isEven = isWhole(e.mul(exponent, e.constant(0.5)));
  Value ofNegative = e.select(isEven, size, e.neg(size));
  ofNegative = e.select(isWhole(exponent), ofNegative, e.constant(NAN));
  return e.select(e.compare(Comparison::lt, base, e.zero()), ofNegative, size);
}

/// base^exponent of integers for an exponent of 0 or more: math.ipowi, which
/// IREE 3.13 refuses, or else square and multiply over all bits.
static Value wholePower(const Elements &e, Value base, Value exponent,
                        bool isForIree) {
  if (!isForIree)
    return math::IPowIOp::create(e.getBuilder(), e.getLoc(), base, exponent);
  unsigned width = e.getDtype().getIntOrFloatBitWidth();
  Value result = e.one();
  for (unsigned bit = 0; bit + 1 < width; ++bit) {
    Value flag = bitAnd(e, exponent, e.integer(int64_t(1) << bit));
    Value isSet = e.compare(Comparison::ne, flag, e.zero());
    result = e.select(isSet, e.mul(result, base), result);
    base = e.mul(base, base);
  }
  return result;
}

static Value unsignedPower(const Elements &e, Value base, Value exponent,
                           bool isForIree) {
  // math.ipowi reads the exponent's highest bit, 2^(width - 1), as a sign.
  // Such a large power is 0 for an even base and 1 for an odd one.
  unsigned width = e.getDtype().getIntOrFloatBitWidth();
  Value low = bitAnd(e, exponent, e.integer(llvm::maxIntN(width)));
  Value isEven = e.compare(Comparison::eq, bitAnd(e, base, e.one()), e.zero());
  Value vanishes = bitAnd(e, isEven, e.compare(Comparison::ne, low, exponent));
  return e.select(vanishes, e.zero(), wholePower(e, base, low, isForIree));
}

static Value signedPower(const Elements &e, Value base, Value exponent,
                         bool isForIree) {
  Value negative = e.compare(Comparison::lt, exponent, e.zero());
  Value result =
      wholePower(e, base, e.select(negative, e.zero(), exponent), isForIree);
  Value isOdd =
      e.compare(Comparison::ne, bitAnd(e, exponent, e.one()), e.zero());
  Value minusOne = e.constant(-1.0);
  Value ofMinusOne = e.select(e.compare(Comparison::eq, base, minusOne),
                              e.select(isOdd, minusOne, e.one()), e.zero());
  Value inverse =
      e.select(e.compare(Comparison::eq, base, e.one()), e.one(), ofMinusOne);
  return e.select(negative, inverse, result);
}

Value torch_to_linalg::power(const Elements &e, Value base, Value exponent,
                             bool isForIree) {
  std::optional<int64_t> known = matchSmall(e, exponent);
  if (known && *known >= 0)
    return product(e, base, *known);
  if (!e.isFloat())
    return e.isUnsigned() ? unsignedPower(e, base, exponent, isForIree)
                          : signedPower(e, base, exponent, isForIree);
  // Not the reciprocal of the power, which may be infinite.
  if (known)
    return product(e, e.div(e.one(), base), -*known);
  return floatPower(e, base, exponent, isForIree);
}
