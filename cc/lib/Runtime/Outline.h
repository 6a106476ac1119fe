//===- Outline.h - Parts of a function as functions -----------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_OUTLINE_H
#define ISTHMUS_LIB_RUNTIME_OUTLINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace isthmus {

/// True for a loop of the program, which contains loops over elements or calls
/// of them.
bool holdsLoops(mlir::Operation *op);

/// Keeps the first of each set of equal functions: a network's layers differ in
/// their weights, not in their code.
void shareEqualFunctions(mlir::ModuleOp module,
                         llvm::ArrayRef<mlir::func::FuncOp> functions);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_OUTLINE_H
