//===- FuzzedModel.h - What all fuzz targets do with bytes ------*- C++ -*-===//

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

/// Set by an importer that left its context in whatever state: the run ends,
/// and the next one has another.
inline bool isContextLost = false;

/// Imports the bytes as a model and hands the module to `convert`, which says
/// whether it succeeded. Stops the process unless failure and its reason come
/// together.
inline void fuzzModel(
    const uint8_t *data, size_t size, Importer import,
    llvm::function_ref<bool(mlir::ModuleOp)> convert = [](mlir::ModuleOp) {
      return true;
    }) {
  // A context keeps what it has seen; a fresh one now and then frees it.
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
