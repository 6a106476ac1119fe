//===- LoadDialects.cpp - Dialects whose names may be taken ---------------===//

#include "isthmus/Support/LoadDialects.h"
#include "mlir/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace isthmus;

/// Whether the registry has another dialect of the name. Tests the registered
/// one in a temporary context.
static bool isTaken(const DialectRegistry &registry, DialectName dialect) {
  auto allocate = registry.getDialectAllocator(dialect.name);
  if (!allocate)
    return false;
  MLIRContext scratch(MLIRContext::Threading::DISABLED);
  return allocate(&scratch)->getTypeID() != dialect.type;
}

SmallVector<StringRef> isthmus::findTakenNames(const DialectRegistry &registry,
                                               ArrayRef<DialectName> dialects) {
  SmallVector<StringRef> names;
  for (DialectName dialect : dialects)
    if (isTaken(registry, dialect))
      names.push_back(dialect.name);
  return names;
}

SmallVector<StringRef> isthmus::findTakenNames(MLIRContext &context,
                                               ArrayRef<DialectName> dialects) {
  SmallVector<StringRef> names;
  for (DialectName dialect : dialects) {
    Dialect *found = context.getOrLoadDialect(dialect.name);
    if (found && found->getTypeID() != dialect.type)
      names.push_back(dialect.name);
  }
  return names;
}

std::string isthmus::describeTakenNames(ArrayRef<StringRef> names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "expected no other dialects of the names of Isthmus's own, got '";
  llvm::interleave(names, os, "', '");
  os << "'; convert in a context of Isthmus's (isthmus::Model) and take the "
        "result as bytecode";
  return text;
}
