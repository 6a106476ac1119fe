//===- FileNames.h - What the name of a file says ---------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_FILENAMES_H
#define ISTHMUS_LIB_C_FILENAMES_H

#include "isthmus/Api/Api.h"
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

/// The format of a program that is written to a file of this name.
inline Format formatNamed(llvm::StringRef name) {
  if (isBytecodeName(name))
    return Format::Bytecode;
  return findTargetOfFile(name) ? Format::TargetFile : Format::Text;
}

} // namespace isthmus::c

#endif // ISTHMUS_LIB_C_FILENAMES_H
