//===- Windows.h - Arguments of windows -------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_WINDOWS_H
#define ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_WINDOWS_H

#include "isthmus/Dialect/Torch/TypeInference.h"

namespace isthmus::torch {

/// A window along one dim. An unknown kernel is ShapedType::kDynamic.
struct Window {
  int64_t kernel, stride = 1, padding = 0, dilation = 1;
};

/// An exclusive upper limit of each of these numbers, so that int64_t holds the
/// results of formulas over them.
constexpr int64_t windowLimit = int64_t(1) << 31;

/// Fails unless all numbers of `window` are in range.
inline mlir::LogicalResult expectWindow(TypeInference &op,
                                        const Window &window) {
  constexpr int64_t limit = windowLimit;
  auto isCount = [](int64_t number) { return number >= 1 && number < limit; };
  bool hasKernel = mlir::ShapedType::isDynamic(window.kernel) ||
                   (window.kernel >= 0 && window.kernel < limit);
  if (hasKernel && isCount(window.stride) && isCount(window.dilation) &&
      window.padding >= 0 && window.padding < limit)
    return mlir::success();
  return op.fail("expected a window with stride and dilation of 1 or more, "
                 "kernel and padding of 0 or more, and all of them below 2^31, "
                 "got kernel " +
                 shapeText(window.kernel) + ", stride " +
                 llvm::Twine(window.stride) + ", padding " +
                 llvm::Twine(window.padding) + " and dilation " +
                 llvm::Twine(window.dilation));
}

} // namespace isthmus::torch

#endif // ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_WINDOWS_H
