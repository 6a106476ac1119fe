//===- IndexedDims.h - A tensor indexed by tensors, as rows -----*- C++ -*-===//
//
// self[:, i, j] is a gather of rows: the indexed dims are made adjacent and
// merged into one of size K, the dims before them into N and the dims after
// them into C; the index tensors are combined into linear indices into K.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_INDEXEDDIMS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_INDEXEDDIMS_H

#include "TosaLowerings.h"

namespace isthmus::torch_to_tosa {

struct IndexedDims {
  llvm::SmallVector<int64_t> order; // permutation of self's dims to N, K, C
  int64_t n = 1, k = 1, c = 1;
  mlir::Value linear; // indices into K; null if nothing is indexed
  llvm::SmallVector<int64_t> resultSizes; // [N's dims, the index's, C's dims]
};

/// Reads the index list of aten.index and aten.index_put; `x` is the converted
/// `self`.
mlir::FailureOr<IndexedDims> readIndices(mlir::ValueRange indices,
                                         mlir::Value self, mlir::Value x,
                                         TosaBuilder &b);

/// The slices of a dim at indices of any number; the result is [N,W,C].
mlir::Value selectSlices(mlir::Value x, mlir::Value indices, int64_t dim,
                         TosaBuilder &b);

/// Indices of any shape as [N,W], equal for all n.
mlir::Value repeatedIndices(mlir::Value indices, int64_t n, TosaBuilder &b);

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_INDEXEDDIMS_H
