//===- UnsupportedOps.cpp - Why an op could not be lowered ----------------===//

#include "isthmus/Support/UnsupportedOps.h"

using namespace mlir;
using namespace isthmus;

void UnsupportedOps::emitError(Operation *op, StringRef target) const {
  auto reason = reasons.find(op);
  op->emitError() << "no lowering to " << target << " for '" << op->getName()
                  << "': "
                  << (reason == reasons.end() ? "the op has no pattern yet"
                                              : reason->second.c_str());
}

LogicalResult UnsupportedOps::report(Operation *root, StringRef dialect,
                                     StringRef target) const {
  bool complete = true;
  root->walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != dialect)
      return;
    complete = false;
    emitError(op, target);
  });
  return success(complete);
}
