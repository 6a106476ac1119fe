//===- Special.cpp - Error, gamma and zeta functions ----------------------===//
//
// Each is accurate to a few units in the last place over its whole domain, and
// NaN outside of it. Near their zeros, lgamma and digamma have an absolute
// error of a few such units of 1. Like PyTorch's kernels, all compute half
// types in f32 and round the result.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Formulas.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/SpecialComposites.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Error functions and the normal distribution
//===----------------------------------------------------------------------===//

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

/// erfcx(x) = exp(x^2) erfc(x), while compiling, for x >= 0. For large x it is
/// the integral of exp(-s^2) x / (x^2 + s^2) over s, divided by pi.
static double erfcx(double x) {
  if (x < 2)
    return std::exp(x * x) * std::erfc(x);
  constexpr double step = 1. / 16;
  double sum = 0;
  for (int place = -100; place <= 100; ++place) {
    double s = place * step;
    sum += std::exp(-s * s) / (1 + s * s / x / x);
  }
  return sum * step * llvm::numbers::inv_pi / x;
}

/// erfcx(x) = exp(x^2) erfc(x). For x >= 0, (1 + 2 x) erfcx(x) is a smooth
/// function of (x - k) / (x + k) (M. Shepherd and J. Laframboise, "Chebyshev
/// approximation of (1 + 2x) exp(x^2) erfc(x)"); 2 exp(x^2) - erfcx(-x) for the
/// others.
static Tensor erfcxFormula(Tensor x) {
  static constexpr double k = 3.75;
  static const Expansion expansion([](double t) {
    double a = k * (1 + t) / (1 - t);
    return (1 + 2 * a) * erfcx(a);
  });
  Tensor a = abs(x);
  Tensor y = expansion(1 - 2 * k / (a + k)) / (a * 2 + 1);
  return where(x < 0, exp(x * x) * 2 - y, y);
}

static constexpr double inverseSqrt2 = 1 / llvm::numbers::sqrt2;

/// ndtr(x) = erfc(-x / sqrt(2)) / 2, the distribution function of the standard
/// normal distribution.
static Tensor ndtrFormula(Tensor x) {
  return (x * -inverseSqrt2).apply<AtenErfcOp>() * 0.5;
}

/// log(ndtr(x)), without underflow.
static Tensor logNdtrFormula(Tensor x) {
  Tensor t = x * inverseSqrt2;
  Tensor tail = log(erfcxFormula(-t) * 0.5) - t * t;
  return where(x < -1, tail, log1p(t.apply<AtenErfcOp>() * -0.5));
}

/// ndtri(p), the inverse of ndtr: x > 0 with ndtr(-x) = q for q = min(p, 1 -
/// p), and the sign of p - 1/2. It starts from an approximation (Abramowitz and
/// Stegun, "Handbook of mathematical functions", 26.2.23). Newton's steps make
/// it precise: of ndtr for large q, and of log(ndtr) for small q.
static Tensor ndtriFormula(Tensor p) {
  Tensor q = min(p, 1 - p), logarithm = log(q);
  Tensor t = sqrt(logarithm * -2);
  Tensor x = t - polynomial(t, {0.010328, 0.802853, 2.515517}) /
                     polynomial(t, {0.001308, 0.189269, 1.432788, 1});
  int steps = p.dtype().isF64() ? 3 : 2;
  for (int step = 0; step < steps; ++step) {
    Tensor scaled = x * inverseSqrt2;
    Tensor above = erfcxFormula(scaled) * 0.5; // ndtr(-x) / exp(-x^2 / 2)
    Tensor remote = (log(above) - scaled * scaled - logarithm) * above;
    Tensor nearby = (0.5 - q - erf(scaled) * 0.5) * exp(scaled * scaled);
    x = x + where(q > 0.1, nearby, remote) * std::sqrt(2 * llvm::numbers::pi);
  }
  x = where(q == 0, infinity, x);
  return negatedIf(p < 0.5, x);
}

/// entr(x) = -x log(x), 0 for x = 0, and -infinity below.
static Tensor entrFormula(Tensor x) {
  Tensor y = where(x == 0, 0, -(x * log(x)));
  return where(x < 0, -infinity, y);
}

//===----------------------------------------------------------------------===//
// Gamma functions
//===----------------------------------------------------------------------===//

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
  // For large numbers, y is infinite as well.
  reflected = where(fraction == 0, infinity, reflected);
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

/// mvlgamma(x, p) = sum(lgamma(x - i / 2) for i < p) + p (p - 1) / 4 log(pi)
static Value mvlgamma(AtenMvlgammaOp op, TorchBuilder &b) {
  static constexpr int64_t most = 1 << 10;
  std::optional<int64_t> p = matchInt(op.getP());
  if (!p || *p < 1 || *p > most)
    return b.fail("expected a p from 1 to " + Twine(most) +
                  " that is known while compiling");
  Tensor x = Tensor(b, op.getSelf()).widened();
  double count = static_cast<double>(*p);
  Tensor sum = x.number(count * (count - 1) / 4 * std::log(llvm::numbers::pi));
  for (int64_t i = 0; i < *p; ++i)
    sum = sum + (x - static_cast<double>(i) / 2).apply<AtenLgammaOp>();
  return sum.as(tensorType(op).getDtype());
}

//===----------------------------------------------------------------------===//
// Zeta functions
//===----------------------------------------------------------------------===//

/// B(n) / n! for n = 0, 2, 4 ... with the Bernoulli numbers B: the coefficients
/// of x / (exp(x) - 1) + x / 2, whose product with (exp(x) - 1) / x has those
/// of (exp(x) + 1) / 2.
static SmallVector<double> bernoulli(int count) {
  auto overFactorial = [](int n) { return 1 / std::tgamma(n + 1.0); };
  SmallVector<double> coefficients;
  for (int n = 0; n < count; ++n) {
    double rest = n == 0 ? 1 : overFactorial(2 * n) / 2;
    for (int k = 0; k < n; ++k)
      rest -= coefficients[k] * overFactorial(2 * (n - k) + 1);
    coefficients.push_back(rest);
  }
  return coefficients;
}

/// What a zeta function of s computes with.
struct Exponent {
  Tensor s, sign; // the sign is (-1)^s
  /// x^-s
  llvm::function_ref<Tensor(Tensor x)> decay;
  /// u^-s + (-1)^s v^-s for u <= v, although the two may cancel. The distance
  /// v - u is given: it would lose digits.
  llvm::function_ref<Tensor(Tensor u, Tensor v, Tensor distance)> pair;
};

/// The terms of a zeta function that are added up before the others are
/// estimated.
static constexpr int zetaTerms = 10;

/// The sum of (z + k)^-s over k = 0, 1, ... for s > 1 and z >= zetaTerms, by
/// Euler and Maclaurin's formula,
///   z^-s (z / (s - 1) + 1 / 2 + sum(B(2j) / (2j)! s (s + 1) ... (s + 2j - 2) /
///   z^(2j - 1)))
static Tensor zetaRest(const Exponent &e, Tensor z) {
  static constexpr int corrections = 12;
  static const SmallVector<double> numbers = bernoulli(corrections + 1);
  Tensor s = e.s, inverse = 1 / z, square = inverse * inverse;
  Tensor series = z.number(numbers.back());
  for (int j = corrections - 1; j > 0; --j)
    series = (s + (2.0 * j - 1)) * (s + 2.0 * j) * square * series + numbers[j];
  Tensor first = e.decay(z);
  Tensor rest = first * (z / (s - 1) + (s * inverse * series + 0.5));
  return where(first == 0, 0, rest);
}

/// The sum of (q + k)^-s over k = 0, 1, ... for s > 1 and q > 0.
static Tensor zetaOfPositive(const Exponent &e, Tensor q) {
  Tensor sum = e.decay(q);
  for (int k = 1; k < zetaTerms; ++k)
    sum = sum + e.decay(q + k);
  return sum + zetaRest(e, q + zetaTerms);
}

/// The sum of (k - fraction)^-s over all whole k, for whole s > 1 and 0 <
/// fraction < 1. The terms of -k and k + 1 make a pair: near a fraction of 1/2,
/// those of an odd s cancel.
static Tensor zetaOfAll(const Exponent &e, Tensor fraction) {
  Tensor u = min(fraction, 1 - fraction), v = 1 - u, distance = 1 - u * 2;
  Tensor sum = zetaRest(e, u + zetaTerms) + e.sign * zetaRest(e, v + zetaTerms);
  for (int k = zetaTerms - 1; k >= 0; --k)
    sum = sum + e.pair(u + k, v + k, distance);
  // The nearer one of each pair is below 0 if the fraction is.
  return sum * where(fraction < 0.5, e.sign, 1);
}

/// zeta(s, q), the sum of (q + k)^-s over k = 0, 1, ... for s > 1. For negative
/// q and whole s it is the sum over all whole k, less the terms of k < 0: these
/// are (-1)^s (1 - q + k)^-s for k = 0, 1, ...
static Tensor zeta(const Exponent &e, Tensor q) {
  Tensor s = e.s, a = abs(q), fraction = a - floor(a);
  Tensor outer = zetaOfPositive(e, where(q > 0, q, 1 - q));
  Tensor reflected = zetaOfAll(e, fraction) - e.sign * outer;
  reflected = where(s == floor(s), reflected, nan);
  reflected = where(fraction == 0, infinity, reflected);
  Tensor y = where(q <= 0, reflected, outer);
  return where(s == 1, infinity, where(s < 1, nan, y));
}

template <typename Op>
static Tensor zeta(Op op, TorchBuilder &b) {
  auto [exponent, q] = expandedOperandsOf(op, b);
  Tensor s = exponent, negated = -s, half = s * 0.5;
  Tensor sign = where(half == floor(half), s.number(1), -1);
  auto decay = [&](Tensor x) {
    return x.apply<AtenPowTensorTensorOp>(negated);
  };
  // (u / v)^s = 1 + expm1(s log1p((u - v) / v))
  auto pair = [&](Tensor u, Tensor v, Tensor distance) {
    return decay(u) * (1 + sign + sign * expm1(s * log1p(-(distance / v))));
  };
  return zeta({s, sign, decay, pair}, q).as(tensorType(op).getDtype());
}

/// x^n as products of squares, for n of 1 or more.
static Tensor wholePower(Tensor x, int64_t n) {
  if (n == 1)
    return x;
  Tensor root = wholePower(x, n / 2), square = root * root;
  return n % 2 ? square * x : square;
}

/// (p^n - q^n) / (p - q) for n of 1 or more: of positive terms, which cannot
/// cancel.
static Tensor quotientOfPowers(Tensor p, Tensor q, int64_t n) {
  if (n == 1)
    return p.number(1);
  int64_t half = n / 2;
  Tensor even = quotientOfPowers(p, q, half) *
                (wholePower(p, half) + wholePower(q, half));
  return n % 2 ? even * p + wholePower(q, n - 1) : even;
}

/// polygamma(n, x), the n-th derivative of digamma: (-1)^(n + 1) n! zeta(n + 1,
/// x) for n > 0.
static Value polygamma(AtenPolygammaOp op, TorchBuilder &b) {
  std::optional<int64_t> n = matchInt(op.getN());
  if (!n || *n < 0 || *n > 1000)
    return b.fail("expected an n from 0 to 1000 that is known while compiling");
  if (*n == 0)
    return b.create<AtenDigammaOp>(op.getSelf());
  Tensor x = Tensor(b, op.getSelf()).widened();
  int64_t s = *n + 1;
  double sign = s % 2 ? -1 : 1;
  auto decay = [&](Tensor y) { return wholePower(1 / y, s); };
  auto pair = [&](Tensor u, Tensor v, Tensor distance) {
    Tensor p = 1 / u, q = 1 / v;
    return s % 2 ? distance * p * q * quotientOfPowers(p, q, s)
                 : wholePower(p, s) + wholePower(q, s);
  };
  Exponent exponent = {x.number(static_cast<double>(s)), x.number(sign), decay,
                       pair};
  double scale = sign * std::tgamma(static_cast<double>(s));
  return (zeta(exponent, x) * scale).as(tensorType(op).getDtype());
}

void populateSpecial(Decompositions &decompositions) {
  decompositions.add(function<digammaFormula, AtenDigammaOp>,
                     function<entrFormula, AtenSpecialEntrOp>,
                     function<erfcFormula, AtenErfcOp>,
                     function<erfcxFormula, AtenSpecialErfcxOp>,
                     function<erfinvFormula, AtenErfinvOp>,
                     function<lgammaFormula, AtenLgammaOp>,
                     function<logNdtrFormula, AtenSpecialLogNdtrOp>, mvlgamma,
                     function<ndtrFormula, AtenSpecialNdtrOp>,
                     function<ndtriFormula, AtenSpecialNdtriOp>, polygamma,
                     zeta<AtenSpecialZetaOp>,
                     zeta<AtenSpecialZetaOtherScalarOp>,
                     zeta<AtenSpecialZetaSelfScalarOp>);
}

} // namespace isthmus::decompose_torch
