//===- Json.cpp - JSON from files that nobody vouches for -----------------===//

#include "isthmus/Support/Json.h"

using llvm::StringRef;

llvm::Expected<llvm::json::Value> isthmus::parseJson(StringRef text,
                                                     int maxDepth) {
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isString) {
      if (c == '\\')
        ++i;
      else
        isString = c != '"';
    } else if (c == '"') {
      isString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > maxDepth)
        return llvm::createStringError(
            "byte " + llvm::Twine(i) + ": expected JSON nested at most " +
            llvm::Twine(maxDepth) + " deep, got more");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return llvm::json::parse(text);
}
