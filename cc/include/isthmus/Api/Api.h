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

#include "isthmus/Pipelines/Target.h"
#include "isthmus/Runtime/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
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

struct LowerOptions : TargetPipelineOptions {
  Target target = Target::Torch;
  /// Sizes by input name: the input of an ONNX graph or of an exported program
  /// becomes static. For targets, and uses, that need it. Another program has
  /// no names for inputs: an error.
  llvm::StringMap<llvm::SmallVector<int64_t>> specialize;
};

/// A constant that was made a parameter of the entry point.
struct Weight {
  std::string name;
  mlir::RankedTensorType type;
  /// Row-major elements, alive as long as the model or a clone of it.
  llvm::ArrayRef<char> data;
};

/// A program in one of the dialects that Isthmus knows, with the context it
/// lives in. A model and its clones share the context: one thread at a time may
/// use any of them. Executables run on as many as they like.
class Model {
public:
  /// Reads an ONNX model. The file stays mapped while the model lives: weights
  /// are read where they lie.
  static llvm::Expected<Model> importOnnxFile(llvm::StringRef path);
  /// The same from memory; messages call it by the buffer's identifier.
  static llvm::Expected<Model>
  importOnnx(std::shared_ptr<llvm::MemoryBuffer> buffer);

  /// Reads a program that torch.export.save wrote, in the same two ways.
  static llvm::Expected<Model> importPt2File(llvm::StringRef path);
  static llvm::Expected<Model>
  importPt2(std::shared_ptr<llvm::MemoryBuffer> buffer);

  /// Reads what it would have written, as buffers that are called by their
  /// paths in the archive. Weights are read where they lie.
  static llvm::Expected<Model>
  importPt2Records(std::vector<std::unique_ptr<llvm::MemoryBuffer>> records);

  /// Reads one or the other, by how the bytes begin.
  static llvm::Expected<Model> importFile(llvm::StringRef path);
  static llvm::Expected<Model>
  importBuffer(std::shared_ptr<llvm::MemoryBuffer> buffer);

  /// Reads MLIR text or bytecode.
  static llvm::Expected<Model> parseFile(llvm::StringRef path);
  static llvm::Expected<Model> parse(llvm::MemoryBufferRef buffer);

  llvm::Error write(llvm::raw_ostream &os, Format format) const;
  /// Writes all of the file or leaves what was there as it was.
  llvm::Error save(llvm::StringRef path, Format format) const;

  /// Compiles for this machine. The model must outlive the executable.
  llvm::Expected<std::unique_ptr<Executable>>
  compile(const JitOptions &options) const;

  /// Lowers an ONNX graph or a torch program to a target, in place. After an
  /// error the program is valid, but somewhere in between.
  llvm::Error lower(const LowerOptions &options);

  /// How often each op is carried as a custom op, by its full name.
  llvm::StringMap<unsigned> customOps() const;

  /// Turns constants of `minBytes` or more, but for splats and bools, into
  /// parameters of @main, after its own. The weights are in the same order.
  llvm::Expected<std::vector<Weight>> hoistWeights(int64_t minBytes = 0);

  /// A copy that shares the weights.
  Model clone() const;

  mlir::ModuleOp module() const { return *root; }

private:
  Model();
  static llvm::Expected<Model>
  parse(std::unique_ptr<llvm::MemoryBuffer> buffer);

  std::shared_ptr<mlir::MLIRContext> context; // of clones as well
  mlir::OwningOpRef<mlir::ModuleOp> root;
  /// The exported program that `root` is, if it is one and as it was imported.
  std::shared_ptr<llvm::MemoryBuffer> program;
};

} // namespace isthmus

#endif // ISTHMUS_API_API_H
