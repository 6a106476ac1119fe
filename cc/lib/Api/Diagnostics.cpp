//===- Diagnostics.cpp - MLIR diagnostics as ModelErrors ------------------===//

#include "Diagnostics.h"
#include "isthmus/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errc.h"

using namespace mlir;
using namespace isthmus;

char ModelError::ID = 0;

void ModelError::log(raw_ostream &os) const {
  llvm::interleave(messages, os, "\n");
}

std::error_code ModelError::convertToErrorCode() const {
  return llvm::errc::invalid_argument;
}

Diagnostics::Diagnostics(MLIRContext *context,
                         std::vector<std::string> *warnings)
    : handler(context, [this, warnings](Diagnostic &diagnostic) {
        if (warnings && diagnostic.getSeverity() == DiagnosticSeverity::Warning)
          warnings->push_back(findingOf(diagnostic));
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          messages.push_back(findingOf(diagnostic));
        return success();
      }) {}

llvm::Error isthmus::failed(ModelError::Kind kind, const Twine &message) {
  return llvm::make_error<ModelError>(kind,
                                      std::vector<std::string>{message.str()});
}

llvm::Error Diagnostics::take(ModelError::Kind kind, StringRef otherwise) {
  if (messages.empty())
    messages.push_back(otherwise.str());
  return llvm::make_error<ModelError>(kind, std::move(messages));
}
