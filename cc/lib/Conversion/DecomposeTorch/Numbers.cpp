//===- Numbers.cpp - Exponents, neighbours and divisors of numbers --------===//

#include "Decompositions.h"
#include "Formulas.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Of floating point
//===----------------------------------------------------------------------===//

namespace {
/// mantissa * 2^exponent
struct Scaled {
  Tensor mantissa, exponent;
};
} // namespace

/// A positive finite number with a mantissa from 1 to 2 and an exponent of
/// si32. Products with powers of 2 are exact, so a subnormal number has one as
/// well.
static Scaled scaled(Tensor a) {
  Type number =
      IntegerType::get(a.builder().getContext(), 32, IntegerType::Signed);
  Tensor exponent(a.builder(), a.builder().scalarTensor(int64_t(0), number));
  auto scale = [&](Tensor condition, int by) {
    a = where(condition, a * std::ldexp(1., by), a);
    exponent = where(condition, exponent - by, exponent);
  };
  // The steps sum up to the largest exponent; the smallest one needs another.
  int first = a.dtype().isF64() ? 512 : 64;
  scale(a < std::ldexp(1., 1 - first), first);
  for (int step = first; step > 0; step /= 2)
    scale(a < std::ldexp(1., 1 - step), step);
  for (int step = first; step > 0; step /= 2)
    scale(a >= std::ldexp(1., step), -step);
  return {a, exponent};
}

/// frexp(x): x = mantissa * 2^exponent with a mantissa from 1/2 to 1. Numbers
/// without one, 0, infinity and NaN, have the exponent 0.
static Decompositions::Values frexp(AtenFrexpTensorOp op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  auto [mantissa, exponent] = scaled(abs(x));
  Tensor half = negatedIf(x < 0, mantissa * 0.5);
  Tensor isScaled = (x != 0) & (x - x == 0);
  return {where(isScaled, half, x).as(own.dtype()),
          where(isScaled, exponent + 1, 0)};
}

/// ldexp(x, y) = x * 2^y. For a whole y, of which more than the span of the
/// exponents changes nothing, by three powers: one may be too large or small
/// for the dtype though the result is not.
static Tensor ldexp(AtenLdexpTensorOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  auto [x, y] = operandsOf(op, b);
  auto scaled = [&](Tensor x, Tensor exponent) {
    return x * exponent.number(2).apply<AtenPowTensorTensorOp>(exponent);
  };
  Tensor whole(b, op.getOther());
  if (!isIntegral(whole.dtype()))
    return scaled(x, y).as(dtype);
  double span = x.dtype().isF64() ? 2100 : 280;
  y = min(max(whole.as(x.dtype()), -span), span);
  Tensor part = (y / 3).apply<AtenTruncOp>();
  return scaled(scaled(scaled(x, y - part * 2), part), part).as(dtype);
}

/// nextafter(x, y): the number next to x in the direction of y. The distance to
/// the next larger one is 2^exponent over the precision of the dtype, or that
/// between subnormal numbers.
static Tensor nextafter(AtenNextafterOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  auto type = dyn_cast<mlir::FloatType>(dtype);
  if (!type)
    return {b, b.fail("expected floating point numbers")};
  const llvm::fltSemantics &format = type.getFloatSemantics();
  double tiny = APFloat::getSmallest(format).convertToDouble(),
         largest = APFloat::getLargest(format).convertToDouble(),
         unit = std::ldexp(1., 1 - static_cast<int>(type.getFPMantissaWidth()));
  auto [x, y] = operandsOf(op, b);
  Tensor a = abs(x), mantissa = scaled(a).mantissa;
  Tensor up = max(a / mantissa * unit, tiny);
  Tensor down = where(mantissa == 1, max(up * 0.5, tiny), up);
  Tensor isSmaller = where(x < 0, x<y, x> y);
  Tensor size =
      where(isSmaller, where(a == infinity, largest, a - down), a + up);
  Tensor next = negatedIf(x < 0, size);
  next = where(x == 0, where(y > 0, tiny, y.number(-tiny)), next);
  next = where(x == y, y, next);
  return where(x != x, x, where(y != y, y, next)).as(dtype);
}

/// float_power(x, y) = x^y in f64
template <typename Op>
static Tensor floatPower(Op op, TorchBuilder &b) {
  auto [x, y] = operandsOf(op, b);
  return x.template apply<AtenPowTensorTensorOp>(y);
}

/// round(x, decimals) = round(x * 10^decimals) / 10^decimals. The product with
/// a negative power is a quotient, which is more precise.
template <typename Op>
static Value roundDecimals(Op op, TorchBuilder &b) {
  std::optional<int64_t> decimals = matchInt(op.getDecimals());
  if (!decimals)
    return b.fail("expected decimals that are known while compiling");
  Tensor own(b, op.getSelf());
  if (*decimals == 0)
    return own.apply<AtenRoundOp>();
  if (!isFloatingPoint(own.dtype()))
    return b.fail("expected floating point numbers");
  Tensor x = own.widened();
  Tensor scale =
      x.number(std::pow(10., std::abs(static_cast<double>(*decimals))));
  Tensor y = *decimals > 0 ? (x * scale).apply<AtenRoundOp>() / scale
                           : (x / scale).apply<AtenRoundOp>() * scale;
  return y.as(own.dtype());
}

//===----------------------------------------------------------------------===//
// Of integers
//===----------------------------------------------------------------------===//

/// An op of a tensor and a number as that of two tensors.
template <typename TensorOp, typename Op>
static Value ofTensors(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  if (!isIntegral(dtype))
    return b.fail("expected integers");
  auto tensor = [&](Value x) {
    return isTensor(x.getType()) ? x : Value(scalar(b, x, dtype));
  };
  return b.create<TensorOp>(tensor(op.getSelf()), tensor(op.getOther()));
}

/// The greatest common divisor by Euclid's steps. Two consecutive Fibonacci
/// numbers need the most; log(5) / 2 and log((1 + sqrt(5)) / 2) count them.
static Tensor greatestDivisor(Tensor x, Tensor y) {
  double bits = x.dtype().getIntOrFloatBitWidth();
  auto steps = static_cast<int>((bits * std::log(2.) + std::log(5.) / 2) /
                                std::log((1 + std::sqrt(5.)) / 2));
  TorchBuilder &b = x.builder();
  auto [larger, smaller] = broadcast(abs(x), abs(y));
  return loop(b, b.constant(steps), {larger, smaller},
              [](Value, ArrayRef<Tensor> states) {
                Tensor larger = states[0], rest = states[1], isLast = rest == 0;
                Tensor next =
                    larger.apply<AtenFmodTensorOp>(where(isLast, 1, rest));
                // 0 after the last step, as a remainder of 1
                return States{where(isLast, larger, rest), next};
              })[0];
}

/// gcd(x, y), and lcm(x, y) = |x / gcd(x, y) * y|, which is 0 for 0 and 0.
template <bool isMultiple, typename Op>
static Value divisor(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  if (!isIntegral(dtype) || isBoolean(dtype))
    return b.fail("expected integers");
  Tensor x = Tensor(b, op.getSelf()).as(dtype),
         y = Tensor(b, op.getOther()).as(dtype), common = greatestDivisor(x, y);
  if (!isMultiple)
    return common;
  // The least number has no positive counterpart, so `common` may be negative.
  Value quotient = b.create<AtenDivTensorModeOp>(
      x, where(common == 0, 1, common), b.constantStr("trunc"));
  return abs(Tensor(b, quotient) * y);
}

void populateNumbers(Decompositions &decompositions) {
  decompositions.add(
      divisor<false, AtenGcdOp>, divisor<true, AtenLcmOp>,
      floatPower<AtenFloatPowerScalarOp>,
      floatPower<AtenFloatPowerTensorScalarOp>,
      floatPower<AtenFloatPowerTensorTensorOp>, frexp, ldexp, nextafter,
      ofTensors<AtenBitwiseLeftShiftTensorOp, Aten__Lshift__ScalarOp>,
      ofTensors<AtenBitwiseLeftShiftTensorOp, Aten__Lshift__TensorOp>,
      ofTensors<AtenBitwiseRightShiftTensorOp, Aten__Rshift__ScalarOp>,
      ofTensors<AtenBitwiseRightShiftTensorOp, Aten__Rshift__TensorOp>,
      ofTensors<AtenBitwiseAndTensorOp, AtenBitwiseAndScalarTensorOp>,
      ofTensors<AtenBitwiseLeftShiftTensorOp,
                AtenBitwiseLeftShiftScalarTensorOp>,
      ofTensors<AtenBitwiseLeftShiftTensorOp,
                AtenBitwiseLeftShiftTensorScalarOp>,
      ofTensors<AtenBitwiseOrTensorOp, AtenBitwiseOrScalarTensorOp>,
      ofTensors<AtenBitwiseRightShiftTensorOp,
                AtenBitwiseRightShiftScalarTensorOp>,
      ofTensors<AtenBitwiseRightShiftTensorOp,
                AtenBitwiseRightShiftTensorScalarOp>,
      ofTensors<AtenBitwiseXorTensorOp, AtenBitwiseXorScalarTensorOp>,
      roundDecimals<AtenRoundDecimalsOp>, roundDecimals<AtenSpecialRoundOp>);
}

} // namespace isthmus::decompose_torch
