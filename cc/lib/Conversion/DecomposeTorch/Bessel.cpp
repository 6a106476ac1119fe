//===- Bessel.cpp - Bessel functions --------------------------------------===//
//
// Each is expanded for small and for large arguments, from its defining series
// or integral. Near their zeros, those of the first and second kind have an
// absolute error of a few units in the last place of 1. Like PyTorch's kernels,
// all compute half types in f32 and round the result.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Formulas.h"
#include "isthmus/Dialect/Torch/SpecialComposites.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <complex>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Numbers, while compiling
//===----------------------------------------------------------------------===//

/// The sum of q^k / (k! (k + order)!), which is I(x) * (2 / x)^order for q =
/// x^2 / 4, and J(x) * (2 / x)^order for q = -x^2 / 4. With `digammas`, each
/// term is multiplied by digamma(k + 1) + digamma(k + order + 1).
static double series(int order, double q, bool digammas) {
  long double digamma = -0.577215664901532860606512090082402431L; // of 1
  long double first = digamma, second = digamma, term = 1, sum = 0;
  for (int k = 1; k <= order; ++k) {
    term /= k;
    second += 1.0L / k;
  }
  for (int k = 0; k < 60; ++k) {
    sum += digammas ? term * (first + second) : term;
    term *= q / ((k + 1.0L) * (k + order + 1));
    first += 1.0L / (k + 1);
    second += 1.0L / (k + order + 1);
  }
  return static_cast<double>(sum);
}

/// exp(-x) I(x) / x^order: the mean of exp(x (cos(a) - 1)) sin(a)^(2 order)
/// over half a turn. Equally spaced angles are enough for periodic functions.
static double scaledI(int order, double x) {
  constexpr int count = 2048;
  double sum = 0;
  for (int place = 0; place < count; ++place) {
    double angle = (place + 0.5) * llvm::numbers::pi / count,
           half = std::sin(angle / 2), sine = std::sin(angle);
    sum += std::exp(-2 * x * half * half) * (order ? sine * sine : 1);
  }
  return sum / count;
}

/// exp(x) K(x) sqrt(2 x / pi): the integral of exp(-s^2) s^(2 order) (1 + s^2 /
/// (2 x))^(order - 1/2) over s, divided by gamma(order + 1/2) (H. Hankel). For
/// an imaginary x it gives the functions of the first and second kind.
static std::complex<double> hankel(int order, std::complex<double> x) {
  constexpr double step = 1. / 16;
  std::complex<double> sum = 0;
  for (int place = -100; place <= 100; ++place) {
    double s = place * step, weight = std::exp(-s * s);
    std::complex<double> root = std::sqrt(1.0 + s * s / (2.0 * x));
    sum += order ? 2 * s * s * weight * root : weight / root;
  }
  return sum * step * (llvm::numbers::inv_sqrtpi);
}

//===----------------------------------------------------------------------===//
// Modified functions
//===----------------------------------------------------------------------===//

/// exp(-|x|) I(x), as a function of |x|; divided by sqrt(1 / |x|) beyond 8.
template <int order>
static Tensor scaledIFormula(Tensor x) {
  constexpr double border = 8;
  static const Expansion nearby(
      [](double t) { return scaledI(order, border / 2 * (t + 1)); });
  static const Expansion remote([](double t) {
    double a = 2 * border / (t + 1);
    return scaledI(order, a) * std::sqrt(a) * std::pow(a, order);
  });
  Tensor a = abs(x);
  Tensor small = nearby(a * (2 / border) - 1),
         large = remote(2 * border / a - 1) / sqrt(a);
  if (order == 0)
    return where(a <= border, small, large);
  return where(a <= border, x * small, negatedIf(x < 0, large));
}

template <int order>
static Tensor iFormula(Tensor x) {
  return exp(abs(x)) * scaledIFormula<order>(x);
}

/// log(x / 2), also for the smallest x, whose half is 0.
static Tensor logOfHalf(Tensor x) {
  Tensor isSmall = x < 1;
  return log(where(isSmall, x, x * 0.5)) -
         where(isSmall, x.number(llvm::numbers::ln2), 0);
}

/// The function of the second kind for 0 < x <= 2, from that of the first:
///   K0(x) = -log(x / 2) I0(x) + series(0) / 2
///   K1(x) = log(x / 2) I1(x) + 1 / x - x / 4 * series(1)
/// where the series have the digammas.
template <int order>
static Tensor smallK(Tensor x) {
  static const Expansion first(
      [](double t) { return series(order, (t + 1) / 2, /*digammas=*/false); });
  static const Expansion second(
      [](double t) { return series(order, (t + 1) / 2, /*digammas=*/true); });
  Tensor t = x * x * 0.5 - 1, logarithm = logOfHalf(x);
  if (order == 0)
    return second(t) * 0.5 - logarithm * first(t);
  Tensor rest = logarithm * first(t) - second(t) * 0.5;
  return where(x == 0, infinity, 1 / x + x * 0.5 * rest);
}

/// exp(x) K(x) or, unless it is scaled, K(x)
template <int order, bool isScaled>
static Tensor kFormula(Tensor x) {
  constexpr double border = 2;
  static const Expansion remote([](double t) {
    return hankel(order, 2 * border / (t + 1)).real() *
           std::sqrt(llvm::numbers::pi / 2);
  });
  Tensor small = smallK<order>(x), large = remote(2 * border / x - 1) / sqrt(x);
  if (isScaled)
    return where(x > border, large, small * exp(x));
  return where(x > border, large * exp(-x), small);
}

//===----------------------------------------------------------------------===//
// Functions of the first and second kind
//===----------------------------------------------------------------------===//

/// Beyond this, J and Y are sqrt(2 / (pi x)) times (p cos(a) - q sin(a)) and (p
/// sin(a) + q cos(a)), with a = x - pi / 4 - order pi / 2 and p + i q =
/// hankel(-i x).
static constexpr double wave = 5;

/// J and Y for x > `wave`. The angle is composed of sin(x) and cos(x), because
/// the difference would lose digits of a large x.
template <int order, bool isSecond>
static Tensor waves(Tensor x) {
  auto hankelAt = [](double t) {
    double x = wave / std::sqrt((t + 1) / 2);
    return std::pair(x, hankel(order, {0, -x}));
  };
  static const Expansion real(
      [&](double t) { return hankelAt(t).second.real(); });
  static const Expansion imaginary([&](double t) {
    auto [x, value] = hankelAt(t);
    return value.imag() * x;
  });
  Tensor inverse = 1 / x, t = inverse * inverse * (2 * wave * wave) - 1;
  Tensor p = real(t), q = imaginary(t) * inverse;
  // sqrt(2) times the sine and the cosine of x - pi / 4.
  Tensor sine = sin(x) - cos(x), cosine = sin(x) + cos(x);
  if (order == 1) { // a quarter turn back
    Tensor turned = -cosine;
    cosine = sine;
    sine = turned;
  }
  Tensor sum = isSecond ? p * sine + q * cosine : p * cosine - q * sine;
  return sum * sqrt(inverse * llvm::numbers::inv_pi);
}

/// J(x) for |x| <= `wave`
template <int order>
static Tensor smallJ(Tensor x) {
  static const Expansion first([](double t) {
    return series(order, wave * wave / 8 * (-1 - t), /*digammas=*/false);
  });
  Tensor y = first(x * x * (2 / (wave * wave)) - 1);
  return order == 0 ? y : x * 0.5 * y;
}

template <int order>
static Tensor jFormula(Tensor x) {
  Tensor a = abs(x), large = waves<order, /*isSecond=*/false>(a);
  if (order == 1)
    large = negatedIf(x < 0, large);
  return where(a <= wave, smallJ<order>(x), large);
}

/// Y(x); for small x
///   Y0(x) = (2 log(x / 2) J0(x) - series(0)) / pi
///   Y1(x) = (2 log(x / 2) J1(x) - 2 / x - x / 2 * series(1)) / pi
/// where the series have the digammas.
template <int order>
static Tensor yFormula(Tensor x) {
  static const Expansion second([](double t) {
    return series(order, wave * wave / 8 * (-1 - t), /*digammas=*/true);
  });
  Tensor rest = second(x * x * (2 / (wave * wave)) - 1);
  Tensor small = logOfHalf(x) * 2 * smallJ<order>(x);
  if (order == 0)
    small = small - rest;
  else
    // For the smallest x, 2 / x is infinite and log(x / 2) may be.
    small = where(
        x == 0, -infinity,
        where(2 / x == infinity, -infinity, small - 2 / x - x * 0.5 * rest));
  return where(x > wave, waves<order, /*isSecond=*/true>(x),
               small * llvm::numbers::inv_pi);
}

/// sin(x) / x, which is 1 at 0 and 0 at the infinities.
static Tensor sphericalJ0Formula(Tensor x) {
  return where(abs(x) == infinity, 0, sineOverArgument(x));
}

void populateBessel(Decompositions &decompositions) {
  decompositions.add(
      function<iFormula<0>, AtenI0Op>, function<iFormula<1>, AtenSpecialI1Op>,
      function<jFormula<0>, AtenSpecialBesselJ0Op>,
      function<jFormula<1>, AtenSpecialBesselJ1Op>,
      function<yFormula<0>, AtenSpecialBesselY0Op>,
      function<yFormula<1>, AtenSpecialBesselY1Op>,
      function<scaledIFormula<0>, AtenSpecialI0eOp>,
      function<scaledIFormula<1>, AtenSpecialI1eOp>,
      function<kFormula<0, false>, AtenSpecialModifiedBesselK0Op>,
      function<kFormula<1, false>, AtenSpecialModifiedBesselK1Op>,
      function<kFormula<0, true>, AtenSpecialScaledModifiedBesselK0Op>,
      function<kFormula<1, true>, AtenSpecialScaledModifiedBesselK1Op>,
      function<sphericalJ0Formula, AtenSpecialSphericalBesselJ0Op>);
}

} // namespace isthmus::decompose_torch
