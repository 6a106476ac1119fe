//===- Model.h - A program that Python holds ------------------------------===//
//
//   auto model = isthmus::Model::parseFile("model.mlir");
//   if (!model)
//     return model.takeError();
//   if (llvm::Error error = model->save("model.mlirbc", Format::Bytecode))
//     return error;
//
// Every error is a ModelError that holds all that went wrong, one message per
// finding: "model.onnx: node 'Conv_0': expected …, got …".
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_MODEL_H
#define ISTHMUS_PYTHON_NATIVE_MODEL_H

#include "isthmus/Runtime/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace isthmus {

/// What went wrong, for someone who did not write the compiler.
class ModelError : public llvm::ErrorInfo<ModelError> {
public:
  enum class Kind {
    /// The file or buffer is not what it should be.
    BadModel,
    /// A well-formed model that this version cannot carry to where it should
    /// go.
    Unsupported,
    /// The build leaves out what was asked for.
    MissingPart,
    /// The system refused: a file that is not there, a full disk.
    System,
  };

  ModelError(Kind kind, std::vector<std::string> messages)
      : kind(kind), messages(std::move(messages)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  const Kind kind;
  const std::vector<std::string> messages;

  static char ID;
};

enum class Format { Text, Bytecode };

/// A program in one of the dialects that Isthmus knows, with the context it
/// lives in. Not for use by two threads at once.
class Model {
public:
  /// Reads MLIR text or bytecode.
  static llvm::Expected<Model> parseFile(llvm::StringRef path);
  static llvm::Expected<Model> parse(llvm::MemoryBufferRef buffer);

  llvm::Error write(llvm::raw_ostream &os, Format format) const;
  /// Writes all of the file or leaves what was there as it was.
  llvm::Error save(llvm::StringRef path, Format format) const;

  /// Compiles for this machine. The model must outlive the executable.
  llvm::Expected<std::unique_ptr<Executable>>
  compile(const JitOptions &options) const;

  mlir::ModuleOp module() const { return *root; }

private:
  Model();

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> root;
};

} // namespace isthmus

#endif // ISTHMUS_PYTHON_NATIVE_MODEL_H
