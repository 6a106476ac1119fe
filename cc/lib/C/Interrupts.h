//===- Interrupts.h - Work that a callback may end --------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_INTERRUPTS_H
#define ISTHMUS_LIB_C_INTERRUPTS_H

#include "Errors.h"
#include <utility>

namespace isthmus::c {

/// Whether an isthmus_interrupted has ended the work of this thread, which is
/// the only one that calls it.
extern thread_local bool hasStopped;

/// A compilation or a run, which a kernel of another run may have started.
class Interruptible {
public:
  ~Interruptible() { hasStopped = outer; }

  isthmus_error *finish(llvm::Error error) {
    if (!error || !hasStopped)
      return toC(std::move(error));
    llvm::consumeError(std::move(error));
    return failed(ISTHMUS_STOPPED,
                  "expected to finish, got a stop from the callback");
  }

private:
  bool outer = std::exchange(hasStopped, false);
};

} // namespace isthmus::c

#endif // ISTHMUS_LIB_C_INTERRUPTS_H
