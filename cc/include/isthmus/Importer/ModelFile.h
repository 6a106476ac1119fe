//===- ModelFile.h - A model's file and the errors in it --------*- C++ -*-===//
//
// What every importer needs, whatever the format.
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

/// One import: its file, its errors and what it may grow into.
class ModelFile {
public:
  ModelFile(mlir::MLIRContext *context,
            std::shared_ptr<llvm::MemoryBuffer> buffer,
            const ImportLimits &limits);

  /// An error of the file.
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

/// What is wrong with `op` by itself, without its name in front.
llvm::SmallVector<std::string> objectionsTo(mlir::Operation *op);

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_MODELFILE_H
