//===- Simplifications.h - Simpler values for torch ops ---------*- C++ -*-===//
//
// Each function gives a value that an op can be replaced by, with the same
// elements, built in front of the op; or null where it knows none. Operands
// have been simplified before, so no function looks further than the op behind
// one.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_SIMPLIFYTORCH_SIMPLIFICATIONS_H
#define ISTHMUS_CONVERSION_SIMPLIFYTORCH_SIMPLIFICATIONS_H

#include "isthmus/Dialect/Torch/TorchBuilder.h"

namespace isthmus::simplify_torch {

/// Views of views, and views that change nothing.
mlir::Value simplifyView(mlir::Operation *op, torch::TorchBuilder &b);
/// Pointwise ops that give back an operand: x * 1, a conversion to x's own
/// dtype.
mlir::Value simplifyPointwise(mlir::Operation *op, torch::TorchBuilder &b);
/// Writes through a mask that are choices.
mlir::Value simplifyMask(mlir::Operation *op, torch::TorchBuilder &b);
/// The size of a tensor, from the op that gave it that size.
mlir::Value simplifySize(mlir::Operation *op, torch::TorchBuilder &b);
/// The literal that an op makes of small literals.
mlir::Value evaluate(mlir::Operation *op, torch::TorchBuilder &b);

} // namespace isthmus::simplify_torch

#endif // ISTHMUS_CONVERSION_SIMPLIFYTORCH_SIMPLIFICATIONS_H
