//===- Parallel.h - Parallel loops as calls of the thread pool ------------===//

#ifndef ISTHMUS_LIB_RUNTIME_PARALLEL_H
#define ISTHMUS_LIB_RUNTIME_PARALLEL_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>

namespace isthmus {

/// Outlines every outermost `scf.forall` on buffers into a function that runs a
/// range of the loop's iterations, and calls it. Equal loops share one
/// function: a network's layers differ in their weights, not in their code.
void outlineParallelLoops(mlir::ModuleOp module);

/// In the LLVM dialect, turns calls of those functions into calls of
/// `isthmusParallel`.
void dispatchParallelLoops(mlir::ModuleOp module);

/// Called by compiled code: runs `body` for 0 to `iterations`, in pieces, on
/// the threads of the current run.
extern "C" void isthmusParallel(void (*body)(void *, int64_t, int64_t),
                                void *context, int64_t iterations);

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_PARALLEL_H
