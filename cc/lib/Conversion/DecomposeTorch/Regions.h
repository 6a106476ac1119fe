//===- Regions.h - Regions of images, in bins -------------------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_REGIONS_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_REGIONS_H

#include "Tensor.h"

namespace isthmus::decompose_torch {

/// Regions (image, x1, y1, x2, y2), a row each, and the bins that each has.
struct Regions {
  mlir::Value image; // [K] of si64
  Tensor begin[2];   // [K] of floats, y and x, multiplied by the scale
  Tensor end[2];     // [K]
  int64_t bins[2];   // rows and columns
};

/// The most bins along a dim, and points along a dim of a bin.
constexpr int64_t maxBins = 1 << 16;

/// Reads (rois [K,5], spatial_scale, pooled_height, pooled_width), in `dtype`.
/// Otherwise a failure that says what was expected.
std::optional<Regions> regionsOf(torch::TorchBuilder &b, mlir::Value rois,
                                 mlir::Value scale, mlir::Value height,
                                 mlir::Value width, mlir::Type dtype);
template <typename Op>
std::optional<Regions> regionsOf(Op op, torch::TorchBuilder &b,
                                 mlir::Type dtype) {
  return regionsOf(b, op.getRois(), op.getSpatialScale(), op.getPooledHeight(),
                   op.getPooledWidth(), dtype);
}

/// 0, 1, ... count - 1 as floats of a dtype.
Tensor counted(torch::TorchBuilder &b, int64_t count, mlir::Type dtype);
/// A row with `before` dims of size 1 before it and `after` behind it.
mlir::Value among(torch::TorchBuilder &b, mlir::Value row, int64_t before,
                  int64_t after);
/// The image's channels as [N, C, rows, columns, H, W]: those of each bin.
Tensor channelsOfBins(Tensor image, const int64_t (&bins)[2]);
/// The channel that each bin takes: [K, C, rows, columns] of si32.
mlir::Value channelNumbers(torch::TorchBuilder &b, Tensor result,
                           const int64_t (&bins)[2]);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_REGIONS_H
