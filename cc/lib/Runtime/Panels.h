//===- Panels.h - Matrices in the order in which products read them -------===//
//
// A contraction reads a block of a matrix' columns for every step of its
// reduction. In a matrix these blocks are a row apart, each in a different
// page; in panels they are adjacent:
//
//   panels[column / width][k…][column % width]
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_PANELS_H
#define ISTHMUS_LIB_RUNTIME_PANELS_H

#include "VectorLoops.h"

namespace isthmus {

/// The most rows of a product whose tasks lay out their own panels of a matrix,
/// instead of one pass over the whole before. All rows are then in one task.
constexpr int64_t kMostRowsOfPanel = 256;

/// True if `op` only moves elements.
bool isCopy(mlir::linalg::LinalgOp op);

/// The number of rows of a product, if it is known while compiling.
std::optional<int64_t> rowsOf(mlir::linalg::LinalgOp op,
                              const ContractionLoops &loops);

/// The number of columns of a panel of `op`'s right operand.
int64_t panelWidth(mlir::linalg::LinalgOp op, const ContractionLoops &loops,
                   const Machine &machine);

/// Lets `op` read its right operand from `panels`, as the matrix [k…, columns].
///
/// \param panels [panel, k…, width].
/// \param sizes of the loops of the reduction.
void readPanels(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                const ContractionLoops &loops, mlir::Value panels,
                mlir::ArrayRef<int64_t> sizes, int64_t columns);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_PANELS_H
