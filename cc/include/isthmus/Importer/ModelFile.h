//===- ModelFile.h - A model's file and the errors in it --------*- C++ -*-===//
//
// What every importer needs, whatever the format.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_IMPORTER_MODELFILE_H
#define ISTHMUS_IMPORTER_MODELFILE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace isthmus {

/// One import: its file and its errors.
class ModelFile {
public:
  ModelFile(mlir::MLIRContext *context,
            std::shared_ptr<llvm::MemoryBuffer> buffer);

  /// An error of the file.
  mlir::InFlightDiagnostic error();
  bool failed() const { return hasErrors; }

  mlir::MLIRContext *const context;
  const std::shared_ptr<llvm::MemoryBuffer> buffer;
  const mlir::Location location;

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
