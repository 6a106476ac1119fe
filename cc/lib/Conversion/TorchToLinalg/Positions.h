//===- Positions.h - Elements chosen by index tensors -----------*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_POSITIONS_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_POSITIONS_H

#include "LinalgBuilder.h"
#include "LinalgLowering.h"

namespace isthmus::torch_to_linalg {

/// Whether a negative index counts from the end. It does for self[i] in Python;
/// gather, scatter and index_select have no such index.
enum class Negative { FromEnd, Outside };

/// An integer element as a position in a dim of `size`; outside of the dim the
/// run ends.
mlir::Value checkedPosition(LinalgBuilder &b, mlir::Value element,
                            mlir::Type dtype, mlir::Value size,
                            Negative negative);
/// The same inside the body of a linalg.generic. Other compilers drop an
/// assertion there, and then the position is the nearest that is inside.
mlir::Value positionInBody(mlir::OpBuilder &body, mlir::Location loc,
                           mlir::Value element, mlir::Type dtype,
                           mlir::Value size, Negative negative);

/// Checks that no dim of `index` but `dim` is larger than that of `tensor`.
void checkCovered(LinalgBuilder &b, mlir::Value index, mlir::Value tensor,
                  std::optional<int64_t> dim = std::nullopt);

/// Where the elements of self[i, j, :, k] come from: the index tensors
/// broadcast together and take the place of the dims they index, or go first
/// when those dims do not stand side by side. A mask stands for the positions
/// where it is true.
struct IndexedDims {
  /// One per dim of self: an index tensor, or null where the dim is kept.
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<mlir::Type> dtypes;
  /// Sizes of the result, and where in it the dims of the index tensors begin.
  Sizes sizes;
  int64_t place = 0, indexRank = 0;

  /// nullopt when the list of indices is not made where it is used.
  static std::optional<IndexedDims> of(mlir::Value self, mlir::Value list,
                                       LinalgBuilder &b);

  /// The dim of the result that a kept dim of self is.
  int64_t resultDim(int64_t keptBefore) const {
    return keptBefore < place ? keptBefore : keptBefore + indexRank;
  }
  /// The index tensors that are there, so that they broadcast to the result.
  llvm::SmallVector<mlir::Value> alignedIndices(LinalgBuilder &b) const;
};

/// Positions [count, rank] of the elements that are not 0.
mlir::Value nonzero(LinalgBuilder &b, mlir::Value self, mlir::Type dtype);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_POSITIONS_H
