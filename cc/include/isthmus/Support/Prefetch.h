//===- Prefetch.h - Where a walk over a program goes on ---------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_PREFETCH_H
#define ISTHMUS_SUPPORT_PREFETCH_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/Compiler.h"

namespace isthmus {

/// Lets the processor fetch an op, if it is one, while another is worked on.
inline void prefetch(mlir::Operation *op) {
  if (!op)
    return;
  // An op's results lie before it, its properties and operands after it.
  constexpr int line = 64;
  const char *at = reinterpret_cast<const char *>(op);
  for (int offset = -line; offset <= 2 * line; offset += line)
    LLVM_PREFETCH(at + offset, /*rw=*/0, /*locality=*/3);
}

/// Fetches the op that a walk goes on with. In a program larger than the
/// processor's caches, it would wait for memory at each.
inline void prefetchNext(mlir::Operation *op) {
  // The outermost op is in no block.
  prefetch(op->getBlock() ? op->getNextNode() : nullptr);
}
/// The same where a walk goes backwards.
inline void prefetchPrevious(mlir::Operation *op) {
  prefetch(op->getBlock() ? op->getPrevNode() : nullptr);
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_PREFETCH_H
