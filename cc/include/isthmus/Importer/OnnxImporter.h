//===- OnnxImporter.h - Reads a model into the onnx dialect ----*- C++ -*-===//
//
// The importer only reads; the conversions define the semantics of ops. The one
// exception is the version: ops of older opsets become their newest version.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_IMPORTER_ONNXIMPORTER_H
#define ISTHMUS_IMPORTER_ONNXIMPORTER_H

#include "isthmus/Importer/Budget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace isthmus {

/// Options of `importOnnxFile` and `importOnnx`.
struct OnnxImportOptions {
  /// Largest tensor, in bytes, that is written into the IR; a larger one
  /// becomes a `dense_resource` over the file.
  int64_t maxInlineBytes = 1024;

  /// The folder of external data, whose paths are relative to it and must stay
  /// inside it. importOnnxFile sets it; without it external data is an error.
  std::string folder;

  /// Limits on the expansion of sparse tensors and nested functions.
  ImportLimits limits;
};

/// Imports the model in the file `path` as `func.func @main_graph`.
///
/// Arguments and results are the graph's inputs and outputs, in order, with
/// their names as `onnx.name` and the names of symbolic dimensions as
/// `onnx.dim_params = "0:batch,1:length"`. An input with an initializer becomes
/// that constant. Every node's location is NameLoc(its name, the file).
///
/// Large initializers stay in the file, which remains mapped as long as the
/// context holds their resources.
///
/// One run reports all errors that it can find to the context's diagnostic
/// engine; the result is then null.
mlir::OwningOpRef<mlir::ModuleOp>
importOnnxFile(llvm::StringRef path, mlir::MLIRContext *context,
               OnnxImportOptions options = {});

/// Imports a serialized model. `buffer` lives as long as its tensors; its
/// identifier is the file name in diagnostics.
mlir::OwningOpRef<mlir::ModuleOp>
importOnnx(std::shared_ptr<llvm::MemoryBuffer> buffer,
           mlir::MLIRContext *context, const OnnxImportOptions &options = {});

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_ONNXIMPORTER_H
