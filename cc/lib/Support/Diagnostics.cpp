//===- Diagnostics.cpp - Diagnostics that name a model's nodes ------------===//

#include "isthmus/Support/Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

using namespace mlir;
using namespace isthmus;

static StringRef getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("all severities are handled");
}

void isthmus::printDiagnostic(Diagnostic &diagnostic, raw_ostream &os) {
  Location loc = diagnostic.getLocation();
  if (auto file = loc->findInstanceOf<FileLineColLoc>()) {
    os << file.getFilename().getValue();
    if (file.getLine())
      os << ':' << file.getLine() << ':' << file.getColumn();
    os << ": ";
  }
  os << getSeverity(diagnostic.getSeverity()) << ": ";
  std::string message = diagnostic.str();
  // The importer's own errors say what they are about.
  auto name = loc->findInstanceOf<NameLoc>();
  if (name && !StringRef(message).starts_with("node '"))
    os << "node '" << name.getName().getValue() << "': ";
  os << message << '\n';
  for (Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note, os);
}
