//===- OnnxImporter.h - Reads a model into the onnx dialect ----*- C++ -*-===//
//
// Reading only: what ops mean is the business of the conversions. The one
// exception is age: ops of opsets 7 to 28 become their newest version.
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

struct OnnxImportOptions {
  /// Largest tensor, in bytes, that is written into the IR; a larger one
  /// becomes a `dense_resource` over the file.
  int64_t maxInlineBytes = 1024;

  /// The folder that external data is relative to and must not leave. Set by
  /// importOnnxFile; without it external data is an error.
  std::string folder;

  /// What sparse tensors, and functions that call functions, may grow into.
  ImportLimits limits;
};

/// Imports the model in the file `path` as `func.func @main_graph`.
///
/// Arguments and results are the graph's inputs and outputs, in order and with
/// their names as `onnx.name`; the names of symbolic dimensions are kept as
/// `onnx.dim_params = "0:batch,1:length"`. An input that has an initializer is
/// that constant. Every node's location is NameLoc(its name, the file).
///
/// Large initializers stay in the file, which remains mapped for as long as the
/// context holds their resources.
///
/// Errors go to the context's diagnostic engine, all that can be found in one
/// run; the result is then null.
mlir::OwningOpRef<mlir::ModuleOp>
importOnnxFile(llvm::StringRef path, mlir::MLIRContext *context,
               OnnxImportOptions options = {});

/// Imports a serialized model. `buffer` lives for as long as its tensors do;
/// its identifier stands for the file's name in diagnostics.
mlir::OwningOpRef<mlir::ModuleOp>
importOnnx(std::shared_ptr<llvm::MemoryBuffer> buffer,
           mlir::MLIRContext *context, const OnnxImportOptions &options = {});

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_ONNXIMPORTER_H
