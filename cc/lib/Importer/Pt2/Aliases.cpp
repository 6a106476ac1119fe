//===- Aliases.cpp - Other names of operators -----------------------------===//

#include "Aliases.h"
#include "isthmus/Importer/Pt2Importer.h"
#include "llvm/ADT/StringMap.h"

using namespace isthmus;
using namespace isthmus::pt2;

static const llvm::StringMap<PlainOp> &getAliases() {
  static const llvm::StringMap<PlainOp> aliases = {
#define ALIAS(NAME, OF) {NAME, {OF, /*isCopy=*/false}},
#define COPY(NAME, OF) {NAME, {OF, /*isCopy=*/true}},
#include "Aliases.def"
#undef COPY
#undef ALIAS
  };
  return aliases;
}

PlainOp pt2::getPlain(llvm::StringRef op) {
  auto alias = getAliases().find(op);
  return alias == getAliases().end() ? PlainOp{op} : alias->second;
}

std::map<std::string, std::string> isthmus::operatorAliases() {
  std::map<std::string, std::string> aliases;
  for (const auto &[name, plain] : getAliases())
    aliases.emplace(name, plain.name);
  return aliases;
}
