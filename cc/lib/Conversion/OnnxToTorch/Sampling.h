//===- Sampling.h - Interpolated elements -----------------------*- C++ -*-===//
//
// An interpolated element of an image is a sum over the neighbouring elements:
// per dim a few taps, each with a weight, and all combinations of them.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SAMPLING_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SAMPLING_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

/// size - 1, a !torch.int.
mlir::Value lastOf(NodeBuilder &b, mlir::Value size);
/// 0, 1, ... size - 1 along dim `dim` of `rank`.
mlir::Value counted(NodeBuilder &b, mlir::Value size, int64_t dim,
                    int64_t rank);

/// An element of a dim for each sampled position, and its weight; a missing
/// weight is 1.
struct Tap {
  mlir::Value index, weight;
};
using Taps = llvm::SmallVector<Tap>;

/// The tap at `position`, a tensor of whole floats, kept inside a dim of `size`
/// elements. If `isZeroOutside`, a tap outside has weight 0.
Tap tapAt(NodeBuilder &b, mlir::Value position, mlir::Value size,
          mlir::Value weight, bool isZeroOutside);

/// Linear interpolation between the two elements around `position`.
Taps linearTaps(NodeBuilder &b, mlir::Value position, mlir::Value size,
                bool isZeroOutside);

/// Samples an image whose dims are [leading..., sampled..., channels]: the
/// leading ones by `leading`, one index tensor each. All indices broadcast to
/// the shape of places; the result is [places..., channels]. `combine` combines
/// two weighted elements, by default as a sum.
mlir::Value
sample(NodeBuilder &b, mlir::Value image, llvm::ArrayRef<mlir::Value> leading,
       llvm::ArrayRef<Taps> taps,
       llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine = {});

/// A tensor with the dim `from` moved to the end, and back.
mlir::Value moveToEnd(NodeBuilder &b, mlir::Value tensor, int64_t from);
mlir::Value moveFromEnd(NodeBuilder &b, mlir::Value tensor, int64_t to);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SAMPLING_H
