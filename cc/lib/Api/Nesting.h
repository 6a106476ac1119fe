//===- Nesting.h - How deep text is nested ----------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_NESTING_H
#define ISTHMUS_LIB_API_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace isthmus {

/// What is wrong with MLIR text that is nested deeper than the parser, which
/// calls itself for each level, has stack for: its place, and why. Empty if
/// nothing is.
std::string findDeepNesting(llvm::StringRef text);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_NESTING_H
