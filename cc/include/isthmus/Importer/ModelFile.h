//===- ModelFile.h - A model's file and the errors in it --------*- C++ -*-===//
//
// Shared by the importers of all formats.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_IMPORTER_MODELFILE_H
#define ISTHMUS_IMPORTER_MODELFILE_H

#include "isthmus/Importer/Budget.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace isthmus {

/// One import: its file, its errors and its budget.
class ModelFile {
public:
  ModelFile(mlir::MLIRContext *context,
            std::shared_ptr<llvm::MemoryBuffer> buffer,
            const ImportLimits &limits);

  /// Reports an error of the file.
  mlir::InFlightDiagnostic error();
  bool failed() const { return hasErrors; }

  mlir::MLIRContext *const context;
  const std::shared_ptr<llvm::MemoryBuffer> buffer;
  const mlir::Location location;
  Budget budget;

private:
  bool hasErrors = false;
};

/// Maps the file at `path`; null after an error that expected `what`.
std::shared_ptr<llvm::MemoryBuffer> mapModelFile(llvm::StringRef path,
                                                 llvm::StringRef what,
                                                 mlir::MLIRContext *context);

/// The verifier's errors about `op` alone, without the op name as prefix.
llvm::SmallVector<std::string> objectionsTo(mlir::Operation *op);

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_MODELFILE_H
