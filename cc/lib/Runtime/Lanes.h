//===- Lanes.h - The body of a linalg op, many iterations at once ---------===//
//
// One loop of the op runs over the lanes of a vector. A value that is the same
// in every lane stays a scalar ("uniform"); one that differs is a vector
// ("varying"). A scalar address whose last index is the lane becomes a vector
// load; ops without a vector form are executed lane by lane.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_LANES_H
#define ISTHMUS_LIB_RUNTIME_LANES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace isthmus {

/// How an operand is accessed by successive iterations of one loop.
enum class Access {
  Uniform,    // all the same element
  Contiguous, // neighbours in memory
  Irregular,  // everything else
};

Access accessOf(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                unsigned loop);

/// True if the body has a vector form when `loop` runs over lanes.
bool hasVectorBody(mlir::linalg::LinalgOp op, unsigned loop);

/// True if iterations of `loop` beyond its end can be masked off.
bool canMask(mlir::linalg::LinalgOp op, unsigned loop);

/// A position in the iteration space of an op.
struct Lanes {
  mlir::OpBuilder &builder;
  mlir::linalg::LinalgOp op;
  /// The index of every loop; that of the first lane for `loop`.
  llvm::SmallVector<mlir::Value> indices;
  unsigned loop = 0;
  /// 1 means scalar code.
  int64_t width = 1;
  /// Mask of the active lanes, or null for all.
  mlir::Value mask = nullptr;

  mlir::Value load(mlir::OpOperand &operand);
  void store(mlir::OpOperand &operand, mlir::Value value);
  /// Broadcasts a scalar to all lanes; a vector is returned unchanged.
  mlir::Value broadcast(mlir::Value value);
  /// Clones the body with `arguments` for its block arguments and returns the
  /// values it yields. `contract` allows fusing a multiplication and an
  /// addition.
  llvm::SmallVector<mlir::Value> body(mlir::ValueRange arguments,
                                      bool contract = false);

private:
  mlir::Value loadVector(mlir::Value memory, mlir::ValueRange at);
  llvm::SmallVector<mlir::Value> address(mlir::OpOperand &operand,
                                         int64_t lane = 0);
};

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_LANES_H
