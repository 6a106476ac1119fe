//===- Import.cpp - State shared by the parts of one import ---------------===//

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

/// A name, shortened for messages: in nested functions it may be very long.
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
