//===- Api.h - Isthmus as a library -----------------------------*- C++ -*-===//
//
//   auto model = isthmus::Model::importOnnxFile("model.onnx");
//   if (!model)
//     return model.takeError();
//   isthmus::LowerOptions options;
//   options.target = isthmus::Target::Tosa;
//   if (llvm::Error error = model->lower(options))
//     return error;
//   auto saved = model->save("model.mlir", {Format::Text});
//   if (!saved)
//     return saved.takeError();
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
#include <functional>
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

/// Where a saved program has its weights.
enum class WeightForm {
  /// What suits the program and its size. XLA takes no resources, and few
  /// constants: those of MHLO and StableHLO are inline up to 1 MiB, else
  /// arguments. Others have resources, which are read where they lie, unless
  /// text would have more than 1 GiB of them: extern globals. In place and
  /// checksums take files beside. Beside a pipe or a device nothing can lie.
  Auto,
  /// Constants in the program.
  Inline,
  /// Resources of the program's file.
  Resource,
  /// Last parameters of the public functions, by the name in `isthmus.weight`;
  /// their values are in files beside.
  Argument,
  /// Extern `ml_program.global`s, with their values in files beside.
  External,
  /// Globals and parameters of IREE, in text, with their values in an archive
  /// beside: iree-run-module takes --parameters=model=m.irpa.
  Iree,
  /// Nowhere: constants have types and no elements, for who looks at the graph.
  None,
};

struct SaveOptions {
  Format format = Format::Bytecode;
  WeightForm weights = WeightForm::Auto;
  /// Leave weights in the files that they lie in, where these are inside of the
  /// program's folder. Others go to a safetensors file.
  bool inPlace = false;
  /// Let the manifest have a checksum of every weight.
  bool checksums = false;
  /// The smallest constant, in bytes, that goes to a file.
  int64_t minWeightBytes = 1024;
  /// Told now and then how many bytes of a file are written, and how many there
  /// will be; 0 of the program's own file, for which that is not known. Returns
  /// whether to go on; what was there before stays otherwise.
  std::function<bool(uint64_t written, uint64_t total)> progress;
};

/// Where a program that was saved has its weights.
struct SavedWeights {
  /// As asked for, or what was chosen for Auto.
  WeightForm form = WeightForm::Auto;
  /// Paths of the files beside the program: what says where weights are, and
  /// what has them. Empty where there is none.
  std::string manifest, file;
  /// How many weights are beside the program, how many of them are in `file`,
  /// and the bytes of those.
  uint64_t count = 0, written = 0, writtenBytes = 0;
};

struct LowerOptions : TargetPipelineOptions {
  Target target = Target::Torch;
  /// Sizes by input name: the input of an ONNX graph or of the file of an
  /// exported program becomes static. For targets, and uses, that need it.
  /// Another program has no names for inputs: an error.
  llvm::StringMap<llvm::SmallVector<int64_t>> specialize;
};

/// An input of a model that has sizes known only at run time.
struct OpenInput {
  std::string name;
  /// "32", "batch", or "?" where the file has no name for a size.
  std::vector<std::string> sizes;
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

  /// With `elide`, without the elements of large constants.
  llvm::Error write(llvm::raw_ostream &os, Format format,
                    bool elide = false) const;
  /// Writes all of the file, and of those beside it, or leaves what was there
  /// as it was. For "m.mlirbc", weights that are not in it go to
  /// "m.safetensors", and "m.weights.json" says where they are.
  llvm::Expected<SavedWeights> save(llvm::StringRef path,
                                    const SaveOptions &options) const;

  /// Compiles for this machine. The model must outlive the executable. Weights
  /// that a program of parseFile has in files are mapped, and checked.
  llvm::Expected<std::unique_ptr<Executable>>
  compile(const JitOptions &options) const;

  /// Lowers an ONNX graph or a torch program to a target, in place. After an
  /// error the program is valid, but somewhere in between.
  llvm::Error lower(const LowerOptions &options);

  /// The inputs that LowerOptions::specialize can make static.
  std::vector<OpenInput> openInputs() const;

  /// Puts torch ops back in the place of the custom ops that a lowered program
  /// carries, so that it can be lowered once more.
  llvm::Error raiseCustomOps();

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
  llvm::Error print(llvm::raw_ostream &os, bool elide) const;
  /// A clone of func.func alone, whose weights have values.
  llvm::Expected<Model> withWeights() const;
  /// What `isKept` is read as long as the model lives: resources of bytecode
  /// stay in it.
  static llvm::Expected<Model> parse(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                     bool isKept);

  /// The form that `options.weights` is, or what Auto is for this program, with
  /// or without a file that others can lie beside.
  WeightForm weightFormFor(const SaveOptions &options, bool isFile) const;

  std::shared_ptr<mlir::MLIRContext> context; // of clones as well
  mlir::OwningOpRef<mlir::ModuleOp> root;
  /// The exported program that `root` is, if it is one and as it was imported.
  std::shared_ptr<llvm::MemoryBuffer> program;
  /// What says where the weights of a parsed file are; empty if nothing does.
  std::string weightFile;
};

/// Writes a file as `Model::save` does, whole or not at all: `write` has its
/// descriptor. What is there and no file, such as a pipe, is written to.
llvm::Error writeFile(llvm::StringRef path,
                      llvm::function_ref<llvm::Error(int file)> write);

} // namespace isthmus

#endif // ISTHMUS_API_API_H
