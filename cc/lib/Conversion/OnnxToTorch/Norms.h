//===- Norms.h - Norms that several op families need -----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NORMS_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NORMS_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

/// x / sqrt(mean(x^2) + epsilon) * gamma over the dims from `axis` on. The norm
/// is computed in f32, the product in gamma's dtype.
mlir::Value rmsNorm(NodeBuilder &b, mlir::Value x, mlir::Value gamma,
                    const llvm::APFloat &epsilon, int64_t axis);

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_NORMS_H
