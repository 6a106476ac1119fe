//===- Elementary.cpp - Functions in terms of exp, log, sin, cos and atan -===//
//
// Each is accurate to a few units in the last place over its whole domain,
// including near 0 and near its poles, and NaN outside of it. Near their zeros,
// lgamma and digamma have an absolute error of a few such units of 1. Like
// PyTorch's kernels, all compute half types in f32 and round the result.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Beyond this, 1 + x^2 is x^2 in f32 and f64, and x^2 is still finite.
static constexpr double far = 0x1p28;

/// Converts the operand for the formula, and its result to the op's dtype.
template <Tensor (*formula)(Tensor), typename Op>
static Tensor function(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return formula(x.widened())
      .as(isFloatingPoint(x.dtype()) ? x.dtype() : x.widened().dtype());
}

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

static Tensor negatedIf(Tensor condition, Tensor x) {
  return where(condition, -x, x);
}

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

/// The operands of a binary op, tensors or numbers, in the dtype in which it
/// computes.
template <typename Op>
static std::pair<Tensor, Tensor> operandsOf(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  auto computed = [&](Value x) {
    return (isTensor(x.getType()) ? Tensor(b, x).as(dtype)
                                  : scalar(b, x, dtype))
        .widened();
  };
  return {computed(op.getSelf()), computed(op.getOther())};
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
  Tensor angle = x * llvm::numbers::pi;
  return where(x == 0, 1, sin(angle) / angle);
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

/// The polynomial with these coefficients, that of the highest power first.
static Tensor polynomial(Tensor x, ArrayRef<double> coefficients) {
  Tensor y = x * coefficients.front();
  for (double coefficient : coefficients.drop_front().drop_back())
    y = (y + coefficient) * x;
  return y + coefficients.back();
}

/// erfc(x) = 1 - erf(x). For large x it is exp(-x^2 - 9/16 + p / q) / x, where
/// p and q are polynomials in 1 / x^2 for two ranges of x (Sun Microsystems'
/// s_erf.c).
static Tensor erfcFormula(Tensor x) {
  Tensor a = abs(x), s = 1 / (a * a);
  Tensor nearby =
      polynomial(s,
                 {-9.81432934416914548592e+00, -8.12874355063065934246e+01,
                  -1.84605092906711035994e+02, -1.62396669462573470355e+02,
                  -6.23753324503260060396e+01, -1.05586262253232909814e+01,
                  -6.93858572707181764372e-01, -9.86494403484714822705e-03}) /
      polynomial(s,
                 {-6.04244152148580987438e-02, 6.57024977031928170135e+00,
                  1.08635005541779435134e+02, 4.29008140027567833386e+02,
                  6.45387271733267880336e+02, 4.34565877475229228821e+02,
                  1.37657754143519042600e+02, 1.96512716674392571292e+01, 1});
  Tensor remote =
      polynomial(s, {-4.83519191608651397019e+02, -1.02509513161107724954e+03,
                     -6.37566443368389627722e+02, -1.60636384855821916062e+02,
                     -1.77579549177547519889e+01, -7.99283237680523006574e-01,
                     -9.86494292470009928597e-03}) /
      polynomial(s, {-2.24409524465858183362e+01, 4.74528541206955367215e+02,
                     2.55305040643316442583e+03, 3.19985821950859553908e+03,
                     1.53672958608443695994e+03, 3.25792512996573918826e+02,
                     3.03380607434824582924e+01, 1});
  Tensor exponent = where(a < 1 / 0.35, nearby, remote) - 0.5625 - a * a;
  Tensor tail = where(a > 28, 0, exp(exponent) / a);
  tail = where(x < 0, 2 - tail, tail);
  return where(a < 1.25, 1 - erf(x), where(x != x, x, tail));
}

/// erfinv(y): an approximation of single precision (M. Giles, "Approximating
/// the erfinv function", table 1). Newton's steps make it precise in f64: of
/// erf for small y, and of log(erfc) where 1 - y is small.
static Tensor erfinvFormula(Tensor y) {
  Tensor a = abs(y), rest = 1 - a;
  Tensor w = -log(rest * (1 + a));
  Tensor central =
      polynomial(w - 2.5, {2.81022636e-08, 3.43273939e-07, -3.5233877e-06,
                           -4.39150654e-06, 0.00021858087, -0.00125372503,
                           -0.00417768164, 0.246640727, 1.50140941});
  Tensor tail =
      polynomial(sqrt(w) - 3, {-0.000200214257, 0.000100950558, 0.00134934322,
                               -0.00367342844, 0.00573950773, -0.0076224613,
                               0.00943887047, 1.00167406, 2.83297682});
  Tensor x = where(w < 5, central, tail) * a;
  int steps = y.dtype().isF64() ? 4 : 0;
  for (int step = 0; step < steps; ++step) {
    Tensor slope = exp(-(x * x)) * (2 * llvm::numbers::inv_sqrtpi); // of erf
    Tensor above = erfcFormula(x);
    x = x + where(a < 0.5, a - erf(x), above * log(above / rest)) / slope;
  }
  x = where(a == 1, infinity, where(a > 1, nan, x));
  return negatedIf(y < 0, x);
}

/// log|gamma(x)|: Lanczos' approximation with g = 7 and nine coefficients for x
/// >= 1/2, with gamma(x) * gamma(1 - x) = pi / sin(pi * x) for the others.
static Tensor lgammaFormula(Tensor x) {
  static constexpr double g = 7;
  static constexpr double coefficients[] = {
      676.520368121885098567009190444019, -1259.13921672240287047156078755283,
      771.3234287776530788486528258894,   -176.61502916214059906584551354,
      12.507343278686904814458936853,     -0.13857109526572011689554707,
      9.984369578019570859563e-6,         1.50563273514931155834e-7};
  Tensor isReflected = x < 0.5;
  Tensor z = where(isReflected, -x, x - 1);
  Tensor series = z.number(0.99999999999980993227684700473478);
  for (auto [i, coefficient] : llvm::enumerate(coefficients))
    series = series + coefficient / (z + (i + 1.0));
  // (z + 1/2) * log(t) - t with t = z + g + 1/2, so that little cancels.
  Tensor t = z + (g + 0.5);
  Tensor logOfT = log1p(z * (1 / (g + 0.5))) + std::log(g + 0.5);
  Tensor y = (z + 0.5 - t / logOfT) * logOfT + log(series) +
             0.5 * std::log(2 * llvm::numbers::pi);
  // |sin(pi * x)| has the period 1 and is symmetric about 1/2.
  Tensor fraction = abs(x) - abs(x).apply<AtenFloorOp>();
  fraction = where(fraction > 0.5, 1 - fraction, fraction);
  Tensor sine = log(sin(fraction * llvm::numbers::pi));
  Tensor reflected = std::log(llvm::numbers::pi) - sine - y;
  return where(abs(x) == infinity, infinity, where(isReflected, reflected, y));
}

/// digamma(x): its asymptotic series at x + 10, with digamma(x + 1) =
/// digamma(x) + 1 / x, and digamma(1 - x) - pi / tan(pi * x) for negative x.
static Tensor digammaFormula(Tensor x) {
  Tensor isReflected = x < 0;
  Tensor z = where(isReflected, 1 - x, x);
  Tensor before = z.number(0);
  for (int i = 0; i < 10; ++i)
    before = before + 1 / (z + i);
  Tensor t = z + 10, inverse = 1 / (t * t);
  // B(2k) / (2k) with the Bernoulli numbers B.
  Tensor rest =
      polynomial(inverse, {1. / 12, -691. / 32760, 1. / 132, -1. / 240,
                           1. / 252, -1. / 120, 1. / 12, 0});
  Tensor y = log(t) - 0.5 / t - rest - before;
  // The tangent has the period 1 in x.
  Tensor angle = (x - x.apply<AtenRoundOp>()) * llvm::numbers::pi;
  Tensor reflected = y - llvm::numbers::pi * cos(angle) / sin(angle);
  Tensor isPole = (x == x.apply<AtenFloorOp>());
  y = where(isReflected, where(isPole, nan, reflected), y);
  // 1 / 0 has the sign of the zero.
  return where(x == 0, -1 / x, y);
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
      function<coshFormula, AtenCoshOp>,
      function<digammaFormula, AtenDigammaOp>,
      function<erfcFormula, AtenErfcOp>, function<erfinvFormula, AtenErfinvOp>,
      function<exp2Formula, AtenExp2Op>, function<expm1Formula, AtenExpm1Op>,
      hypot, function<lgammaFormula, AtenLgammaOp>,
      function<log10Formula, AtenLog10Op>, function<log1pFormula, AtenLog1pOp>,
      function<log2Formula, AtenLog2Op>, logaddexp, logaddexp2, logit, signbit,
      function<sinhFormula, AtenSinhOp>, function<tanFormula, AtenTanOp>);
}

} // namespace isthmus::decompose_torch
