//===- Streams.h - Text that a callback takes -------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_STREAMS_H
#define ISTHMUS_LIB_C_STREAMS_H

#include "Errors.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace isthmus::c {

/// The error for writing that a callback may have ended.
isthmus_error *finishWriting(llvm::Error error, bool hasStopped);

/// Passes what `body` writes to a callback, until that refuses.
isthmus_error *
writeTo(isthmus_write write, void *context,
        llvm::function_ref<llvm::Error(llvm::raw_ostream &os)> body);

/// Writes a text as JSON. Its bytes stay as they are, as names in models need
/// not be UTF-8.
void writeJson(llvm::raw_ostream &os, llvm::StringRef text);

} // namespace isthmus::c

#endif // ISTHMUS_LIB_C_STREAMS_H
