//===- Resampling.h - Weights of cubic interpolation ------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_RESAMPLING_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_RESAMPLING_H

#include "Tensor.h"

namespace isthmus::decompose_torch {

/// At distance t from a tap, the cubic of Keys (1981): within 1,
/// ((a + 2) t - (a + 3)) t^2 + 1, from there to 2, ((a t - 5 a) t + 8 a) t - 4
/// a. PyTorch has a = -0.75, and -0.5 where it filters.
inline constexpr double keys = -0.75, keysFiltering = -0.5;
inline Tensor nearCubic(Tensor t, double a = keys) {
  return (t * (a + 2) - (a + 3)) * t * t + 1;
}
inline Tensor farCubic(Tensor t, double a = keys) {
  return ((t * a - 5 * a) * t + 8 * a) * t - 4 * a;
}

/// The weights of the taps at floor(x) - 1 ... floor(x) + 2 for the fraction of
/// x.
inline llvm::SmallVector<Tensor> cubicWeights(Tensor fraction) {
  Tensor rest = 1 - fraction;
  return {farCubic(fraction + 1), nearCubic(fraction), nearCubic(rest),
          farCubic(rest + 1)};
}

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_RESAMPLING_H
