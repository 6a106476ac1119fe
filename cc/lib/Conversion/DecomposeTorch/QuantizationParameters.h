//===- QuantizationParameters.h - Scales and zero points --------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_DECOMPOSETORCH_QUANTIZATIONPARAMETERS_H
#define ISTHMUS_CONVERSION_DECOMPOSETORCH_QUANTIZATIONPARAMETERS_H

#include "Tensor.h"

namespace isthmus::decompose_torch {

/// To the nearest whole number, of two the even one.
Tensor round(Tensor x);

/// One number, given as a number or as a tensor of one element, with rank 0. A
/// number gets the dtype si64 or f32, a tensor keeps its own.
Tensor single(torch::TorchBuilder &b, mlir::Value value);

/// One number for each element of dim `axis` of x, shaped so that they
/// broadcast to x. Otherwise a failure that says what was expected.
std::optional<Tensor> alongAxis(Tensor x, mlir::Value each, mlir::Value axis);

} // namespace isthmus::decompose_torch

#endif // ISTHMUS_CONVERSION_DECOMPOSETORCH_QUANTIZATIONPARAMETERS_H
