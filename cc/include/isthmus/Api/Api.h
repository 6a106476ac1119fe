//===- Api.h - Isthmus as a library -----------------------------*- C++ -*-===//
//
//   auto model = isthmus::Model::importOnnxFile("model.onnx");
//   if (!model)
//     return model.takeError();
//   if (llvm::Error error = model->save("model.mlir", Format::Text))
//     return error;
//
// Every error is a ModelError that holds all that went wrong, one message per
// finding: "model.onnx: node 'Conv_0': expected …, got …".
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_API_API_H
#define ISTHMUS_API_API_H

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
  /// Reads an ONNX model. The file stays mapped while the model lives: weights
  /// are read where they lie.
  static llvm::Expected<Model> importOnnxFile(llvm::StringRef path);
  /// The same from memory; messages call it by the buffer's identifier.
  static llvm::Expected<Model>
  importOnnx(std::shared_ptr<llvm::MemoryBuffer> buffer);

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

#endif // ISTHMUS_API_API_H
