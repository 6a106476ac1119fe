//===- Output.h - Files of a program, or something else ---------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_OUTPUT_H
#define ISTHMUS_LIB_API_OUTPUT_H

#include "isthmus/Support/NewFiles.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace isthmus {

using Write = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

/// Writes one of `files` without keeping the weights it reads in memory.
/// `progress` is that of SaveOptions, if there is one, for a file of `total`
/// bytes.
llvm::Error
addFile(NewFiles &files, llvm::StringRef path, Write write,
        const std::function<bool(uint64_t, uint64_t)> &progress = {},
        uint64_t total = 0);

/// Puts all of them at their paths, or none of them.
llvm::Error keepFiles(NewFiles &files);

/// Writes to a path that is not a replaceable file: a pipe, a device, "-".
llvm::Error writeInto(llvm::StringRef path, Write write);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_OUTPUT_H
