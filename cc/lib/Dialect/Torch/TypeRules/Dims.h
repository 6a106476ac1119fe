//===- Dims.h - The dim that an op works along ------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DIMS_H
#define ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DIMS_H

#include "isthmus/Dialect/Torch/TypeInference.h"

namespace isthmus::torch {

/// Fails with a message if operand 0 has no dims.
inline mlir::LogicalResult expectRow(TypeInference &op) {
  if (!op.tensor(0).hasRank() || op.tensor(0).getRank() > 0)
    return mlir::success();
  return op.fail("expected a tensor of rank 1 or more, got a rank-0 one");
}

/// Dim `dim` of operand 0, whose rank is known, counted from the end if
/// negative; fails with a message if the operand has no dims.
inline mlir::FailureOr<int64_t> dimOfRow(TypeInference &op, int64_t dim) {
  if (mlir::failed(expectRow(op)))
    return mlir::failure();
  return op.normalizeDim(dim, op.tensor(0).getRank());
}

} // namespace isthmus::torch

#endif // ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DIMS_H
