//===- Sampling.h - Images between their elements ---------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_SAMPLING_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_SAMPLING_H

#include "Tensor.h"
#include <array>

namespace isthmus::decompose_torch {

/// An element of a dim for each position, and its share of the result.
struct Tap {
  Tensor index, weight;
};
using LinearTaps = std::array<Tap, 2>;

/// The elements before and after each position in a dim of `size` elements.
/// One that lies outside counts as 0.
LinearTaps tapsWithin(Tensor position, mlir::Value size);
/// The same; up to a pixel outside, a position counts as on the border.
LinearTaps tapsNear(Tensor position, mlir::Value size);

/// The elements of an image [leading..., H, W, C] between rows and columns, as
/// [places..., C]. `leading` has an index for each leading dim. All indices
/// broadcast to places.
Tensor sample(Tensor image, llvm::ArrayRef<mlir::Value> leading,
              const LinearTaps &rows, const LinearTaps &columns);

/// An image [N, C, ...] with its channels as the last dim, and back.
Tensor channelsLast(Tensor image);
Tensor channelsSecond(Tensor image);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_SAMPLING_H
