//===- Rewrites.h - Patterns up to a bound --------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_REWRITES_H
#define ISTHMUS_LIB_RUNTIME_REWRITES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace isthmus {

/// Applies patterns, each of which leaves a valid program, until none applies,
/// but no more often than a program of this size needs: some of MLIR's undo one
/// another for ever, those of empty tensors for example.
void applyBounded(mlir::ModuleOp module, mlir::RewritePatternSet &&patterns);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_REWRITES_H
