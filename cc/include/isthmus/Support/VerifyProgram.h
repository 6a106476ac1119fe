//===- VerifyProgram.h - MLIR's verifier in one walk ------------*- C++ -*-===//
//
// mlir::verify goes seven times over all ops of a function: to list them, on
// entering and on leaving each, for blocks, for dominance, for isolation and
// for symbols. A function of a hundred thousand nodes is larger than a
// processor's caches, so that each of these costs several times what it does in
// a small one. Here all of them are done for one op before the next.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_VERIFYPROGRAM_H
#define ISTHMUS_SUPPORT_VERIFYPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// Fails where mlir::verify does, with its errors; of several, another may be
/// the first.
mlir::LogicalResult verifyProgram(mlir::ModuleOp module);

/// Whether to verify after each pass too, to find the one that is wrong:
/// ISTHMUS_VERIFY_EACH=1.
bool verifiesEachPass();

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_VERIFYPROGRAM_H
