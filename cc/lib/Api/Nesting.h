//===- Nesting.h - Nesting depth of MLIR text -------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_NESTING_H
#define ISTHMUS_LIB_API_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace isthmus {

/// The first position in MLIR text that the parser cannot handle, and the
/// reason: it recurses for each nesting level, and its time grows with the
/// square of a type's rank. Empty if there is none.
std::string findDeepNesting(llvm::StringRef text);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_NESTING_H
