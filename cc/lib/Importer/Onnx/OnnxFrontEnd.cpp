//===- OnnxFrontEnd.cpp - ONNX as a format of models ----------------------===//

#include "isthmus/Importer/FrontEnd.h"
#include "isthmus/Importer/OnnxImporter.h"

using namespace mlir;
using namespace isthmus;

namespace {

struct OnnxFrontEnd final : FrontEnd {
  OnnxFrontEnd() : FrontEnd(kOnnxFormat) {}

  OwningOpRef<ModuleOp> import(const ModelSource &source, MLIRContext *context,
                               const InputSizes &) const override {
    OnnxImportOptions options;
    options.folder = source.folder;
    return importOnnx(source.buffer, context, options);
  }
};

RegisterFrontEnd<OnnxFrontEnd> registered;

} // namespace
