//===- Quantization.h - Quantized numbers -----------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_QUANTIZATION_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_QUANTIZATION_H

#include "Operands.h"
#include <cmath>

namespace isthmus::onnx_to_torch {

/// saturate(round(x / scale) + zero point) as `dtype`; halves round to even. A
/// null or omitted zero point is 0.
mlir::FailureOr<mlir::Value> quantize(NodeBuilder &b, mlir::Value x,
                                      mlir::Value scale, mlir::Value zeroPoint,
                                      mlir::Type dtype);

/// A tensor quantized to `dtype` by its range, its scale and its zero point, as
/// DynamicQuantizeLinear has them.
struct Quantized {
  mlir::Value tensor, scale, zeroPoint;
};
mlir::FailureOr<Quantized> quantizeByRange(NodeBuilder &b, mlir::Value x,
                                           mlir::Type dtype);

/// (x - zero point) * scale as f32, the parameters broadcasting; an omitted
/// zero point is 0.
mlir::Value dequantize(NodeBuilder &b, mlir::Value x, mlir::Value scale,
                       mlir::Value zeroPoint);

/// One number per row (axis -2) or per column (-1) of a matrix, so that it
/// broadcasts. A vector has a single row.
mlir::Value perLine(NodeBuilder &b, mlir::Value numbers, mlir::Value matrix,
                    int64_t axis);

/// A quantized matrix in 32-bit integers, minus its zero point; one zero point
/// per row (of A) or per column (of B) broadcasts along `axis`.
mlir::Value centredMatrix(NodeBuilder &b, mlir::Value matrix,
                          mlir::Value zeroPoint, int64_t axis);

/// product * aScale * bScale + bias, with one bScale per column, or one.
mlir::Value scaledProduct(NodeBuilder &b, mlir::Value product,
                          mlir::Value aScale, mlir::Value bScale,
                          mlir::Value bias);

/// (q - zero point) * scale as [..., blocks * size], of integers [..., blocks,
/// size] and scales and zero points [..., blocks]; `otherwise` replaces a null
/// zero point.
mlir::Value dequantizeBlocks(NodeBuilder &b, mlir::Value q, mlir::Value scale,
                             mlir::Value zeroPoint, double otherwise);

/// The default zero point of unsigned integers.
inline double middleOf(int64_t bits) { return std::ldexp(1.0, bits - 1); }

/// Declines the node if `unpackBits` has no such integers.
mlir::LogicalResult checkBits(NodeBuilder &b, int64_t bits);

/// Unpacks integers of 2, 4 or 8 bits: n bytes of the last dim hold n * 8 /
/// bits of them, low-order bits first.
mlir::Value unpackBits(NodeBuilder &b, mlir::Value bytes, int64_t bits,
                       bool isSigned);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_QUANTIZATION_H
