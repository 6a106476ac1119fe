//===- ContainedFile.h - Files that another file names ----------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_CONTAINEDFILE_H
#define ISTHMUS_SUPPORT_CONTAINEDFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace isthmus {

/// Maps the file at `location`, a path relative to `folder` that comes from a
/// file nobody vouches for: it must lead to a regular file inside of the
/// folder, links resolved. Messages call its content `what`, and the folder
/// that of `owner`: "external data", "the model".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mapContainedFile(llvm::StringRef folder, llvm::StringRef location,
                 llvm::StringRef what, llvm::StringRef owner);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_CONTAINEDFILE_H
