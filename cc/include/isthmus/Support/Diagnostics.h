//===- Diagnostics.h - Diagnostics that name a model's nodes ----*- C++ -*-===//
//
// Ops of an imported model have NameLoc(node, file) as their location. MLIR's
// own handlers print the file alone, as "resnet.onnx:0:0"; these print
//
//   resnet.onnx: error: node 'Conv_0': expected …
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_DIAGNOSTICS_H
#define ISTHMUS_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace isthmus {

/// "node 'Conv_0': " if the location is that of a node of a model; else empty.
std::string nodePrefixOf(mlir::Location location);

/// Writes a diagnostic and its notes, a line each.
void printDiagnostic(mlir::Diagnostic &diagnostic, llvm::raw_ostream &os);

/// The same as one finding, without its severity and the last newline:
///   resnet.onnx: node 'Conv_0': expected …
///     note: …
std::string findingOf(mlir::Diagnostic &diagnostic);

/// Prints all diagnostics of `context` to `os` while it lives.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  DiagnosticPrinter(mlir::MLIRContext *context, llvm::raw_ostream &os)
      : ScopedDiagnosticHandler(context, [&os](mlir::Diagnostic &diagnostic) {
          printDiagnostic(diagnostic, os);
        }) {}
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_DIAGNOSTICS_H
