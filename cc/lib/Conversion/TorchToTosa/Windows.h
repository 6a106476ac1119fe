//===- Windows.h - What convolutions and poolings share ---------*- C++ -*-===//
//
// PyTorch puts channels before the spatial dims and lets a window that does not
// fill up end the output; TOSA puts channels last and wants the windows to fit
// the padded input exactly.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_WINDOWS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_WINDOWS_H

#include "TosaLowering.h"

namespace isthmus::torch_to_tosa {

/// The windows along one spatial dim. Type rules keep each number below 2^31,
/// so that 64 bits hold what is computed of them and of TOSA's sizes.
struct Window {
  int64_t kernel, stride = 1, before = 0, after = 0, dilation = 1;

  int64_t reach() const { return dilation * (kernel - 1) + 1; }
};

/// [N,C,...] as [N,...,C], and back.
mlir::Value channelsLast(mlir::Value x, TosaBuilder &b);
mlir::Value channelsFirst(mlir::Value x, TosaBuilder &b);

/// Makes the windows along dims 1, 2 ... of `x` end where the padded input
/// does, `counts` of them: takes from the padding what no window reaches, then
/// from the input, or adds padding for the last window. Fails where a size that
/// this needs is not known.
mlir::LogicalResult fit(mlir::Value &x, llvm::MutableArrayRef<Window> windows,
                        llvm::ArrayRef<int64_t> counts, TosaBuilder &b);

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_WINDOWS_H
