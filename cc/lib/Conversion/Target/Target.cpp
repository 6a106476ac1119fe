//===- Target.cpp - The list of targets -----------------------------------===//

#include "isthmus/Conversion/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace isthmus;

static std::vector<const Target *> &list() {
  static auto &targets = *new std::vector<const Target *>();
  return targets;
}

llvm::ArrayRef<const Target *> isthmus::targets() { return list(); }

template <typename Condition>
static const Target *findIf(Condition condition) {
  const auto *found = llvm::find_if(targets(), condition);
  return found == targets().end() ? nullptr : *found;
}

const Target *isthmus::findTarget(llvm::StringRef name) {
  return findIf(
      [&](const Target *target) { return target->getName() == name; });
}

const Target *isthmus::findTargetOfConstants(llvm::StringRef dialect) {
  return findIf([&](const Target *target) {
    return target->getConstantForm().op.split('.').first == dialect;
  });
}

const Target *isthmus::findTargetOfFile(llvm::StringRef path) {
  return findIf([&](const Target *target) {
    llvm::StringRef format = target->getFileFormat();
    return !format.empty() && path.ends_with(("." + format).str());
  });
}

void isthmus::registerTarget(const Target &target) {
  if (findTarget(target.getName()))
    llvm::report_fatal_error("two targets are called '" + target.getName() +
                             "'");
  list().push_back(&target);
  llvm::sort(list(), [](const Target *a, const Target *b) {
    return a->getName() < b->getName();
  });
}
