//===- Prefetch.h - The next op of a walk over a program --------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_PREFETCH_H
#define ISTHMUS_SUPPORT_PREFETCH_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/Compiler.h"

namespace isthmus {

/// Lets the processor fetch the op after this one while this one is worked on.
/// In a program larger than its caches, a walk waits for memory at each op.
inline void prefetchNext(mlir::Operation *op) {
  // The outermost op is in no block.
  mlir::Operation *next = op->getBlock() ? op->getNextNode() : nullptr;
  if (!next)
    return;
  // An op's results lie before it, its properties and operands after it.
  constexpr int line = 64;
  const char *at = reinterpret_cast<const char *>(next);
  for (int offset = -line; offset <= 2 * line; offset += line)
    LLVM_PREFETCH(at + offset, /*rw=*/0, /*locality=*/3);
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_PREFETCH_H
