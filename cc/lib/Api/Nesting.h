//===- Nesting.h - How deep text is nested ----------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_NESTING_H
#define ISTHMUS_LIB_API_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace isthmus {

/// The first place of MLIR text that the parser cannot take, and why: it calls
/// itself for each level of nesting, and its time grows with the square of a
/// type's rank. Empty if there is none.
std::string findDeepNesting(llvm::StringRef text);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_NESTING_H
