//===- Quantization.h - Rounding to a quantized dtype -----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_QUANTIZATION_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_QUANTIZATION_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

/// saturate(round(x / scale) + zero point) as `dtype`; halves round to even. A
/// null zero point is 0.
mlir::FailureOr<mlir::Value> quantize(NodeBuilder &b, mlir::Value x,
                                      mlir::Value scale, mlir::Value zeroPoint,
                                      mlir::Type dtype);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_QUANTIZATION_H
