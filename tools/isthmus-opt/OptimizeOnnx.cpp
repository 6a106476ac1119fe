//===- OptimizeOnnx.cpp - isthmus-opt for .onnx files ---------------------===//
//
// MlirOptMain reads a buffer of MLIR. Weights would have to be copied into one,
// so a model goes from its file to the passes by this way instead.
//
//===----------------------------------------------------------------------===//

#include "OptimizeOnnx.h"
#include "isthmus/Importer/OnnxImporter.h"
#include "isthmus/Support/Diagnostics.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

LogicalResult optimizeOnnx(StringRef input, StringRef output,
                           const DialectRegistry &registry) {
  auto config = MlirOptMainConfig::createFromCLOptions();
  MLIRContext context(registry);
  isthmus::DiagnosticPrinter printer(&context, llvm::errs());
  OwningOpRef<ModuleOp> module = isthmus::importOnnxFile(input, &context);
  if (!module)
    return failure();

  PassManager pm((*module)->getName());
  pm.enableVerifier(config.shouldVerifyPasses());
  if (failed(applyPassManagerCLOptions(pm)) ||
      failed(config.setupPassPipeline(pm)) || failed(pm.run(*module)))
    return failure();

  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &error);
  if (!file)
    return emitError(UnknownLoc::get(&context)) << error;
  if (!config.shouldEmitBytecode()) {
    module->print(file->os());
    file->os() << '\n';
  } else {
    BytecodeWriterConfig bytecode;
    bytecode.setElideResourceDataFlag(
        config.shouldElideResourceDataFromBytecode());
    if (auto version = config.bytecodeVersionToEmit())
      bytecode.setDesiredBytecodeVersion(*version);
    if (failed(writeBytecodeToFile(*module, file->os(), bytecode)))
      return failure();
  }
  file->keep();
  return success();
}
