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

/// Null, and an error, if the text is no program that would be read.
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
  // MLIR's parser may give a module though it has reported a token that is
  // none.
  bool hasError = false;
  mlir::ScopedDiagnosticHandler handler(
      context, [&](mlir::Diagnostic &diagnostic) {
        hasError |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        return mlir::failure(); // for others to see
      });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(context, verifies));
  if (!module && !hasError) // as custom syntax may be parsed; Model says so too
    return refuse("expected MLIR text");
  if (hasError)
    return nullptr;
  if (verifies) // before, an op may lack its attributes
    if (std::string finding = findWrongResource(*module); !finding.empty())
      return refuse(finding);
  return module;
}

} // namespace isthmus::fuzz

#endif // ISTHMUS_TESTS_SUPPORT_FUZZ_PARSEDTEXT_H
