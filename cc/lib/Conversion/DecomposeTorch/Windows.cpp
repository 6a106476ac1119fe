//===- Windows.cpp - Windows of signals -----------------------------------===//
//
// Windows of a known length fold to literals. A periodic window is the first n
// elements of the symmetric one of n + 1. A single element is 1.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/FourierComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The elements weight(k / N) for k = 0 ... n - 1, where N is n for a periodic
/// window, else n - 1. The length is the first operand; the flag follows it in
/// the overloads that have one.
static Value window(Operation *op, TorchBuilder &b,
                    llvm::function_ref<double(double)> weight) {
  std::optional<int64_t> n = matchInt(op->getOperand(0));
  // The others are a dtype, a layout, a device and whether to pin memory.
  bool hasFlag = op->getNumOperands() > 5;
  std::optional<bool> isPeriodic =
      hasFlag ? matchBool(op->getOperand(1)) : std::optional(true);
  if (!n || *n < 0 || !isPeriodic)
    return b.fail("expected a window whose length is known while compiling");
  if (*n > maxLiteral)
    return b.fail("expected a window of at most " + Twine(maxLiteral) +
                  " elements, got " + Twine(*n));
  Type dtype = tensorType(op->getResult(0)).getDtype();
  if (!isFloatingPoint(dtype))
    return b.fail("expected floating-point numbers");
  double period = *isPeriodic ? *n : *n - 1;
  auto values = llvm::map_to_vector(llvm::seq(*n), [&](int64_t k) {
    return *n == 1 ? 1 : weight(double(k) / period);
  });
  return reals(b, values, *n, dtype);
}

/// The sum of coefficients[m] * cos(2 * pi * m * x)
static double cosines(double x, ArrayRef<double> coefficients) {
  double sum = 0;
  for (auto [m, coefficient] : llvm::enumerate(coefficients))
    sum += coefficient * std::cos(2 * llvm::numbers::pi * double(m) * x);
  return sum;
}

static constexpr double blackman[] = {0.42, -0.5, 0.08};
static constexpr double hamming[] = {0.54, -0.46};
static constexpr double hann[] = {0.5, -0.5};

template <typename Op, const auto &coefficients>
static Value cosineWindow(Op op, TorchBuilder &b) {
  return window(op, b, [](double x) { return cosines(x, coefficients); });
}

/// alpha - beta * cos(2 * pi * x)
static Value generalHamming(Operation *op, TorchBuilder &b, Value alphaValue,
                            std::optional<double> beta) {
  std::optional<double> alpha = matchNumber(alphaValue);
  if (!alpha || !beta)
    return b.fail("expected coefficients that are known while compiling");
  return window(op, b, [&](double x) { return cosines(x, {*alpha, -*beta}); });
}

static Value hammingOfAlpha(AtenHammingWindowPeriodicAlphaOp op,
                            TorchBuilder &b) {
  return generalHamming(op, b, op.getAlpha(), -hamming[1]);
}

static Value hammingOfBoth(AtenHammingWindowPeriodicAlphaBetaOp op,
                           TorchBuilder &b) {
  return generalHamming(op, b, op.getAlpha(), matchNumber(op.getBeta()));
}

/// The triangle 1 - |2 * x - 1|
template <typename Op>
static Value bartlett(Op op, TorchBuilder &b) {
  return window(op, b, [](double x) { return 1 - std::abs(2 * x - 1); });
}

/// The modified Bessel function of order 0: the sum of ((x / 2)^k / k!)^2.
static double besselI0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; term > sum * 1e-17; ++k) {
    term *= (x / 2 / k) * (x / 2 / k);
    sum += term;
  }
  return sum;
}

/// I0(beta * sqrt(1 - (2 * x - 1)^2)) / I0(beta)
static Value kaiserOf(Operation *op, TorchBuilder &b,
                      std::optional<double> beta) {
  if (!beta || !(std::abs(*beta) < 700)) // where I0 overflows
    return b.fail("expected a beta below 700 that is known while compiling");
  double most = besselI0(*beta);
  return window(op, b, [&](double x) {
    double y = 2 * x - 1;
    return besselI0(*beta * std::sqrt(1 - y * y)) / most;
  });
}

template <typename Op>
static Value kaiser(Op op, TorchBuilder &b) {
  return kaiserOf(op, b, 12);
}

static Value kaiserOfBeta(AtenKaiserWindowBetaOp op, TorchBuilder &b) {
  return kaiserOf(op, b, matchNumber(op.getBeta()));
}

void populateWindows(Decompositions &decompositions) {
  decompositions.add(bartlett<AtenBartlettWindowOp>,
                     bartlett<AtenBartlettWindowPeriodicOp>,
                     cosineWindow<AtenBlackmanWindowOp, blackman>,
                     cosineWindow<AtenBlackmanWindowPeriodicOp, blackman>,
                     cosineWindow<AtenHammingWindowOp, hamming>,
                     cosineWindow<AtenHammingWindowPeriodicOp, hamming>,
                     cosineWindow<AtenHannWindowOp, hann>,
                     cosineWindow<AtenHannWindowPeriodicOp, hann>,
                     hammingOfAlpha, hammingOfBoth, kaiser<AtenKaiserWindowOp>,
                     kaiser<AtenKaiserWindowPeriodicOp>, kaiserOfBeta);
}

} // namespace isthmus::decompose_torch
