//===- TosaOps.h - TOSA ops on torch tensors --------------------*- C++ -*-===//
//
// Casts connect the ops with torch ones; the conversion of torch to TOSA
// removes them.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_TOSAOPS_H
#define ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_TOSAOPS_H

#include "isthmus/Dialect/Torch/TorchBuilder.h"

namespace isthmus::quantized_to_tosa {

/// A ratio of scales: multiplier * 2^-shift.
struct Ratio {
  int32_t multiplier;
  int8_t shift;
};

/// Nullopt if the ratio is larger than tosa.rescale takes.
std::optional<Ratio> splitRatio(double ratio);

/// tosa.rescale of numbers of si8 or si32 to `dtype`, one of them:
///
///   saturate(((x - inputZero) * multiplier >> shift) + outputZero)
///
/// where the shift rounds halves up. There is one ratio, or one for each
/// element of dim `axis`.
mlir::Value rescale(torch::TorchBuilder &b, mlir::Value numbers,
                    int64_t inputZero, llvm::ArrayRef<Ratio> ratios,
                    int64_t axis, int64_t outputZero, mlir::Type dtype);

/// tosa.table of si8 numbers: entries[x + 128].
mlir::Value lookUp(torch::TorchBuilder &b, mlir::Value numbers,
                   llvm::ArrayRef<int8_t> entries);

} // namespace isthmus::quantized_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_QUANTIZEDTOTOSA_TOSAOPS_H
