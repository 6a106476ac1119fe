//===- VerifyProgram.h - MLIR's verifier in stretches -----------*- C++ -*-===//
//
// mlir::verify goes five times over all ops of a function: to list them, on
// entering and on leaving each, for blocks and for dominance. A function of a
// hundred thousand nodes is larger than a processor's caches, so that each of
// these costs several times what it does in a small one. Here all of them are
// done for one op before the next.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_VERIFYPROGRAM_H
#define ISTHMUS_SUPPORT_VERIFYPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// Fails where mlir::verify does, with its errors.
mlir::LogicalResult verifyProgram(mlir::ModuleOp module);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_VERIFYPROGRAM_H
