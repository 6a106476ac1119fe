//===- OutOfMemory.h - What happens without memory --------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_OUTOFMEMORY_H
#define ISTHMUS_LIB_C_OUTOFMEMORY_H

namespace isthmus::c {

/// Calls the handler of isthmus_on_out_of_memory, then throws std::bad_alloc.
[[noreturn]] void runOutOfMemory();

} // namespace isthmus::c

#endif // ISTHMUS_LIB_C_OUTOFMEMORY_H
