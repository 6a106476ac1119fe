//===- VectorLoops.h - Linalg ops on buffers as loops of vectors ----------===//

#ifndef ISTHMUS_LIB_RUNTIME_VECTORLOOPS_H
#define ISTHMUS_LIB_RUNTIME_VECTORLOOPS_H

#include "Machine.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace isthmus {

/// The rows and columns of a contraction's result that are kept in registers
/// while the reduction runs.
struct RegisterTile {
  int64_t rows;
  int64_t vectors;
};

/// The tile that takes the fewest cycles for `rows` times `columns` elements;
/// kDynamic for a size that is not known.
RegisterTile chooseRegisterTile(const Machine &machine, int64_t rows,
                                int64_t columns, int64_t elementBits);

/// The loops of a contraction: out[batch, rows, columns] += left[batch, rows,
/// k] * right[batch, columns, k], where rows and columns represent any number
/// of loops and an index may be a sum, as in a convolution.
struct ContractionLoops {
  mlir::OpOperand *left = nullptr;
  mlir::OpOperand *right = nullptr;
  mlir::SmallVector<unsigned> batch, rows, columns, reduction;
  /// The loop over the lanes, one of `columns`; it is the last loop of the
  /// result.
  unsigned vectorLoop = 0;
};

/// Recognises a contraction by its indexing maps and its multiply-add body.
std::optional<ContractionLoops> matchContraction(mlir::linalg::LinalgOp op);

// Each replaces `op`, on buffers, by loops, or fails and leaves it unchanged.
mlir::LogicalResult emitContraction(mlir::RewriterBase &rewriter,
                                    mlir::linalg::LinalgOp op,
                                    const Machine &machine);
mlir::LogicalResult emitVectorLoops(mlir::RewriterBase &rewriter,
                                    mlir::linalg::LinalgOp op,
                                    const Machine &machine);

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

using Indices = mlir::SmallVector<mlir::Value>;

// The loops are created before their bodies: building an affine.apply looks at
// the ops that enclose its operands.

/// Emits one loop. `body` returns the next values of the carried values.
mlir::SmallVector<mlir::Value>
emitLoop(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value begin,
         mlir::Value end, int64_t step, mlir::ValueRange carried,
         llvm::function_ref<mlir::SmallVector<mlir::Value>(mlir::Value,
                                                           mlir::ValueRange)>
             body);

/// Emits one loop without carried values.
void emitLoop(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value begin,
              mlir::Value end, int64_t step,
              llvm::function_ref<void(mlir::Value)> body);

/// Emits one loop for each entry of `loops`, outermost first, whose index is
/// stored at its position in `indices`. No loop is emitted for a trip count of
/// one. `body` gets the carried values and returns their next values.
mlir::SmallVector<mlir::Value> emitLoops(
    mlir::OpBuilder &builder, mlir::Location loc,
    mlir::ArrayRef<unsigned> loops, mlir::ArrayRef<mlir::OpFoldResult> sizes,
    Indices &indices, mlir::ValueRange carried,
    llvm::function_ref<mlir::SmallVector<mlir::Value>(mlir::ValueRange)> body);

/// Covers 0 to `size` with full steps and, if `size` is not a multiple of
/// `step`, a last partial one. `whole` gets the index; `rest` gets the index
/// and the remaining size.
void emitBlocks(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::OpFoldResult size, int64_t step,
                llvm::function_ref<void(mlir::Value)> whole,
                llvm::function_ref<void(mlir::Value, mlir::OpFoldResult)> rest);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_VECTORLOOPS_H
