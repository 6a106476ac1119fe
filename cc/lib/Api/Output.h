//===- Output.h - Files of a program, or something else ---------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_OUTPUT_H
#define ISTHMUS_LIB_API_OUTPUT_H

#include "isthmus/Support/NewFiles.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace isthmus {

using Write = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

/// Writes one of `files` without keeping what it reads of weights. `progress`
/// is that of SaveOptions, if there is one, for a file of `total` bytes.
llvm::Error
addFile(NewFiles &files, llvm::StringRef path, Write write,
        const std::function<bool(uint64_t, uint64_t)> &progress = {},
        uint64_t total = 0);

/// Puts all of them at their paths, or none.
llvm::Error keepFiles(NewFiles &files);

/// Writes into what is not a file to be replaced: a pipe, a device, "-".
llvm::Error writeInto(llvm::StringRef path, Write write);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_OUTPUT_H
