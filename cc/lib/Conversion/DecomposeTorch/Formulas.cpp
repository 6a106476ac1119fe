//===- Formulas.cpp - What formulas of pointwise ops share ----------------===//

#include "Formulas.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::decompose_torch;

Tensor decompose_torch::softmaxOver(Tensor x, int64_t dim, bool mayHideAll) {
  Tensor m = largestOver(x, dim);
  if (mayHideAll)
    m = where(m == -infinity, 0, m);
  Tensor e = exp(x - m);
  Tensor total = sumOver(e, dim);
  if (mayHideAll)
    total = where(total == 0, 1, total);
  return e / total;
}

Tensor decompose_torch::polynomial(Tensor x, ArrayRef<double> coefficients) {
  Tensor y = x * coefficients.front();
  for (double coefficient : coefficients.drop_front().drop_back())
    y = (y + coefficient) * x;
  return y + coefficients.back();
}

Tensor decompose_torch::sineOverArgument(Tensor x) {
  if (torch::isComplex(x.dtype()))
    return where(x == 0, 1, sin(x) / x);
  // 1 / (2k + 1)! with alternating signs, as many as f64 needs below 1/2.
  SmallVector<double> coefficients = {1};
  for (int power = 2; power <= 12; power += 2)
    coefficients.insert(coefficients.begin(),
                        -coefficients.front() / (power * (power + 1)));
  return where(abs(x) < 0.5, polynomial(x * x, coefficients), sin(x) / x);
}

/// c(k) = 2 / n * sum(f(cos(a)) * cos(k * a)) over n angles a, at half-integer
/// multiples of pi / n.
Expansion::Expansion(llvm::function_ref<double(double)> function) {
  constexpr int count = 64; // The last coefficients are then 0 in f64.
  // Whole turns are removed from multiples of an angle before they are rounded.
  auto cosine = [](int halves) {
    return std::cos(halves % (4 * count) * llvm::numbers::pi / (2 * count));
  };
  SmallVector<double> values;
  for (int place = 0; place < count; ++place)
    values.push_back(function(cosine(2 * place + 1)));
  for (int order = 0; order < count; ++order) {
    double sum = 0;
    for (int place = 0; place < count; ++place)
      sum += values[place] * cosine(order * (2 * place + 1));
    coefficients.push_back(sum * 2 / count);
  }
  coefficients.front() /= 2;
}

/// Clenshaw's recurrence: with s(k) = c(k) + 2 x s(k + 1) - s(k + 2), the sum
/// is c(0) + x s(1) - s(2).
Tensor Expansion::operator()(Tensor x) const {
  double precision = x.dtype().isF64() ? 0x1p-53 : 0x1p-25;
  auto isSmall = [&](double c) {
    return std::abs(c) < precision * std::abs(coefficients.front());
  };
  ArrayRef<double> kept = coefficients;
  while (isSmall(kept.back()))
    kept = kept.drop_back();
  Tensor doubled = x * 2, next = x.number(kept.back()), afterNext = x.number(0);
  for (double coefficient : llvm::reverse(kept.drop_front().drop_back())) {
    Tensor sum = doubled * next - afterNext + coefficient;
    afterNext = next;
    next = sum;
  }
  return x * next - afterNext + kept.front();
}
