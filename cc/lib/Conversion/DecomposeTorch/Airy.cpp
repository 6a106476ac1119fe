//===- Airy.cpp - The Airy function of the first kind ---------------------===//
//
// Near its zeros, which are negative, it has an absolute error of a few units
// in the last place of 1; beyond -9, the error grows like that of the angle.
// Like PyTorch's kernels, it computes half types in f32 and rounds the result.
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

/// Ai(x) by its power series, while compiling: Ai(0) f - |Ai'(0)| g, where
///   f = 1 + x^3 / (2 3) + x^6 / (2 3 5 6) + ...
///   g = x + x^4 / (3 4) + x^7 / (3 4 6 7) + ...
/// (NIST's "Digital library of mathematical functions", 9.4.1).
static double airySeries(double x) {
  long double cube = static_cast<long double>(x) * x * x;
  long double f = 0.355028053887817239260063186004183177L,
              g = 0.258819403792806798405183560189203963L * x, sum = f - g;
  for (int k = 3; k < 120; k += 3) {
    f *= cube / (k * (k - 1));
    g *= cube / (k * (k + 1));
    sum += f - g;
  }
  return static_cast<double>(sum);
}

/// With zeta = 2 / 3 x^(3/2), 2 sqrt(pi) x^(1/4) exp(zeta) Ai(x), while
/// compiling: the integral of
///   exp(-u s^2) cos(s^3 / (3 |x|^(3/4))) sqrt(u / pi)
/// over s, where u = sqrt(x / |x|) (9.5.7). `inverse` is |x|^(-3/2).
static std::complex<double> amplitude(std::complex<double> u, double inverse) {
  constexpr double step = 1. / 12;
  std::complex<double> sum = 0;
  for (int place = -100; place <= 100; ++place) {
    double s = place * step;
    sum += std::exp(-u * s * s) * std::cos(s * s * s * std::sqrt(inverse) / 3);
  }
  return sum * step * std::sqrt(u) * llvm::numbers::inv_sqrtpi;
}

/// Ai(x): near 0 an expansion of its series. Beyond, with a = |x|, zeta = 2 / 3
/// a^(3/2) and p + i q = amplitude,
///   exp(-zeta) / (2 sqrt(pi) a^(1/4)) p                         for x > 2
///   (p cos(zeta - pi / 4) + q sin(zeta - pi / 4)) / (sqrt(pi) a^(1/4))
///                                                               for x < -4
/// The latter is the sum of Ai in the directions exp(+-i pi / 3) (9.2.14).
static Tensor airyFormula(Tensor x) {
  constexpr double low = -4, high = 2;
  static const double inverseOfLow = std::pow(-low, -1.5),
                      inverseOfHigh = std::pow(high, -1.5);
  static const std::complex<double> turned =
      std::polar(1., llvm::numbers::pi / 6);
  static const Expansion central([](double t) {
    return airySeries((low + high) / 2 + t * (high - low) / 2);
  });
  static const Expansion decaying([](double t) {
    return amplitude(1, inverseOfHigh / 2 * (t + 1)).real();
  });
  static const Expansion cosine([](double t) {
    return amplitude(turned, inverseOfLow / 2 * (t + 1)).real();
  });
  static const Expansion sine([](double t) {
    double inverse = inverseOfLow / 2 * (t + 1);
    return amplitude(turned, inverse).imag() / inverse;
  });
  Tensor a = abs(x), root = sqrt(a), cube = a * root, inverse = 1 / cube;
  Tensor zeta = cube * (2. / 3), scale = rsqrt(root * llvm::numbers::pi);
  Tensor center = central((x * 2 - (low + high)) * (1 / (high - low)));
  Tensor above =
      decaying(inverse * (2 / inverseOfHigh) - 1) * exp(-zeta) * scale * 0.5;
  Tensor t = inverse * (2 / inverseOfLow) - 1,
         angle = zeta - llvm::numbers::pi / 4;
  Tensor below =
      (cosine(t) * cos(angle) + sine(t) * inverse * sin(angle)) * scale;
  Tensor y = where(x < low, below, where(x <= high, center, above));
  // PyTorch's kernel gives NaN, though the limits are 0.
  return where(a == infinity, nan, y);
}

void populateAiry(Decompositions &decompositions) {
  decompositions.add(function<airyFormula, AtenSpecialAiryAiOp>);
}

} // namespace isthmus::decompose_torch
