//===- Window.h - The sliding window of Conv and pooling --------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_WINDOW_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_WINDOW_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

/// A window that moves over the spatial dims of a [N, C, ...] tensor.
struct Window {
  llvm::SmallVector<int64_t> kernel, strides, dilations;
  /// The elements of padding around each spatial dim, !torch.int each: `begin`
  /// and `end` from the node or from auto_pad, and `overflow` more at the end
  /// for a last window that extends past it under ceil_mode. Negative ones
  /// crop.
  llvm::SmallVector<mlir::Value> begin, end, overflow;
  bool isCeil = false;

  int64_t rank() const { return kernel.size(); }
  /// The number of elements from the first tap to the last.
  int64_t reach(int64_t dim) const {
    return dilations[dim] * (kernel[dim] - 1) + 1;
  }

  /// The padding that ATen's ops accept: known, and the same on both sides.
  std::optional<llvm::SmallVector<int64_t>> symmetricPads() const;

  /// `x` with its spatial dims padded by a number, including the overflow.
  mlir::Value pad(NodeBuilder &b, mlir::Value x, mlir::Value number) const;
};

/// The window attributes of a node as declared.
struct WindowAttributes {
  std::optional<mlir::ArrayAttr> kernel, strides, dilations, pads;
  llvm::StringRef autoPad;
  bool ceilMode = false;

  template <typename Op>
  static WindowAttributes of(Op op) {
    return {op.getKernelShape(), op.getStrides(), op.getDilations(),
            op.getPads(),        op.getAutoPad(), false};
  }
};

/// The window over `x`; `kernel` replaces an absent kernel_shape. Declines the
/// node if its attributes are inconsistent.
mlir::FailureOr<Window> windowOf(NodeBuilder &b, mlir::Value x,
                                 const WindowAttributes &attributes,
                                 llvm::ArrayRef<int64_t> kernel = {});

/// Declines numbers whose products might not fit in 64 bits.
mlir::LogicalResult checkMagnitude(NodeBuilder &b, llvm::StringRef name,
                                   llvm::ArrayRef<int64_t> list);

/// aten.constant_pad_nd with pads for the last dims, in the order of the dims.
mlir::Value padLastDims(NodeBuilder &b, mlir::Value x, mlir::ValueRange begin,
                        mlir::ValueRange end, mlir::Value number);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_WINDOW_H
