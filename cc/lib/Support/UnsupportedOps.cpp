//===- UnsupportedOps.cpp - Why an op could not be lowered ----------------===//

#include "isthmus/Support/UnsupportedOps.h"

using namespace mlir;
using namespace isthmus;

/// The op's name for users: an op without a class is torch.operator, and its
/// name is an attribute.
static StringRef nameOf(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>("name");
  StringRef own = op->getName().getStringRef();
  return own == "torch.operator" && name ? name.getValue() : own;
}

void UnsupportedOps::emitError(Operation *op, StringRef target) const {
  auto reason = reasons.find(op);
  // Without the op itself: printing it would make MLIR number the whole
  // function.
  mlir::emitError(op->getLoc())
      << "no lowering to " << target << " for '" << nameOf(op) << "': "
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
