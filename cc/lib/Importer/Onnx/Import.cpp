//===- Import.cpp - What the parts of one import share --------------------===//

#include "Import.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

LogicalResult Import::countNode() {
  if (++nodes == options.maxNodes + 1)
    error() << "expected at most " << options.maxNodes
            << " nodes once functions are inlined, got more";
  return success(nodes <= options.maxNodes);
}

LogicalResult Import::verify(Operation *op, const Subject &subject) {
  SmallVector<std::string> objections = objectionsTo(op);
  for (StringRef objection : objections)
    subject.error() << objection;
  return success(objections.empty());
}

InFlightDiagnostic Subject::error() const {
  InFlightDiagnostic diagnostic = import.error();
  diagnostic << kind << " '" << name << "'";
  if (!op.empty())
    diagnostic << " (" << op;
  if (since)
    diagnostic << '-' << since;
  if (!op.empty())
    diagnostic << ')';
  diagnostic << ": ";
  return diagnostic;
}
