//===- ContainedFile.h - Files that another file names ----------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_CONTAINEDFILE_H
#define ISTHMUS_SUPPORT_CONTAINEDFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace isthmus {

/// Maps the file at `location`, a path relative to `folder` that comes from an
/// untrusted file: with links resolved, it must be a regular file inside the
/// folder. Messages call its content `what` and the folder that of `owner`:
/// "external data", "the model".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mapContainedFile(llvm::StringRef folder, llvm::StringRef location,
                 llvm::StringRef what, llvm::StringRef owner);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_CONTAINEDFILE_H
