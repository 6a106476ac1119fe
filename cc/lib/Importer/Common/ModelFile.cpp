//===- ModelFile.cpp - A model's file and the errors in it ----------------===//

#include "isthmus/Importer/ModelFile.h"
#include "isthmus/Support/MappedFile.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace isthmus;

ModelFile::ModelFile(MLIRContext *context,
                     std::shared_ptr<llvm::MemoryBuffer> buffer,
                     const ImportLimits &limits)
    : context(context), buffer(std::move(buffer)),
      location(FileLineColLoc::get(context, this->buffer->getBufferIdentifier(),
                                   0, 0)),
      budget(limits) {}

InFlightDiagnostic ModelFile::error() {
  hasErrors = true;
  return emitError(location);
}

std::shared_ptr<llvm::MemoryBuffer>
isthmus::mapModelFile(StringRef path, StringRef what, MLIRContext *context) {
  auto file = mapFile(path);
  if (file)
    return std::move(*file);
  emitError(FileLineColLoc::get(context, path, 0, 0))
      << "expected " << what << ", got: " << file.getError().message();
  return nullptr;
}

SmallVector<std::string> isthmus::objectionsTo(Operation *op) {
  SmallVector<std::string> messages;
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &message) {
    messages.push_back(message.str());
  });
  if (succeeded(op->getName().verifyInvariants(op)))
    return {};
  std::string prefix = ("'" + op->getName().getStringRef() + "' op ").str();
  for (std::string &message : messages)
    if (StringRef(message).starts_with(prefix))
      message.erase(0, prefix.size());
  return messages;
}
