//===- Dims.h - The dim that an op works along ------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DIMS_H
#define ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DIMS_H

#include "isthmus/Dialect/Torch/TypeInference.h"

namespace isthmus::torch {

/// Dim `dim` of operand 0, whose rank is known, counted from the end if
/// negative; fails with a message if the operand has no dims.
inline mlir::FailureOr<int64_t> dimOfRow(TypeInference &op, int64_t dim) {
  int64_t rank = op.tensor(0).getRank();
  if (rank == 0)
    return op.fail("expected a tensor of rank 1 or more, got a rank-0 one");
  return op.normalizeDim(dim, rank);
}

} // namespace isthmus::torch

#endif // ISTHMUS_LIB_DIALECT_TORCH_TYPERULES_DIMS_H
