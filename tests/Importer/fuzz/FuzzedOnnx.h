//===- FuzzedOnnx.h - An ONNX importer with small limits --------*- C++ -*-===//

#ifndef ISTHMUS_TESTS_IMPORTER_FUZZ_FUZZEDONNX_H
#define ISTHMUS_TESTS_IMPORTER_FUZZ_FUZZEDONNX_H

#include "FuzzedModel.h"
#include "isthmus/Importer/OnnxImporter.h"

inline mlir::OwningOpRef<mlir::ModuleOp>
importFuzzedOnnx(std::shared_ptr<llvm::MemoryBuffer> buffer,
                 mlir::MLIRContext *context) {
  isthmus::OnnxImportOptions options;
  options.limits = {/*nodes=*/1000, /*bytes=*/1 << 16};
  return isthmus::importOnnx(std::move(buffer), context, options);
}

#endif // ISTHMUS_TESTS_IMPORTER_FUZZ_FUZZEDONNX_H
