//===- OptimizeModel.cpp - isthmus-opt for models -------------------------===//
//
// MlirOptMain reads a buffer of MLIR. Weights would have to be copied into one,
// so a model goes from its file to the passes by this way instead.
//
//===----------------------------------------------------------------------===//

#include "OptimizeModel.h"
#include "isthmus/Support/Diagnostics.h"
#include "isthmus/Support/Parts.h"
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

/// Files of a suffix, and what imports them: null where the build leaves out
/// the part.
struct ModelFormat {
  StringRef suffix, part;
  OwningOpRef<ModuleOp> (*import)(StringRef path, MLIRContext *context);
};

static const ModelFormat formats[] = {
    {".onnx", "onnx",
#ifdef ISTHMUS_WITH_ONNX
     [](StringRef path, MLIRContext *context) {
       return isthmus::importOnnxFile(path, context);
     }
#else
     nullptr
#endif
    },
    {".pt2", "pt2",
#ifdef ISTHMUS_WITH_PT2
     [](StringRef path, MLIRContext *context) {
       return isthmus::importPt2File(path, context);
     }
#else
     nullptr
#endif
    },
};

static const ModelFormat *findFormat(StringRef path) {
  return llvm::find_if(formats, [&](const ModelFormat &format) {
    return path.ends_with(format.suffix);
  });
}

bool isModel(StringRef path) { return findFormat(path) != std::end(formats); }

LogicalResult optimizeModel(StringRef input, StringRef output,
                            const DialectRegistry &registry) {
  auto config = MlirOptMainConfig::createFromCLOptions();
  MLIRContext context(registry);
  isthmus::DiagnosticPrinter printer(&context, llvm::errs());
  const ModelFormat *format = findFormat(input);
  if (!format->import)
    return emitError(UnknownLoc::get(&context))
           << isthmus::missingPart(format->part);
  OwningOpRef<ModuleOp> module = format->import(input, &context);
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
