//===- Memory.cpp - Allocations that fail are exceptions ------------------===//
//
// MLIR does not check the memory of ops: `Operation::create` writes to what
// malloc returns. The library is linked with --wrap=malloc, so that its code
// and MLIR's call this one; Errors.cpp makes errors of the exceptions. calloc
// and realloc, which LLVM checks itself, stay as they are.
//
//===----------------------------------------------------------------------===//

#include "OutOfMemory.h"
#include <cstddef>

extern "C" {
void *__real_malloc(size_t size);

void *__wrap_malloc(size_t size) {
  void *memory = __real_malloc(size);
  if (!memory && size)
    isthmus::c::runOutOfMemory();
  return memory;
}
}
