//===- WindowArguments.h - Arguments of windows -----------------*- C++ -*-===//
//
// The arguments of convolutions and poolings, with a number for each spatial
// dim. Type rules, decompositions and all targets read the arguments here.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_WINDOWARGUMENTS_H
#define ISTHMUS_DIALECT_TORCH_WINDOWARGUMENTS_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace isthmus::torch {

/// The error of a lowering that needs constant arguments.
inline constexpr llvm::StringLiteral kConstantWindow =
    "expected window arguments that are known while compiling";

/// The arguments that poolings share.
struct PoolingArguments {
  llvm::SmallVector<int64_t> kernel, stride, padding, dilation;
  bool ceilMode;

  /// The number of dims that are pooled, the last ones of the input.
  int64_t spatial() const { return kernel.size(); }
  bool isPadded() const;

  /// Reads (self, kernel_size, stride, padding, dilation, ceil_mode), or for
  /// averages (self, kernel_size, stride, padding, ceil_mode). A list of one
  /// number applies to all dims, and an empty stride is the kernel. Returns
  /// nullopt if the arguments are not constant, and sets `error` if they cannot
  /// be right.
  static std::optional<PoolingArguments> read(mlir::ValueRange operands,
                                              int64_t spatial, bool isAverage,
                                              std::string *error = nullptr);

  /// The same for an op called max_pool1d, avg_pool2d and so on.
  static std::optional<PoolingArguments> read(mlir::Operation *op);

  /// With ceil_mode, a window may be larger than the padded input, and takes
  /// all of it then. Cuts such windows, so that no target pads the input to
  /// their size.
  ///
  /// \param sizes of the input's dims, of which the last are pooled.
  void cut(llvm::ArrayRef<int64_t> sizes);
};

/// The arguments of avg_pool1d, 2d and 3d.
struct AveragingArguments : PoolingArguments {
  /// Whether padding counts as elements of a window.
  bool countIncludePad;
  /// The divisor of a sum, instead of the number of elements.
  std::optional<int64_t> divisor;

  /// Returns nullopt if they are not constant.
  static std::optional<AveragingArguments> read(mlir::Operation *op);
};

/// The positions of a convolution's arguments among its operands. An absent
/// argument has its usual value.
struct ConvolutionOperands {
  unsigned stride;
  std::optional<unsigned> padding;
  unsigned dilation;
  std::optional<unsigned> groups, outputPadding;
};

/// The arguments of convolutions.
struct ConvolutionArguments {
  llvm::SmallVector<int64_t> stride, padding, dilation, outputPadding;
  int64_t groups;
  bool isTransposed = false;

  int64_t spatial() const { return stride.size(); }

  /// Returns nullopt if the arguments are not constant, and sets `error` if
  /// they cannot be right. A list of one number applies to all dims.
  static std::optional<ConvolutionArguments>
  read(mlir::ValueRange operands, const ConvolutionOperands &places,
       int64_t spatial, std::string *error = nullptr);

  /// The same for aten.convolution, whose input has a known rank.
  static std::optional<ConvolutionArguments> read(mlir::Operation *op);
};

/// The operands of aten.convolution(input, weight, bias, stride, padding,
/// dilation, transposed, output_padding, groups).
inline constexpr ConvolutionOperands kConvolutionOperands = {
    /*stride=*/3, /*padding=*/4, /*dilation=*/5, /*groups=*/8,
    /*outputPadding=*/7};

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_WINDOWARGUMENTS_H
