//===- Pt2Importer.h - Imports exported PyTorch programs --------*- C++ -*-===//
//
// torch.export.save writes a zip file with a graph in JSON and weights as raw
// bytes. The importer unpickles nothing and does not need PyTorch.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_IMPORTER_PT2IMPORTER_H
#define ISTHMUS_IMPORTER_PT2IMPORTER_H

#include "isthmus/Importer/Budget.h"
#include "isthmus/Importer/FrontEnd.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>

namespace isthmus {

/// Options of `importPt2File`, `importPt2` and `importPt2Records`.
struct Pt2ImportOptions {
  /// Largest tensor, in bytes, that is written into the IR; a larger one
  /// becomes a `dense_resource` over the file.
  int64_t maxInlineBytes = 1024;

  /// Limits on the expansion of nested graphs and of weights whose strides
  /// repeat stored elements.
  ImportLimits limits;

  /// The program to read from a file with several.
  std::string model;

  /// Sizes by input name, for inputs with symbolic sizes. These sizes, and all
  /// that follow from them, become static.
  InputSizes specialize;
};

/// Imports the program in the file `path` as `func.func @main` in the torch
/// backend contract. Ops without a class in the dialect are `torch.operator`.
///
/// Arguments are the leaves of the program's inputs, in the order of PyTorch's
/// pytree of (args, kwargs), without those that were constant at export.
/// Results are the leaves of its output without None and constants, followed by
/// the final values of the buffers and inputs that the program mutates. Scalars
/// are tensors of rank 0. Attributes record the rest:
///
///   arguments, results  isthmus.name = "x"
///                       isthmus.dim_params = "0:s0,1:2*s0+1"
///   mutations           isthmus.mutates = "the buffer or input"
///   literals            isthmus.buffer = "the buffer", if it is mutated
///   function            torch.in_spec, torch.out_spec = the pytrees as JSON
///                       torch.inputs, torch.outputs = one entry per leaf: the
///                         number of an argument or result, or {value = …}
///                       torch.ranges = {s0 = [3, 64]}
///                       torch.guards = ["s0 > s1", "(s0 % 2) == 0"]
///
/// Parameters, buffers and constants are literals. Large ones stay in the file,
/// which remains mapped as long as the context holds their resources.
///
/// Every node's location is NameLoc(its name, the file). One run reports all
/// errors that it can find to the context's diagnostic engine; the result is
/// then null.
mlir::OwningOpRef<mlir::ModuleOp>
importPt2File(llvm::StringRef path, mlir::MLIRContext *context,
              const Pt2ImportOptions &options = {});

/// Imports an archive in memory. `buffer` lives as long as its tensors; its
/// identifier is the file name in diagnostics.
mlir::OwningOpRef<mlir::ModuleOp>
importPt2(std::shared_ptr<llvm::MemoryBuffer> buffer,
          mlir::MLIRContext *context, const Pt2ImportOptions &options = {});

/// Imports the records of an archive in memory, which live as long as their
/// tensors.
mlir::OwningOpRef<mlir::ModuleOp>
importPt2Records(std::shared_ptr<ModelRecords> records,
                 mlir::MLIRContext *context,
                 const Pt2ImportOptions &options = {});

/// Other names of operators that the importer knows, with the names that the
/// dialect has: "aten.multiply.Tensor" with "aten.mul.Tensor".
std::map<std::string, std::string> operatorAliases();

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_PT2IMPORTER_H
