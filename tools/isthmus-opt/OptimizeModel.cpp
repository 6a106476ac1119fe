//===- OptimizeModel.cpp - isthmus-opt for models -------------------------===//
//
// MlirOptMain reads a buffer of MLIR, and weights would have to be copied into
// it. So this code takes models from their files to the passes.
//
//===----------------------------------------------------------------------===//

#include "OptimizeModel.h"
#include "isthmus/Importer/FrontEnd.h"
#include "isthmus/Importer/ModelFile.h"
#include "isthmus/Support/Diagnostics.h"
#include "isthmus/Support/Parts.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

bool isModel(StringRef path) { return isthmus::findFormatOfFile(path); }

/// Imports the model of a file. The name of the file determines the format.
static OwningOpRef<ModuleOp> importModel(StringRef path, MLIRContext *context) {
  const isthmus::ModelFormat &format = *isthmus::findFormatOfFile(path);
  const isthmus::FrontEnd *frontEnd = isthmus::findFrontEnd(format);
  if (!frontEnd) {
    emitError(UnknownLoc::get(context)) << isthmus::missingPart(format.name);
    return {};
  }
  auto source = isthmus::ModelSource::ofFile(
      isthmus::mapModelFile(path, format.noun, context), path);
  return source.buffer ? frontEnd->import(source, context, {})
                       : OwningOpRef<ModuleOp>();
}

LogicalResult optimizeModel(StringRef input, StringRef output,
                            const DialectRegistry &registry) {
  auto config = MlirOptMainConfig::createFromCLOptions();
  MLIRContext context(registry);
  isthmus::DiagnosticPrinter printer(&context, llvm::errs());
  OwningOpRef<ModuleOp> module = importModel(input, &context);
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
