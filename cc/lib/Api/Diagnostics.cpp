//===- Diagnostics.cpp - MLIR diagnostics as ModelErrors ------------------===//

#include "Diagnostics.h"
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

/// "model.onnx: node 'Conv_0': " for a node, "model.mlir:7:3: " for text.
static void printLocation(raw_ostream &os, Location location) {
  if (auto named = dyn_cast<NameLoc>(location)) {
    printLocation(os, named.getChildLoc());
    os << "node '" << named.getName().getValue() << "': ";
  } else if (auto line = dyn_cast<FileLineColLoc>(location)) {
    os << line.getFilename().getValue();
    // An ONNX model has no lines: its locations name the file alone.
    if (line.getLine())
      os << ':' << line.getLine() << ':' << line.getColumn();
    os << ": ";
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    printLocation(os, fused.getLocations().front());
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    printLocation(os, call.getCallee());
  }
}

static void print(raw_ostream &os, Diagnostic &diagnostic) {
  printLocation(os, diagnostic.getLocation());
  os << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes()) {
    // MLIR appends the op itself to a verifier's error, weights and all.
    std::string text = note.str();
    if (StringRef(text).starts_with("see current operation"))
      continue;
    os << "\n  note: ";
    if (note.getLocation() != diagnostic.getLocation())
      printLocation(os, note.getLocation());
    os << text;
  }
}

Diagnostics::Diagnostics(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
          llvm::raw_string_ostream os(messages.emplace_back());
          print(os, diagnostic);
        }
        return success();
      }) {}

llvm::Error Diagnostics::take(ModelError::Kind kind, StringRef otherwise) {
  if (messages.empty())
    messages.push_back(otherwise.str());
  return llvm::make_error<ModelError>(kind, std::move(messages));
}
