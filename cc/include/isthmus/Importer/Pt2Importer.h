//===- Pt2Importer.h - Reads exported programs of PyTorch -------*- C++ -*-===//
//
// What torch.export.save writes: a zip of a graph in JSON and weights as raw
// bytes. Nothing in it is unpickled, and PyTorch is not needed.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_IMPORTER_PT2IMPORTER_H
#define ISTHMUS_IMPORTER_PT2IMPORTER_H

#include "isthmus/Importer/Budget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace isthmus {

struct Pt2ImportOptions {
  /// Largest tensor, in bytes, that is written into the IR; a larger one
  /// becomes a `dense_resource` over the file.
  int64_t maxInlineBytes = 1024;

  /// What weights whose strides repeat what is stored, and graphs within
  /// graphs, may grow into.
  ImportLimits limits;

  /// The program to read from a file that holds several.
  std::string model;

  /// Sizes by input name, for inputs with symbolic ones: these, and all sizes
  /// that follow from them, become static.
  llvm::StringMap<llvm::SmallVector<int64_t>> specialize;
};

/// True if the bytes begin like a zip, as every exported program does.
inline bool isPt2(llvm::StringRef bytes) {
  return bytes.starts_with("PK\x03\x04");
}

/// Imports the program in the file `path` as `func.func @main` in the torch
/// backend contract. Ops that the dialect has no class for are
/// `torch.operator`.
///
/// Arguments are the leaves of the program's inputs, in the order of PyTorch's
/// pytree of (args, kwargs), without those that were constant when it was
/// exported. Results are the leaves of its output without None and constants;
/// after them come the final values of the buffers and inputs that the program
/// mutates. Scalars are tensors of rank 0. Attributes say the rest:
///
///   arguments, results  isthmus.name = "x"
///                       isthmus.dim_params = "0:s0,1:2*s0+1"
///   mutations           isthmus.mutates = "the buffer or input"
///   literals            isthmus.buffer = "the buffer", of one that is mutated
///   function            torch.in_spec, torch.out_spec = the pytrees as JSON
///                       torch.inputs, torch.outputs = one entry per leaf: the
///                         number of an argument or result, or {value = …}
///                       torch.ranges = {s0 = [2, 64]}
///
/// Parameters, buffers and constants are literals. Large ones stay in the file,
/// which remains mapped for as long as the context holds their resources.
///
/// Every node's location is NameLoc(its name, the file). Errors go to the
/// context's diagnostic engine, all that can be found in one run; the result is
/// then null.
mlir::OwningOpRef<mlir::ModuleOp>
importPt2File(llvm::StringRef path, mlir::MLIRContext *context,
              const Pt2ImportOptions &options = {});

/// Imports an archive in memory. `buffer` lives for as long as its tensors do;
/// its identifier stands for the file's name in diagnostics.
mlir::OwningOpRef<mlir::ModuleOp>
importPt2(std::shared_ptr<llvm::MemoryBuffer> buffer,
          mlir::MLIRContext *context, const Pt2ImportOptions &options = {});

/// Imports the records of an archive that was never written, each a buffer that
/// is called by its path: "models/model.json". They live for as long as their
/// tensors do; `name` stands for the file's in diagnostics.
mlir::OwningOpRef<mlir::ModuleOp>
importPt2Records(std::vector<std::unique_ptr<llvm::MemoryBuffer>> records,
                 llvm::StringRef name, mlir::MLIRContext *context,
                 const Pt2ImportOptions &options = {});

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_PT2IMPORTER_H
