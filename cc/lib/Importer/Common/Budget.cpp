//===- Budget.cpp - Limits on the growth of a small file ------------------===//

#include "isthmus/Importer/Budget.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace isthmus;

std::string Budget::takeNode() {
  if (nodes == limits.nodes)
    return ("expected at most " + Twine(limits.nodes) +
            " nodes once functions and graphs are expanded, got more")
        .str();
  ++nodes;
  return {};
}

std::string Budget::takeBytes(int64_t asked, StringRef purpose) {
  if (asked > limits.bytes - bytes)
    return ("expected a model that grows by at most " + Twine(limits.bytes) +
            " bytes beyond its file, got " + Twine(asked) + " for " + purpose +
            " after " + Twine(bytes))
        .str();
  bytes += asked;
  return {};
}
