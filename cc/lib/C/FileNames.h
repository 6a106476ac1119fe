//===- FileNames.h - What the name of a file says ---------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_FILENAMES_H
#define ISTHMUS_LIB_C_FILENAMES_H

#include "llvm/ADT/StringRef.h"

namespace isthmus::c {

/// Whether a file of this name is MLIR bytecode.
inline bool isBytecodeName(llvm::StringRef name) {
  return name.ends_with(".mlirbc");
}

/// Whether it is MLIR, in one of its forms.
inline bool isMlirName(llvm::StringRef name) {
  return name.ends_with(".mlir") || isBytecodeName(name);
}

} // namespace isthmus::c

#endif // ISTHMUS_LIB_C_FILENAMES_H
