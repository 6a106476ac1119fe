//===- Json.h - JSON from files that nobody vouches for ---------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_JSON_H
#define ISTHMUS_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace isthmus {

/// Parses JSON, or says where it is not JSON, or nests deeper than `maxDepth`:
/// the parser calls itself for each level, and would run out of stack.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            int maxDepth = 500);

/// Takes the elements out of the array or object at `path`, keys from the
/// outside in, for a list too long to be a tree as a whole. Each goes to `take`
/// as its text, that of an object as "key": value. Returns a copy of the
/// document in which spaces stand for them; what is not JSON stays in it, or is
/// an element that is not.
std::string
takeJsonElements(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> path,
                 llvm::function_ref<void(llvm::StringRef element)> take);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_JSON_H
