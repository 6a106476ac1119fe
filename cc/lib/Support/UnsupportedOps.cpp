//===- UnsupportedOps.cpp - Why an op could not be lowered ----------------===//

#include "isthmus/Support/UnsupportedOps.h"

using namespace mlir;
using namespace isthmus;

void UnsupportedOps::emitError(Operation *op, StringRef target) const {
  InFlightDiagnostic error = op->emitError();
  error << "no lowering to " << target << " for '" << op->getName() << "': ";
  if (auto reason = reasons.find(op); reason != reasons.end())
    error << reason->second;
  else if (auto name = op->getAttrOfType<StringAttr>("name"))
    error << "no op is known as '" << name.getValue() << "'"; // torch.operator
  else
    error << "the op has no pattern yet";
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
