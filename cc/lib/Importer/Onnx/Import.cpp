//===- Import.cpp - What the parts of one import share --------------------===//

#include "Import.h"
#include "mlir/IR/Location.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

Import::Import(MLIRContext *context, const OnnxImportOptions &options,
               std::shared_ptr<llvm::MemoryBuffer> buffer)
    : context(context), options(options), buffer(std::move(buffer)),
      location(FileLineColLoc::get(context, this->buffer->getBufferIdentifier(),
                                   0, 0)) {}

InFlightDiagnostic Import::error() {
  hasErrors = true;
  return emitError(location);
}

LogicalResult Import::countNode() {
  if (++nodes == options.maxNodes + 1)
    error() << "expected at most " << options.maxNodes
            << " nodes once functions are inlined, got more";
  return success(nodes <= options.maxNodes);
}

LogicalResult Import::verify(Operation *op, const Subject &subject) {
  SmallVector<std::string> messages;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      messages.push_back(diagnostic.str());
    });
    if (succeeded(op->getName().verifyInvariants(op)))
      return success();
  }
  std::string prefix = ("'" + op->getName().getStringRef() + "' op ").str();
  for (StringRef message : messages) {
    message.consume_front(prefix);
    subject.error() << message;
  }
  return failure();
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
