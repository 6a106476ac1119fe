//===- ParsedText.h - Reads programs as isthmus.load does -------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_SUPPORT_FUZZ_PARSEDTEXT_H
#define ISTHMUS_TESTS_SUPPORT_FUZZ_PARSEDTEXT_H

#include "cc/lib/Api/Nesting.h"
#include "cc/lib/Api/Resources.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

namespace isthmus::fuzz {

/// Parses a program. Returns null and reports an error if isthmus.load would
/// refuse the text.
inline mlir::OwningOpRef<mlir::ModuleOp> parseText(llvm::StringRef text,
                                                   mlir::MLIRContext *context,
                                                   bool verifies = true) {
  auto refuse = [&](const std::string &finding) {
    mlir::emitError(mlir::UnknownLoc::get(context)) << finding;
    return nullptr;
  };
  for (const std::string &finding :
       {findDeepNesting(text), findWrongAlignment(text)})
    if (!finding.empty())
      return refuse(finding);
  // MLIR's parser may return a module although it has reported an invalid
  // token.
  bool hasError = false;
  mlir::ScopedDiagnosticHandler handler(
      context, [&](mlir::Diagnostic &diagnostic) {
        hasError |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        return mlir::failure(); // pass the error on to other handlers
      });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(context, verifies));
  // Custom syntax may fail without an error. Model reports the same.
  if (!module && !hasError)
    return refuse("expected MLIR text");
  if (hasError)
    return nullptr;
  if (verifies) // unverified ops may lack attributes
    if (std::string finding = findWrongResource(*module); !finding.empty())
      return refuse(finding);
  return module;
}

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_PARSEDTEXT_H
