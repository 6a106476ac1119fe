//===- FuzzedModel.h - Shared code of fuzz targets for models ---*- C++ -*-===//

#ifndef ISTHMUS_TESTS_IMPORTER_FUZZ_FUZZEDMODEL_H
#define ISTHMUS_TESTS_IMPORTER_FUZZ_FUZZEDMODEL_H

#include "isthmus/Support/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "tests/support/fuzz/SanitizerOptions.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>

using Importer = mlir::OwningOpRef<mlir::ModuleOp> (*)(
    std::shared_ptr<llvm::MemoryBuffer> buffer, mlir::MLIRContext *context);

/// An importer sets this if it may have left its context in a bad state. Then
/// the run ends, and the next run gets another context.
inline bool isContextLost = false;

/// Imports the bytes as a model and passes the module to `convert`, which
/// returns whether it succeeded. Aborts if there is a failure without an error,
/// or an error without a failure.
inline void fuzzModel(
    const uint8_t *data, size_t size, Importer import,
    llvm::function_ref<bool(mlir::ModuleOp)> convert = [](mlir::ModuleOp) {
      return true;
    }) {
  // A context never frees types and attributes, so it is replaced sometimes.
  constexpr int runsPerContext = 2000;
  static std::unique_ptr<mlir::MLIRContext> context;
  static int runs = 0;
  if (runs++ % runsPerContext == 0)
    context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);

  bool hasError = false;
  mlir::ScopedDiagnosticHandler handler(
      context.get(), [&](mlir::Diagnostic &diagnostic) {
        std::string text;
        llvm::raw_string_ostream os(text);
        isthmus::printDiagnostic(diagnostic, os);
        hasError |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
      });
  std::shared_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(
          llvm::StringRef(reinterpret_cast<const char *>(data), size),
          "fuzzed");
  mlir::OwningOpRef<mlir::ModuleOp> module = import(buffer, context.get());
  if (std::exchange(isContextLost, false)) {
    runs = 0;
    return;
  }
  bool succeeded = module && convert(*module);
  if (succeeded == hasError)
    abort();
}

#endif // ISTHMUS_TESTS_IMPORTER_FUZZ_FUZZEDMODEL_H
