//===- IncompleteGamma.cpp - Regularized incomplete gamma functions -------===//
//
//   P(a, x) = integral of t^(a - 1) exp(-t) from 0 to x, divided by gamma(a)
//   Q(a, x) = 1 - P(a, x)
//
// One of them is computed, P for small x and Q for large x; the other is 1
// minus it. Three formulas with a fixed number of terms cover all a and x: a
// power series, a continued fraction, and Temme's expansion for large a and x
// of a similar size. The absolute error is a few units in the last place of 1.
// If the computed one is small, it is as precise as exp at its logarithm. Like
// PyTorch's kernels, both compute half types in f32 and round the result.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Formulas.h"
#include "isthmus/Dialect/Torch/SpecialComposites.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {

/// The number of terms that each formula needs for the precision of a dtype.
struct Terms {
  int series, fraction, expansion, logarithm;
};

} // namespace

static Terms termsFor(Type dtype) {
  return dtype.isF64() ? Terms{32, 24, 28, 26} : Terms{20, 8, 10, 12};
}

/// P for x <= a + 1, divided by x^a exp(-x) / gamma(a + 1):
///   1 + x / (a + 1) (1 + x / (a + 2) (1 + ...))
/// (NIST's "Digital library of mathematical functions", 8.11.4).
static Tensor powerSeries(Tensor a, Tensor x) {
  Tensor sum = x.number(1);
  for (int k = termsFor(x.dtype()).series; k > 0; --k)
    sum = x / (a + k) * sum + 1;
  return sum;
}

/// Q for x > a + 1, divided likewise: a / f(1), where
///   f(k) = x - a + 2 k - 1 - k (k - a) / f(k + 1)
/// is the even part of a continued fraction (8.9.2).
static Tensor continuedFraction(Tensor a, Tensor x) {
  int terms = termsFor(x.dtype()).fraction;
  Tensor difference = x - a, f = difference + (2 * terms + 1);
  for (int k = terms; k > 0; --k)
    f = difference + (2 * k - 1) - k * (k - a) / f;
  return a / f;
}

/// The coefficients of eta / mu as powers of eta, where eta^2 / 2 = mu - log(1
/// + mu), while compiling. The derivative of mu is eta (1 + mu) / mu, which
/// gives the coefficients of mu; it is also eta / mu + eta.
static SmallVector<double> etaOverMu(int count) {
  SmallVector<double> mu = {0, 1}, quotient;
  for (int k = 2; k <= count; ++k) {
    double rest = mu[k - 1];
    for (int j = 2; j < k; ++j)
      rest -= j * mu[j] * mu[k - j + 1];
    mu.push_back(rest / (k + 1));
  }
  for (int n = 0; n < count; ++n)
    quotient.push_back((n + 1) * mu[n + 1] - (n == 1 ? 1 : 0));
  return quotient;
}

/// The sum of b(n) eta^n, and 1 + b(1) / a, for large a. With the coefficients
/// d(n) of eta / mu,
///   b(n) = d(n + 1) + (n + 2) / a b(n + 2)
///   Q(a, x) = erfc(eta sqrt(a / 2)) / 2 +
///             x^a exp(-x) / gamma(a + 1) sum(b(n) eta^n)
///   gamma(a + 1) = sqrt(2 pi a) (a / e)^a (1 + b(1) / a)
/// (8.12; N. Temme, "On the computation of the incomplete gamma functions for
/// large values of the parameters").
static std::pair<Tensor, Tensor> uniformExpansion(Tensor a, Tensor eta) {
  int terms = termsFor(a.dtype()).expansion;
  SmallVector<double> d = etaOverMu(terms + 1);
  Tensor inverse = 1 / a;
  Tensor sum = a.number(0), next = sum, afterNext = sum;
  for (int n = terms - 1; n >= 0; --n) {
    Tensor b = inverse * (n + 2) * afterNext + d[n + 1];
    sum = sum * eta + b;
    afterNext = next;
    next = b;
  }
  return {sum, afterNext * inverse + 1};
}

/// x / a - 1 - log(x / a); near x = a by the series of the logarithm.
static Tensor excess(Tensor a, Tensor x) {
  SmallVector<double> coefficients;
  for (int k = termsFor(x.dtype()).logarithm; k >= 0; --k)
    coefficients.push_back((k % 2 ? -1 : 1) / (k + 2.));
  Tensor mu = (x - a) / a;
  return where(abs(mu) < 0.25, mu * mu * polynomial(mu, coefficients),
               mu - log(x / a));
}

/// Below this a, only the power series and the continued fraction are used.
static constexpr double largeA = 8;

/// a^a exp(-a) / gamma(a + 1) for a < `largeA`: (a / (a + 4))^a and a smooth
/// factor.
static Tensor peakOfSmall(Tensor a) {
  static const Expansion rest([](double t) {
    double a = largeA / 2 * (t + 1);
    return std::exp(a * std::log(a + 4) - a) / std::tgamma(a + 1);
  });
  return exp(a * log(a / (a + 4))) * rest(a * (2 / largeA) - 1);
}

/// P(a, x), or Q(a, x) where `isUpper`, for positive a and x
static Tensor tail(Tensor a, Tensor x, Tensor isUpper) {
  Tensor ratio = x / a, phi = excess(a, x);
  Tensor eta = negatedIf(ratio < 1, sqrt(phi * 2));
  auto [sum, stirling] = uniformExpansion(a, eta);
  Tensor peak = where(a < largeA, peakOfSmall(a),
                      rsqrt(a * (2 * llvm::numbers::pi)) / stirling);
  Tensor scale = exp(-(a * phi)) * peak; // x^a exp(-x) / gamma(a + 1)
  Tensor distance = eta * sqrt(a * 0.5), rest = scale * sum;
  Tensor similar =
      where(isUpper, distance, -distance).apply<AtenErfcOp>() * 0.5 +
      where(isUpper, rest, -rest);
  Tensor different =
      scale * where(isUpper, continuedFraction(a, x), powerSeries(a, x));
  Tensor isDifferent = max(largeA - a, max(0.3 - ratio, ratio - 2.4)) > 0;
  return min(where(isDifferent, different, similar), 1); // not 1 + rounding
}

/// P(a, x) or Q(a, x). P is 0 for x = 0 and for infinite a, and 1 for a = 0 and
/// for infinite x.
template <bool isComplement, typename Op>
static Tensor incompleteGamma(Op op, TorchBuilder &b) {
  auto [a, x] = expandedOperandsOf(op, b);
  Tensor isUpper = x > max(a + 1, 4), computed = tail(a, x, isUpper),
         other = 1 - computed, ratio = abs(x / a);
  Tensor y = isComplement ? where(isUpper, computed, other)
                          : where(isUpper, other, computed);
  y = where(ratio == 0, isComplement ? 1 : 0, y);
  y = where(ratio == infinity, isComplement ? 0 : 1, y);
  return where(min(a, x) < 0, nan, y).as(tensorType(op).getDtype());
}

void populateIncompleteGamma(Decompositions &decompositions) {
  decompositions.add(incompleteGamma<false, AtenIgammaOp>,
                     incompleteGamma<true, AtenIgammacOp>);
}

} // namespace isthmus::decompose_torch
