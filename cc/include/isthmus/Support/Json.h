//===- Json.h - JSON from files that nobody vouches for ---------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_JSON_H
#define ISTHMUS_SUPPORT_JSON_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace isthmus {

/// Parses JSON, or says where it is not JSON, or nests deeper than `maxDepth`:
/// the parser calls itself for each level, and would run out of stack.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            int maxDepth = 500);

/// What a value was expected to be, and where, in words of JSON.
std::string explain(const llvm::json::Path::Root &root);

/// An array or object of a document that is too long to be a tree as a whole.
struct JsonList {
  /// Keys from the outside in.
  std::vector<llvm::StringRef> path;
  /// The text of each element; that of an object is "key": value.
  std::vector<llvm::StringRef> elements;
};

/// Takes the elements of lists out of a document, of which they stay parts.
/// Returns a copy of it in which spaces stand for them; what is not JSON stays
/// in it, or is an element that is not.
std::string takeJsonElements(llvm::StringRef text,
                             llvm::ArrayRef<JsonList *> lists);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_JSON_H
