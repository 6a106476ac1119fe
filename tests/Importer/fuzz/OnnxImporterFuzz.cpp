//===- OnnxImporterFuzz.cpp - The importer against any bytes --------------===//
//
//   python3 tests/Importer/fuzz/seeds.py CORPUS
//   bazel run --config=fuzz //tests/Importer/fuzz:OnnxImporterFuzz -- CORPUS
//
// Whatever the bytes, the importer returns a module that verifies, or an error.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Importer/OnnxImporter.h"
#include "isthmus/Support/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include <cstdlib>

using namespace mlir;

/// A context keeps what it has seen; a fresh one now and then frees it.
static constexpr int runsPerContext = 2000;

// libMLIR is not instrumented. Containers and arenas that cross into it would
// look poisoned to the code here, which is.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "detect_odr_violation=0:allocator_may_return_null=1";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<MLIRContext> context;
  static int runs = 0;
  if (runs++ % runsPerContext == 0)
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);

  bool hasError = false;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    std::string text;
    llvm::raw_string_ostream os(text);
    isthmus::printDiagnostic(diagnostic, os);
    hasError = true;
  });
  isthmus::OnnxImportOptions options;
  options.maxSparseBytes = 1 << 16;
  options.maxNodes = 1000;
  std::shared_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(
          llvm::StringRef(reinterpret_cast<const char *>(data), size),
          "fuzz.onnx");
  OwningOpRef<ModuleOp> module =
      isthmus::importOnnx(buffer, context.get(), options);
  // Failure and its reason come together.
  if (bool(module) == hasError)
    abort();
  return 0;
}
