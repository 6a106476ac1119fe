//===- Prefetch.h - Prefetches the next op of a walk ------------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_PREFETCH_H
#define ISTHMUS_SUPPORT_PREFETCH_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/Compiler.h"

namespace isthmus {

/// Prefetches an op, unless it is null, while the caller works on another one.
inline void prefetch(mlir::Operation *op) {
  if (!op)
    return;
  // An op's results are before it in memory, its properties and operands after.
  constexpr int line = 64;
  const char *at = reinterpret_cast<const char *>(op);
  for (int offset = -line; offset <= 2 * line; offset += line)
    LLVM_PREFETCH(at + offset, /*rw=*/0, /*locality=*/3);
}

/// Prefetches the next op of a walk. Without this, a walk over a program larger
/// than the processor's caches waits for memory at each op.
inline void prefetchNext(mlir::Operation *op) {
  // The outermost op is in no block.
  prefetch(op->getBlock() ? op->getNextNode() : nullptr);
}
/// The same for a backward walk.
inline void prefetchPrevious(mlir::Operation *op) {
  prefetch(op->getBlock() ? op->getPrevNode() : nullptr);
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_PREFETCH_H
