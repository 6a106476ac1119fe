//===- Json.h - JSON from untrusted files -----------------------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_JSON_H
#define ISTHMUS_SUPPORT_JSON_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace isthmus {

/// Parses JSON. The error gives the place of invalid JSON or of nesting deeper
/// than `maxDepth`: the recursive parser would run out of stack.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            int maxDepth = 500);

/// The expected form of a value and its place, in JSON terms.
std::string explain(const llvm::json::Path::Root &root);

/// An array or object of a document that is too long to parse as one tree.
struct JsonList {
  /// Keys from the outside in.
  std::vector<llvm::StringRef> path;
  /// The text of each element; for an object, it is "key": value.
  std::vector<llvm::StringRef> elements;
};

/// Extracts the elements of lists from a document, as views of its text.
/// Returns a copy of the document with spaces instead of the elements. Invalid
/// JSON stays in the copy or in an element.
std::string takeJsonElements(llvm::StringRef text,
                             llvm::ArrayRef<JsonList *> lists);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_JSON_H
