//===- ShapeFormulas.h - Sizes of results, for known and unknown sizes ----===//
//
// Each formula is a template over an arithmetic of sizes. Type inference runs
// it over StaticSizes (numbers; an unknown operand makes the result unknown). A
// lowering runs it over values of its dialect and so emits the formula as code.
//
// An arithmetic has a type Size and: constant(int64_t), add, sub, mul,
// floorDiv, ceilDiv, min, max (all on two Sizes).
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_SHAPEFORMULAS_H
#define ISTHMUS_DIALECT_TORCH_SHAPEFORMULAS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace isthmus::torch {

/// Sizes as numbers; ShapedType::kDynamic is an unknown size. A result that
/// overflows is unknown.
struct StaticSizes {
  using Size = int64_t;

  Size constant(int64_t value) const { return value; }
  Size add(Size a, Size b) const {
    Size result;
    return known(a, b) && !llvm::AddOverflow(a, b, result) ? result : unknown;
  }
  Size sub(Size a, Size b) const {
    Size result;
    return known(a, b) && !llvm::SubOverflow(a, b, result) ? result : unknown;
  }
  Size mul(Size a, Size b) const {
    Size result;
    return known(a, b) && !llvm::MulOverflow(a, b, result) ? result : unknown;
  }
  Size floorDiv(Size a, Size b) const {
    return known(a, b) && b != 0 ? llvm::divideFloorSigned(a, b) : unknown;
  }
  Size ceilDiv(Size a, Size b) const {
    return known(a, b) && b != 0 ? llvm::divideCeilSigned(a, b) : unknown;
  }
  Size min(Size a, Size b) const {
    return known(a, b) ? std::min(a, b) : unknown;
  }
  Size max(Size a, Size b) const {
    return known(a, b) ? std::max(a, b) : unknown;
  }

  static constexpr int64_t unknown = mlir::ShapedType::kDynamic;
  static bool known(Size a, Size b) { return a != unknown && b != unknown; }
};

/// The number of elements (i, i + offset) of a matrix.
template <typename Arithmetic>
typename Arithmetic::Size diagonalSize(Arithmetic &a,
                                       typename Arithmetic::Size rows,
                                       typename Arithmetic::Size columns,
                                       typename Arithmetic::Size offset) {
  auto zero = a.constant(0);
  auto below = a.sub(rows, a.max(a.sub(zero, offset), zero));
  auto right = a.sub(columns, a.max(offset, zero));
  return a.max(a.min(below, right), zero);
}

/// Number of positions of a window of `kernel` taps, `dilation` apart:
///   floor((input + padBegin + padEnd - dilation * (kernel - 1) - 1) / stride)
///   + 1
template <typename Arithmetic>
typename Arithmetic::Size
windowedSize(Arithmetic &a, typename Arithmetic::Size input,
             typename Arithmetic::Size kernel, int64_t padBegin, int64_t padEnd,
             int64_t dilation, int64_t stride) {
  auto reach = a.add(a.mul(a.constant(dilation), a.sub(kernel, a.constant(1))),
                     a.constant(1));
  auto padded = a.add(input, a.constant(padBegin + padEnd));
  return a.add(a.floorDiv(a.sub(padded, reach), a.constant(stride)),
               a.constant(1));
}

/// A pooling window under ceil_mode: rounded up, but the last window must start
/// inside the input or its left padding (PyTorch, pooling_output_shape).
template <typename Arithmetic>
typename Arithmetic::Size
ceilWindowedSize(Arithmetic &a, typename Arithmetic::Size input, int64_t kernel,
                 int64_t padding, int64_t dilation, int64_t stride) {
  auto span = a.sub(a.add(input, a.constant(2 * padding)),
                    a.constant(dilation * (kernel - 1) + 1));
  auto rounded = a.add(a.ceilDiv(span, a.constant(stride)), a.constant(1));
  auto starting =
      a.ceilDiv(a.add(input, a.constant(padding)), a.constant(stride));
  return a.min(rounded, starting);
}

/// Transposed convolution:
///   (input - 1) * stride - 2 * padding + dilation * (kernel - 1) +
///   outputPadding + 1
template <typename Arithmetic>
typename Arithmetic::Size
transposedSize(Arithmetic &a, typename Arithmetic::Size input,
               typename Arithmetic::Size kernel, int64_t padding,
               int64_t dilation, int64_t stride, int64_t outputPadding) {
  auto strided = a.mul(a.sub(input, a.constant(1)), a.constant(stride));
  auto reach = a.mul(a.constant(dilation), a.sub(kernel, a.constant(1)));
  return a.add(a.add(strided, reach),
               a.constant(outputPadding + 1 - 2 * padding));
}

/// A slice bound that is already known not to be negative, kept inside [0,
/// size].
template <typename Arithmetic>
typename Arithmetic::Size clampBound(Arithmetic &a,
                                     typename Arithmetic::Size bound,
                                     typename Arithmetic::Size size) {
  return a.max(a.min(bound, size), a.constant(0));
}

/// Number of elements start, start + step, ... below end, with both bounds
/// inside the dim.
template <typename Arithmetic>
typename Arithmetic::Size
slicedSize(Arithmetic &a, typename Arithmetic::Size start,
           typename Arithmetic::Size end, int64_t step) {
  return a.max(a.ceilDiv(a.sub(end, start), a.constant(step)), a.constant(0));
}

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_SHAPEFORMULAS_H
