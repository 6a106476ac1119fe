//===- Import.cpp - What the parts of one import share --------------------===//

#include "Import.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

LogicalResult Import::verify(Operation *op, const Subject &subject) {
  SmallVector<std::string> objections = objectionsTo(op);
  for (StringRef objection : objections)
    subject.error() << objection;
  return success(objections.empty());
}

/// A name as messages have it: in functions in functions it may be endless.
static std::string shortened(StringRef name) {
  constexpr size_t end = 100;
  return name.size() <= 3 * end
             ? name.str()
             : (name.take_front(end) + "..." + name.take_back(end)).str();
}

InFlightDiagnostic Subject::error() const {
  InFlightDiagnostic diagnostic = import.error();
  diagnostic << kind << " '" << shortened(name) << "'";
  if (!op.empty())
    diagnostic << " (" << op;
  if (since)
    diagnostic << '-' << since;
  if (!op.empty())
    diagnostic << ')';
  diagnostic << ": ";
  return diagnostic;
}
