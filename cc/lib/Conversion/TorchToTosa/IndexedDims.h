//===- IndexedDims.h - A tensor indexed by tensors, as rows -----*- C++ -*-===//
//
// self[:, i, j] is a gather of rows: the indexed dims are brought side by side
// and merged into one of size K, what stands before them into N and what
// follows into C; the index tensors become one that counts in K.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_INDEXEDDIMS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_INDEXEDDIMS_H

#include "TosaLowering.h"

namespace isthmus::torch_to_tosa {

struct IndexedDims {
  llvm::SmallVector<int64_t> order; // of self's dims, so that they are N, K, C
  int64_t n = 1, k = 1, c = 1;
  mlir::Value linear; // indices into K; null if nothing is indexed
  llvm::SmallVector<int64_t> resultSizes; // [N's dims, the index's, C's dims]
};

/// Reads the index list of aten.index and aten.index_put for the converted `x`.
mlir::FailureOr<IndexedDims>
readIndices(mlir::Operation *op, mlir::ValueRange indices, mlir::Value x,
            const mlir::TypeConverter &types, UnsupportedOps &unsupported,
            TosaBuilder &b);

/// Indices of any shape as [N,W], the same for every n.
mlir::Value repeatedIndices(mlir::Value indices, int64_t n, TosaBuilder &b);

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_INDEXEDDIMS_H
