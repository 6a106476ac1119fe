//===- IreeOps.h - Ops of IREE, and loops in its forms ----------*- C++ -*-===//
//
// The forms of LinalgBuilder::isForIree(). Each is one kernel in IREE, for
// known and unknown sizes.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_IREEOPS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_IREEOPS_H

#include "LinalgBuilder.h"

namespace isthmus::torch_to_linalg {

/// The value of two elements.
using Combine =
    llvm::function_ref<mlir::Value(LinalgBuilder &, mlir::Value, mlir::Value)>;

/// iree_linalg_ext.scatter: self [n] with combine(self[p], updates[i]) at p =
/// positions[i], an i64, one i of m after the other.
mlir::Value ireeScatter(LinalgBuilder &b, mlir::Value self,
                        mlir::Value positions, mlir::Value updates,
                        Combine combine);

/// iree_linalg_ext.scan: result[i] = combine(result[i - 1], self[i]) along a
/// dim. IREE takes self[0] as the first result, so `start` must be neutral.
mlir::Value ireeScan(LinalgBuilder &b, mlir::Value self, mlir::Value start,
                     int64_t dim, Combine combine);

/// Inside a body: the first of the positions [begin, end) for which `holds`, or
/// end, by bisection. It holds for all after the first.
mlir::Value
firstThat(LinalgBuilder &b, mlir::Value begin, mlir::Value end,
          llvm::function_ref<mlir::Value(LinalgBuilder &, mlir::Value)> holds);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOLINALG_IREEOPS_H
