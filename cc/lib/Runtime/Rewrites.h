//===- Rewrites.h - Patterns up to a bound --------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_REWRITES_H
#define ISTHMUS_LIB_RUNTIME_REWRITES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace isthmus {

/// Applies patterns, each of which leaves a valid program, until none applies,
/// but at most as often as a program of this size needs: some MLIR patterns
/// undo each other forever, those of empty tensors for example.
void applyBounded(mlir::ModuleOp module, mlir::RewritePatternSet &&patterns);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_REWRITES_H
