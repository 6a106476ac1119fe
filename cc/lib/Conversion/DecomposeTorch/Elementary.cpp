//===- Elementary.cpp - Functions in terms of exp, log, sin, cos and atan -===//
//
// Each is accurate to a few units in the last place over its whole domain,
// including near 0 and near its poles, and NaN outside of it. Like PyTorch's
// kernels, all compute half types in f32 and round the result.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Formulas.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// Beyond this, 1 + x^2 is x^2 in f32 and f64, and x^2 is still finite.
static constexpr double far = 0x1p28;

/// exp(x) - 1 = tanh(x / 2) * (exp(x) + 1), without cancellation near 0.
static Tensor expm1Formula(Tensor x) { return tanh(x * 0.5) * (exp(x) + 1); }

/// log(1 + x) = log(u) * x / (u - 1) with u = 1 + x as rounded: the quotient
/// compensates for the rounding (W. Kahan; D. Goldberg, "What every computer
/// scientist should know about floating-point arithmetic", theorem 4).
static Tensor log1pFormula(Tensor x) {
  Tensor u = x + 1, rest = u - 1;
  Tensor correction = where(rest == x, 1, x / rest); // 1 for infinity as well
  return where(rest == 0, x, log(u) * correction);
}

static Tensor log2Formula(Tensor x) { return log(x) * llvm::numbers::log2e; }
static Tensor log10Formula(Tensor x) { return log(x) * llvm::numbers::log10e; }

static Tensor exp2Formula(Tensor x) {
  return x.number(2).apply<AtenPowTensorTensorOp>(x);
}

/// logit(x) = log(x / (1 - x)); x is clamped to [eps, 1 - eps] if eps is given.
static Tensor logit(AtenLogitOp op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  if (!isNone(op.getEps())) {
    Tensor eps = scalar(b, op.getEps(), x.dtype());
    x = min(max(x, eps), 1 - eps);
  }
  Tensor y = log(x / (1 - x));
  return isFloatingPoint(own.dtype()) ? y.as(own.dtype()) : y;
}

/// cosh(x) = (e^2 + 1 / e^2) / 2 with e = exp(|x| / 2), which overflows only if
/// the result does.
static Tensor coshFormula(Tensor x) {
  Tensor e = exp(abs(x) * 0.5);
  return e * 0.5 * e + 0.5 / e / e;
}

/// sinh(x) = tanh(x) * cosh(x), without cancellation near 0.
static Tensor sinhFormula(Tensor x) { return tanh(x) * coshFormula(x); }

static Tensor tanFormula(Tensor x) { return sin(x) / cos(x); }

/// asinh(x) = log(|x| + sqrt(x^2 + 1)) = log1p(|x| + x^2 / (1 + sqrt(x^2 +
/// 1))), with the sign of x.
static Tensor asinhFormula(Tensor x) {
  Tensor a = abs(x), square = a * a;
  Tensor close = log1p(a + square / (sqrt(square + 1) + 1));
  return negatedIf(x < 0, where(a > far, log(a) + llvm::numbers::ln2, close));
}

/// acosh(x) = log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(2 t + t^2)) with t = x
/// - 1.
static Tensor acoshFormula(Tensor x) {
  Tensor t = x - 1;
  Tensor close = log1p(t + sqrt(t * 2 + t * t));
  return where(x < 1, nan, where(x > far, log(x) + llvm::numbers::ln2, close));
}

/// atanh(x) = log((1 + x) / (1 - x)) / 2 = log1p(2 |x| / (1 - |x|)) / 2, with
/// the sign of x.
static Tensor atanhFormula(Tensor x) {
  Tensor a = abs(x);
  return negatedIf(x < 0, log1p(a * 2 / (1 - a)) * 0.5);
}

/// asin(x) = atan(x / sqrt(1 - x^2))
static Tensor asinFormula(Tensor x) {
  return atan(x / sqrt((1 - x) * (1 + x)));
}

/// acos(x) = 2 * atan(sqrt((1 - x) / (1 + x)))
static Tensor acosFormula(Tensor x) {
  return atan(sqrt((1 - x) / (1 + x))) * 2;
}

/// True for negative numbers and -0.
static Tensor hasMinus(Tensor x) { return where(x == 0, 1 / x, x) < 0; }

/// atan2(y, x): the angle of the point (x, y). The quotient of the smaller by
/// the larger coordinate gives an angle in the first octant; reflections map it
/// to the actual octant.
static Tensor atan2(AtenAtan2Op op, TorchBuilder &b) {
  Type dtype = resultDtype(op->getOperands());
  Type computed = Tensor(b, b.scalarTensor(0.0, dtype)).widened().dtype();
  Tensor y = Tensor(b, op.getSelf()).as(computed),
         x = Tensor(b, op.getOther()).as(computed);
  Tensor height = abs(y), width = abs(x);
  Tensor smaller = min(height, width), larger = max(height, width);
  Tensor quotient =
      where(larger == 0, 0, where(smaller == infinity, 1, smaller / larger));
  Tensor angle = atan(quotient);
  angle = where(height > width, llvm::numbers::pi / 2 - angle, angle);
  angle = where(hasMinus(x), llvm::numbers::pi - angle, angle);
  return negatedIf(hasMinus(y), angle).as(isIntegral(dtype) ? computed : dtype);
}

/// copysign(x, y): |x| with the sign of y. NaN has none here.
template <typename Op>
static Tensor copysign(Op op, TorchBuilder &b) {
  auto [x, y] = operandsOf(op, b);
  return negatedIf(hasMinus(y), abs(x)).as(tensorType(op).getDtype());
}

/// xlogy(x, y) = x * log(y), and 0 for x = 0 unless y is NaN. xlog1py has
/// log(1 + y).
template <Tensor (*logarithm)(Tensor), typename Op>
static Tensor timesLog(Op op, TorchBuilder &b) {
  auto [x, y] = operandsOf(op, b);
  Tensor product = where(x == 0, 0, x * logarithm(y));
  return where(y == y, product, y).as(tensorType(op).getDtype());
}

/// sinc(x) = sin(pi x) / (pi x), and 1 for x = 0
static Tensor sincFormula(Tensor x) {
  return sineOverArgument(x * llvm::numbers::pi);
}

static Tensor deg2radFormula(Tensor x) { return x * (llvm::numbers::pi / 180); }
static Tensor rad2degFormula(Tensor x) { return x * (180 / llvm::numbers::pi); }

/// hypot(x, y) = |x| * sqrt(1 + (y / x)^2) for |x| >= |y|, which overflows only
/// if the result does. It is infinite beside a NaN as well.
static Tensor hypot(AtenHypotOp op, TorchBuilder &b) {
  auto [own, other] = operandsOf(op, b);
  Tensor x = abs(own), y = abs(other);
  Tensor larger = max(x, y), ratio = min(x, y) / larger;
  Tensor length = larger * sqrt(ratio * ratio + 1);
  length = where(larger == 0, larger, length);
  Tensor longest = max(where(x == infinity, x, 0), where(y == infinity, y, 0));
  return where(longest == infinity, longest, length)
      .as(tensorType(op).getDtype());
}

/// log(base^x + base^y) = log(exp(x * c) + exp(y * c)) / c with c = log(base)
template <typename Op>
static Tensor logOfSum(Op op, TorchBuilder &b, double logOfBase) {
  Type dtype = tensorType(op).getDtype();
  auto [x, y] = operandsOf(op, b);
  if (logOfBase == 1)
    return logAddExp(x, y).as(dtype);
  return (logAddExp(x * logOfBase, y * logOfBase) * (1 / logOfBase)).as(dtype);
}
static Tensor logaddexp(AtenLogaddexpOp op, TorchBuilder &b) {
  return logOfSum(op, b, 1);
}
static Tensor logaddexp2(AtenLogaddexp2Op op, TorchBuilder &b) {
  return logOfSum(op, b, llvm::numbers::ln2);
}

/// NaN has no sign here.
static Tensor signbit(AtenSignbitOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  if (isFloatingPoint(x.dtype()))
    return hasMinus(x);
  return isBoolean(x.dtype()) ? x != x : x < 0;
}

void populateElementary(Decompositions &decompositions) {
  decompositions.add(
      function<acosFormula, AtenAcosOp>, function<acoshFormula, AtenAcoshOp>,
      function<asinFormula, AtenAsinOp>, function<asinhFormula, AtenAsinhOp>,
      atan2, function<atanhFormula, AtenAtanhOp>,
      copysign<AtenCopysignTensorOp>, copysign<AtenCopysignScalarOp>,
      function<deg2radFormula, AtenDeg2radOp>,
      function<rad2degFormula, AtenRad2degOp>,
      function<sincFormula, AtenSincOp>, timesLog<log, AtenXlogyTensorOp>,
      timesLog<log, AtenXlogyScalarOtherOp>,
      timesLog<log, AtenXlogyScalarSelfOp>,
      timesLog<log1p, AtenSpecialXlog1pyOp>,
      timesLog<log1p, AtenSpecialXlog1pyOtherScalarOp>,
      timesLog<log1p, AtenSpecialXlog1pySelfScalarOp>,
      function<coshFormula, AtenCoshOp>, function<exp2Formula, AtenExp2Op>,
      function<expm1Formula, AtenExpm1Op>, hypot,
      function<log10Formula, AtenLog10Op>, function<log1pFormula, AtenLog1pOp>,
      function<log2Formula, AtenLog2Op>, logaddexp, logaddexp2, logit, signbit,
      function<sinhFormula, AtenSinhOp>, function<tanFormula, AtenTanOp>);
}

} // namespace isthmus::decompose_torch
