//===- WindowArguments.h - Arguments of windows -----------------*- C++ -*-===//
//
// What convolutions and poolings take, with a number for each spatial dim. Type
// rules, decompositions and all targets read the arguments here.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_WINDOWARGUMENTS_H
#define ISTHMUS_DIALECT_TORCH_WINDOWARGUMENTS_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace isthmus::torch {

/// What a lowering says that needs arguments which are not constant.
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
  /// number serves all dims, an empty stride is the kernel. Returns nullopt if
  /// they are not constant, with an error if they never are right.
  static std::optional<PoolingArguments> read(mlir::ValueRange operands,
                                              int64_t spatial, bool isAverage,
                                              std::string *error = nullptr);

  /// The same for an op called max_pool1d, avg_pool2d and so on.
  static std::optional<PoolingArguments> read(mlir::Operation *op);
};

/// The arguments of avg_pool1d, 2d and 3d.
struct AveragingArguments : PoolingArguments {
  /// Whether padding counts as elements of a window.
  bool countIncludePad;
  /// What a sum is divided by in place of the number of elements.
  std::optional<int64_t> divisor;

  /// Returns nullopt if they are not constant.
  static std::optional<AveragingArguments> read(mlir::Operation *op);
};

/// Where the arguments of a convolution are among its operands. Absent ones
/// have their usual values.
struct ConvolutionOperands {
  unsigned stride;
  std::optional<unsigned> padding;
  unsigned dilation, groups;
  std::optional<unsigned> outputPadding;
};

/// The arguments of convolutions but for whether they are transposed.
struct ConvolutionArguments {
  llvm::SmallVector<int64_t> stride, padding, dilation, outputPadding;
  int64_t groups;
  bool isTransposed = false;

  int64_t spatial() const { return stride.size(); }

  /// Returns nullopt if they are not constant, with an error if they never are
  /// right. A list of one number serves all dims.
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
