//===- Windows.h - Common parts of convolutions and poolings ----*- C++ -*-===//
//
// PyTorch puts channels before the spatial dims, and its output ends at the
// last window that fits; TOSA puts channels last and requires the windows to
// cover the padded input exactly.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_WINDOWS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_WINDOWS_H

#include "TosaLowerings.h"

namespace isthmus::torch_to_tosa {

/// The windows along one spatial dim. Type rules keep each number below 2^31,
/// so that computations with them and with TOSA's sizes fit 64 bits.
struct Window {
  int64_t kernel, stride = 1, before = 0, after = 0, dilation = 1;

  int64_t reach() const { return dilation * (kernel - 1) + 1; }
};

/// [N,C,...] as [N,...,C], and back.
mlir::Value channelsLast(mlir::Value x, TosaBuilder &b);
mlir::Value channelsFirst(mlir::Value x, TosaBuilder &b);

/// Makes the `counts` windows along dims 1, 2 ... of `x` end exactly at the end
/// of the padded input: drops padding that no window covers, then input
/// elements, or adds padding for the last window. Fails if a required size is
/// unknown.
mlir::LogicalResult fit(mlir::Value &x, llvm::MutableArrayRef<Window> windows,
                        llvm::ArrayRef<int64_t> counts, TosaBuilder &b);

/// Declines windows over dims of unknown size; `input` is the original input.
UnsupportedOps::Reason declineDynamic(mlir::Value input, TosaBuilder &b);

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_WINDOWS_H
