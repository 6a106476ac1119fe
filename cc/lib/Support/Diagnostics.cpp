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

/// "resnet.onnx: " or "program.mlir:7:3: ".
static void printFile(Location location, raw_ostream &os) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return;
  os << file.getFilename().getValue();
  // An ONNX model has no lines: its locations contain only the file.
  if (file.getLine())
    os << ':' << file.getLine() << ':' << file.getColumn();
  os << ": ";
}

std::string isthmus::nodePrefixOf(Location location) {
  auto name = location->findInstanceOf<NameLoc>();
  return name ? ("node '" + name.getName().getValue() + "': ").str() : "";
}

/// "node 'Conv_0': expected …"
static void printMessage(Diagnostic &diagnostic, raw_ostream &os) {
  std::string message = diagnostic.str();
  // The importer's own errors already name their subject.
  if (!StringRef(message).starts_with("node '"))
    os << nodePrefixOf(diagnostic.getLocation());
  os << message;
}

/// MLIR appends the op itself to a verifier's error, weights and all.
static bool isWholeOp(Diagnostic &note) {
  return StringRef(note.str()).starts_with("see current operation");
}

void isthmus::printDiagnostic(Diagnostic &diagnostic, raw_ostream &os) {
  printFile(diagnostic.getLocation(), os);
  os << getSeverity(diagnostic.getSeverity()) << ": ";
  printMessage(diagnostic, os);
  os << '\n';
  for (Diagnostic &note : diagnostic.getNotes())
    if (!isWholeOp(note))
      printDiagnostic(note, os);
}

std::string isthmus::findingOf(Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printFile(diagnostic.getLocation(), os);
  printMessage(diagnostic, os);
  for (Diagnostic &note : diagnostic.getNotes()) {
    if (isWholeOp(note))
      continue;
    os << "\n  note: ";
    if (note.getLocation() == diagnostic.getLocation()) {
      os << note.str();
      continue;
    }
    printFile(note.getLocation(), os);
    printMessage(note, os);
  }
  return text;
}
