//===- Positions.h - Elements chosen by index tensors -----------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_POSITIONS_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_POSITIONS_H

#include "LinalgBuilder.h"
#include "LinalgLowerings.h"

namespace isthmus::torch_to_linalg {

/// Whether a negative index counts from the end, as for self[i] in Python;
/// gather, scatter and index_select do not support negative indices.
enum class Negative { FromEnd, Outside };

/// Converts an integer element to a position in a dim of `size`; an index out
/// of bounds ends the run.
mlir::Value checkedPosition(LinalgBuilder &b, mlir::Value element,
                            mlir::Type dtype, mlir::Value size,
                            Negative negative);
/// The same inside the body of a linalg.generic. Other compilers drop
/// assertions there; the position is then clamped to the dim.
mlir::Value clampedPosition(LinalgBuilder &b, mlir::Value element,
                            mlir::Type dtype, mlir::Value size,
                            Negative negative);
mlir::Value positionInBody(mlir::OpBuilder &body, mlir::Location loc,
                           mlir::Value element, mlir::Type dtype,
                           mlir::Value size, Negative negative);

/// Checks that no dim of `index` but `dim` is larger than that of `tensor`.
void checkCovered(LinalgBuilder &b, mlir::Value index, mlir::Value tensor,
                  std::optional<int64_t> dim = std::nullopt);

/// The sources of the elements of self[i, j, :, k]: the index tensors broadcast
/// together and replace the dims they index, or come first if those dims are
/// not adjacent. A mask is replaced by the positions where it is true.
struct IndexedDims {
  /// One per dim of self: an index tensor, or null if the dim is kept.
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<mlir::Type> dtypes;
  /// Sizes of the result, and the first dim of the index tensors in it.
  Sizes sizes;
  int64_t place = 0, indexRank = 0;

  /// nullopt if no list construct defines the list of indices.
  static std::optional<IndexedDims> of(mlir::Value self, mlir::Value list,
                                       LinalgBuilder &b);

  /// The result dim of a kept dim of self.
  int64_t resultDim(int64_t keptBefore) const {
    return keptBefore < place ? keptBefore : keptBefore + indexRank;
  }
  /// The non-null index tensors, aligned to broadcast to the result.
  llvm::SmallVector<mlir::Value> alignedIndices(LinalgBuilder &b) const;
};

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_POSITIONS_H
