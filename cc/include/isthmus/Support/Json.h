//===- Json.h - JSON from files that nobody vouches for ---------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_JSON_H
#define ISTHMUS_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace isthmus {

/// Parses JSON, or says where it is not JSON, or nests deeper than `maxDepth`:
/// the parser calls itself for each level, and would run out of stack.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            int maxDepth = 500);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_JSON_H
