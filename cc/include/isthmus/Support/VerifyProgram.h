//===- VerifyProgram.h - MLIR's verifier in one walk ------------*- C++ -*-===//
//
// mlir::verify walks seven times over all ops of a function: to list them, on
// entering and on leaving each, for blocks, for dominance, for isolation and
// for symbols. A function of a hundred thousand nodes exceeds the processor's
// caches, so each walk costs several times as much per op as in a small one.
// This verifier runs all checks of one op before the next op.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_VERIFYPROGRAM_H
#define ISTHMUS_SUPPORT_VERIFYPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

namespace isthmus {

/// Fails whenever mlir::verify fails, with its errors; the first of several
/// errors may differ.
mlir::LogicalResult verifyProgram(mlir::ModuleOp module);

/// Whether to verify after each pass too, to find a faulty pass:
/// ISTHMUS_VERIFY_EACH=1.
bool verifiesEachPass();

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_VERIFYPROGRAM_H
