//===- WeightFile.cpp - The files that locate weights ---------------------===//

#include "WeightFile.h"
#include "Diagnostics.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Conversion/ProgramForm.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace isthmus;
using Kind = ModelError::Kind;

static std::string withExtension(StringRef path, StringRef extension) {
  // Leading dots of a name do not begin an extension.
  StringRef stem = llvm::sys::path::stem(path);
  if (stem.find_first_not_of('.') == StringRef::npos)
    return (path + "." + extension).str();
  SmallString<128> changed(path);
  llvm::sys::path::replace_extension(changed, extension);
  return std::string(changed);
}

std::string isthmus::manifestOf(StringRef path) {
  return withExtension(path, "weights.json");
}

std::string isthmus::safetensorsOf(StringRef path) {
  return withExtension(path, "safetensors");
}

std::string isthmus::irpaOf(StringRef path) {
  return withExtension(path, "irpa");
}

std::string isthmus::findWeightFile(StringRef path) {
  // A dangling link exists, and is an error for its reader.
  llvm::sys::fs::file_status status;
  for (std::string file : {manifestOf(path), safetensorsOf(path)})
    if (!llvm::sys::fs::status(file, status, /*follow=*/false))
      return file;
  return "";
}

llvm::Expected<Model> Model::withWeights() const {
  Model whole = clone();
  Diagnostics diagnostics(context.get());
  PassManager manager(context.get());
  manager.addPass(createMlProgramToFunc());
  if (!weightFile.empty())
    manager.addPass(createArgumentsToGlobals());
  if (mlir::failed(manager.run(whole.module())))
    return diagnostics.take(Kind::BadModel, "expected a valid program");
  bool hasWeights = llvm::any_of(whole.module().getOps<ml_program::GlobalOp>(),
                                 isExternConstant);
  if (weightFile.empty() || !hasWeights)
    return whole;
  auto files = WeightFiles::open(weightFile);
  if (!files) {
    std::vector<std::string> messages;
    Kind kind = Kind::BadModel;
    llvm::handleAllErrors(
        files.takeError(), [&](const llvm::ErrorInfoBase &error) {
          messages.push_back(error.message());
          if (error.convertToErrorCode() != llvm::inconvertibleErrorCode())
            kind = Kind::System;
        });
    return llvm::make_error<ModelError>(kind, std::move(messages));
  }
  if (mlir::failed(inlineGlobals(whole.module(), std::move(*files))))
    return diagnostics.take(Kind::BadModel, "expected all weights in files");
  return whole;
}
