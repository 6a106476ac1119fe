//===- OptimizeModel.cpp - isthmus-opt for models -------------------------===//
//
// MlirOptMain reads a buffer of MLIR. Weights would have to be copied into one,
// so a model goes from its file to the passes by this way instead.
//
//===----------------------------------------------------------------------===//

#include "OptimizeModel.h"
#include "isthmus/Support/Diagnostics.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/ToolOutputFile.h"

#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Importer/OnnxImporter.h"
#endif
#ifdef ISTHMUS_WITH_PT2
#include "isthmus/Importer/Pt2Importer.h"
#endif

using namespace mlir;

using Import = OwningOpRef<ModuleOp> (*)(StringRef path, MLIRContext *context);

/// What imports a file of this name; null for a file that is no model.
static Import findImporter(StringRef path) {
#ifdef ISTHMUS_WITH_ONNX
  if (path.ends_with(".onnx"))
    return [](StringRef path, MLIRContext *context) {
      return isthmus::importOnnxFile(path, context);
    };
#endif
#ifdef ISTHMUS_WITH_PT2
  if (path.ends_with(".pt2"))
    return [](StringRef path, MLIRContext *context) {
      return isthmus::importPt2File(path, context);
    };
#endif
  return nullptr;
}

bool isModel(StringRef path) { return findImporter(path); }

LogicalResult optimizeModel(StringRef input, StringRef output,
                            const DialectRegistry &registry) {
  auto config = MlirOptMainConfig::createFromCLOptions();
  MLIRContext context(registry);
  isthmus::DiagnosticPrinter printer(&context, llvm::errs());
  OwningOpRef<ModuleOp> module = findImporter(input)(input, &context);
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
