//===- RaiseCustomOpsFuzz.cpp - Programs with custom ops of any text ------===//
//
//   bazel build //tools/isthmus-opt
//   python3 -m tests.CustomOps.fuzz.seeds CORPUS
//   bazel run --config=fuzz //tests/CustomOps/fuzz:RaiseCustomOpsFuzz --
//   CORPUS/programs -dict=tests/CustomOps/fuzz/words.dict
//
// Whatever the text, --raise-custom-ops gives a module that verifies, or there
// is an error.
//
//===----------------------------------------------------------------------===//

#include "RaisedProgram.h"
#include "mlir/Parser/Parser.h"

/// MLIR's parser may give a module though it has reported a token that is none.
static mlir::OwningOpRef<mlir::ModuleOp>
parse(std::shared_ptr<llvm::MemoryBuffer> buffer, mlir::MLIRContext *context) {
  loadDialects(context);
  bool hasError = false;
  mlir::ScopedDiagnosticHandler handler(
      context, [&](mlir::Diagnostic &diagnostic) {
        hasError |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        return mlir::failure(); // for others to see
      });
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(buffer->getBuffer(), context);
  if (hasError)
    return nullptr;
  return module;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, parse, raise);
  return 0;
}
