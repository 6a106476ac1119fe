//===- Aliases.h - Other names of operators ---------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_ALIASES_H
#define ISTHMUS_LIB_IMPORTER_PT2_ALIASES_H

#include "llvm/ADT/StringRef.h"

namespace isthmus::pt2 {

/// An operator by the name that the dialect has for it.
struct PlainOp {
  llvm::StringRef name;
  /// Whether the results are copies, though those of the plain operator share
  /// memory with its operand.
  bool isCopy = false;
};

/// `op` itself if it is no alias.
PlainOp getPlain(llvm::StringRef op);

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_ALIASES_H
