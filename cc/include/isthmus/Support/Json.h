//===- Json.h - JSON from files that nobody vouches for ---------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_JSON_H
#define ISTHMUS_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace isthmus {

/// Parses JSON, or says at which byte it nests deeper than the parser's stack
/// bears, or where it is not JSON.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_JSON_H
