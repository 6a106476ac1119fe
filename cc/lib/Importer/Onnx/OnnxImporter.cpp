//===- OnnxImporter.cpp - Reads an ONNX model into the onnx dialect -------===//

#include "isthmus/Importer/OnnxImporter.h"
#include "Graph.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Support/LoadDialects.h"
#include "isthmus/Support/VerifyProgram.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace isthmus;

/// The newest IR version whose fields are known.
static constexpr int64_t newestIrVersion = 14;

OwningOpRef<ModuleOp>
isthmus::importOnnx(std::shared_ptr<llvm::MemoryBuffer> buffer,
                    MLIRContext *context, const OnnxImportOptions &options) {
  onnx::Import import(context, options, buffer);
  if (failed(loadDialects<onnx::OnnxDialect, func::FuncDialect>(
          context, import.location)))
    return nullptr;
  onnx::wire::File file = {buffer->getBuffer(), {}};
  std::optional<onnx::proto::Model> model = onnx::proto::readModel(file);
  if (!model) {
    import.error() << file.error;
    return nullptr;
  }
  if (model->irVersion > newestIrVersion) {
    import.error() << "expected ONNX IR version " << newestIrVersion
                   << " or older, got " << model->irVersion;
    return nullptr;
  }

  OwningOpRef<ModuleOp> module = ModuleOp::create(import.location);
  onnx::GraphImporter(import, *model).importModel(*module);
  if (import.failed() || failed(verifyProgram(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> isthmus::importOnnxFile(StringRef path,
                                              MLIRContext *context,
                                              OnnxImportOptions options) {
  auto file = mapModelFile(path, "an ONNX model", context);
  if (!file)
    return nullptr;
  if (options.folder.empty()) {
    StringRef folder = llvm::sys::path::parent_path(path);
    options.folder = folder.empty() ? "." : folder.str();
  }
  return importOnnx(std::move(file), context, options);
}
