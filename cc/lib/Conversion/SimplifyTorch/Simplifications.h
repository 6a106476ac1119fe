//===- Simplifications.h - Simpler values for torch ops ---------*- C++ -*-===//
//
// Each function returns a value with the same elements that can replace an op,
// built before the op; or null if there is none. Operands are already
// simplified, so each function looks only at the ops that define the operands.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_SIMPLIFYTORCH_SIMPLIFICATIONS_H
#define ISTHMUS_CONVERSION_SIMPLIFYTORCH_SIMPLIFICATIONS_H

#include "isthmus/Dialect/Torch/TorchBuilder.h"

namespace isthmus::simplify_torch {

/// Folds views of views, and views that change nothing.
mlir::Value simplifyView(mlir::Operation *op, torch::TorchBuilder &b);
/// TOSA's tensors have no more dims.
constexpr int64_t mostDims = 6;
/// A permutation of more dims than TOSA's tensors can have, as one of fewer:
/// neighbours that stay neighbours move as one dim, and dims of size 1 need not
/// move. Views of it then fold. Null if that leaves too many dims.
mlir::Value permuteFewerDims(mlir::Value x, llvm::ArrayRef<int64_t> order,
                             torch::TorchBuilder &b);
/// Ops that no target decomposes, or only some, and whose result has the common
/// shape of their tensors.
bool isPointwise(mlir::Operation *op);
/// Folds pointwise ops that return an operand: x * 1, a conversion to x's own
/// dtype.
mlir::Value simplifyPointwise(mlir::Operation *op, torch::TorchBuilder &b);
/// Turns writes through a mask into selections, and literal masks into
/// positions.
mlir::Value simplifyMask(mlir::Operation *op, torch::TorchBuilder &b);
/// Finds positions of several dims, and of numbers, by those of flags in a row:
/// for targets without sizes that data decides, which compute for all elements
/// what is asked of picked ones.
mlir::Value flattenPositions(mlir::Operation *op, torch::TorchBuilder &b);
/// Computes for whole tensors what is asked of elements that a mask picks.
mlir::Value simplifySelection(mlir::Operation *op, torch::TorchBuilder &b);
/// The size of a tensor, computed from the operands of its defining op, and a
/// multiple of a size in integers.
mlir::Value simplifySize(mlir::Operation *op, torch::TorchBuilder &b);
/// True if `size` asks for the size that a dim has anyway.
bool isOwnSize(mlir::Value size, mlir::Value tensor, int64_t dim,
               torch::TorchBuilder &b);
/// Literals with more elements are data, not arithmetic.
constexpr int64_t maxElements = 16384;
/// The number of elements, or the largest int64_t if it overflows.
int64_t countOf(torch::ValueTensorType type);
/// Evaluates an op on small literals.
mlir::Value evaluate(mlir::Operation *op, torch::TorchBuilder &b);

/// Erases the ops whose results have no uses.
void eraseUnused(mlir::Operation *root);

} // namespace isthmus::simplify_torch

#endif // ISTHMUS_CONVERSION_SIMPLIFYTORCH_SIMPLIFICATIONS_H
