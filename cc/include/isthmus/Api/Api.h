//===- Api.h - Isthmus as a library -----------------------------*- C++ -*-===//
//
//   auto model = isthmus::Model::open("model.onnx");
//   if (!model)
//     return model.takeError();
//   isthmus::LowerOptions options;
//   options.target = "tosa";
//   if (llvm::Error error = model->lower(options))
//     return error;
//   auto saved = model->save("model.mlir", {Format::Text});
//   if (!saved)
//     return saved.takeError();
//
// Every error is a ModelError with all findings, one message each:
// "model.onnx: node 'Conv_0': expected …, got …".
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_API_API_H
#define ISTHMUS_API_API_H

#include "isthmus/Conversion/Target.h"
#include "isthmus/Importer/FrontEnd.h"
#include "isthmus/Runtime/Jit.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace isthmus {

/// An error for users of the compiler.
class ModelError : public llvm::ErrorInfo<ModelError> {
public:
  enum class Kind {
    /// The file or buffer is invalid.
    BadModel,
    /// A well-formed model that this version cannot lower to the target.
    Unsupported,
    /// The build omits the requested part.
    MissingPart,
    /// The system refused: a missing file, a full disk.
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

/// How a program is written: MLIR text, with the ops' own syntax or in MLIR's
/// generic form, bytecode, or the files of a target, as Target::getFileFormat
/// describes them.
enum class Format { Text, GenericText, Bytecode, TargetFile };

/// Whether a program is written as text.
inline bool isText(Format format) {
  return format == Format::Text || format == Format::GenericText;
}

/// Where a saved program stores its weights.
enum class WeightForm {
  /// Depends on the program and its size. XLA accepts no resources and few
  /// constants: weights of MHLO and StableHLO are inline up to 1 MiB, else
  /// arguments. Other dialects use resources, which are not copied, or extern
  /// globals if text would have more than 1 GiB of resources. `inPlace` and
  /// `checksums` need files beside the program. A pipe or a device has no files
  /// beside it.
  Auto,
  /// Constants in the program.
  Inline,
  /// Resources in the program's file.
  Resource,
  /// Last parameters of the public functions, named by `isthmus.weight`, with
  /// their values in files beside the program.
  Argument,
  /// Extern `ml_program.global`s, with their values in files beside the
  /// program.
  External,
  /// IREE's globals and parameters, in text, with their values in an archive
  /// beside the program: iree-run-module takes --parameters=model=m.irpa.
  Iree,
  /// No values: constants have types and no elements, to inspect the graph.
  None,
};

/// The format of MLIR text and bytecode, besides those of FrontEnd.h.
inline constexpr llvm::StringLiteral kMlirFormat = "mlir";

/// Options of `Model::open`.
struct OpenOptions {
  /// "onnx", "pt2" or "mlir". If it is empty, the first bytes tell models of
  /// different formats apart; MLIR is not among them.
  std::string format;
};

/// Options of `Model::save`.
struct SaveOptions {
  Format format = Format::Bytecode;
  WeightForm weights = WeightForm::Auto;
  /// Leave weights in their files if these are inside the program's folder.
  /// Other weights go to a safetensors file.
  bool inPlace = false;
  /// Store a checksum of every weight in the manifest.
  bool checksums = false;
  /// The smallest constant, in bytes, that goes to a file.
  int64_t minWeightBytes = 1024;
  /// Called periodically with the bytes written of a file and its total bytes;
  /// the total of the program's own file is unknown, 0. Returns whether to
  /// continue; otherwise the existing files do not change.
  std::function<bool(uint64_t written, uint64_t total)> progress;
};

/// Where a saved program stores its weights.
struct SavedWeights {
  /// As requested, or the choice of Auto.
  WeightForm form = WeightForm::Auto;
  /// Paths of the files beside the program: the manifest and the weight file.
  /// Empty if there is none.
  std::string manifest, file;
  /// Number of weights outside the program, number of those in `file`, and the
  /// bytes of the latter.
  uint64_t count = 0, written = 0, writtenBytes = 0;
};

/// Options of `Model::lower`.
struct LowerOptions : TargetPipelineOptions {
  /// The name of a target: "torch", "linalg", "tosa", "mhlo", "stablehlo".
  std::string target = "torch";
#define GET_MODEL_MEMBERS
#include "isthmus/Conversion/LoweringOptions.inc"
#undef GET_MODEL_MEMBERS
};

/// An input of a model with sizes known only at run time.
struct OpenInput {
  std::string name;
  /// "32", "batch", or "?" for a size without a name in the file.
  std::vector<std::string> sizes;
};

/// A constant that became a parameter of the entry point.
struct Weight {
  std::string name;
  mlir::RankedTensorType type;
  /// Row-major elements, or one element that all are equal to; valid as long as
  /// the model or a clone of it.
  llvm::ArrayRef<char> data;
  bool isSplat = false;
};

/// A program in one of the dialects that Isthmus knows, with its context. A
/// model and its clones share the context: only one thread at a time may use
/// any of them. Executables may run on any number of threads.
class Model {
public:
  /// Reads a model or a program. A file stays mapped while the model lives:
  /// weights are not copied.
  static llvm::Expected<Model> open(llvm::StringRef path,
                                    const OpenOptions &options = {});
  /// The same from memory; messages use the buffer's identifier as its name.
  static llvm::Expected<Model> open(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                    const OpenOptions &options = {});
  /// Reads an exported program whose records are in memory. Weights are not
  /// copied.
  static llvm::Expected<Model> open(std::shared_ptr<ModelRecords> records);

  /// Writes the program; with `elide`, omits the elements of large constants,
  /// which a file of a target needs.
  llvm::Error write(llvm::raw_ostream &os, Format format,
                    bool elide = false) const;
  /// Writes the file and those beside it completely, or leaves the existing
  /// files unchanged. For "m.mlirbc", weights outside the program go to
  /// "m.safetensors", and "m.weights.json" gives their places.
  llvm::Expected<SavedWeights> save(llvm::StringRef path,
                                    const SaveOptions &options) const;

  /// Compiles for this machine. The model must outlive the executable. Weight
  /// files beside a program are mapped and checked.
  llvm::Expected<std::unique_ptr<Executable>>
  compile(const JitOptions &options) const;

  /// Lowers an ONNX graph or a torch program to a target, in place. After an
  /// error the program is valid, but only partly lowered.
  llvm::Error lower(const LowerOptions &options);

  /// What the last lowering left out of the program, and what its compiler may
  /// compute wrongly, one message each.
  llvm::ArrayRef<std::string> lastWarnings() const { return warnings; }

  /// The inputs that LowerOptions::specialize can make static.
  std::vector<OpenInput> openInputs() const;

  /// Replaces the custom ops of a lowered program with their torch ops, so that
  /// it can be lowered again.
  llvm::Error raiseCustomOps();

  /// Number of custom ops for each carried op, by full name.
  llvm::StringMap<unsigned> customOps() const;

  /// Turns constants of `minBytes` or more, except splats and bools, into
  /// parameters of @main, after its own. The weights are in the same order.
  llvm::Expected<std::vector<Weight>> hoistWeights(int64_t minBytes = 0);

  /// As hoistWeights, for the constants of floating-point or complex numbers
  /// that the model names: parameters, buffers, initializers; and for buffers
  /// of any numbers that the program mutates. In a program that is not lowered,
  /// they are all there, whatever their values.
  llvm::Expected<std::vector<Weight>> hoistNamedWeights();

  /// A copy that shares the weights.
  Model clone() const;

  mlir::ModuleOp module() const { return *root; }

private:
  Model();
  llvm::Error print(llvm::raw_ostream &os, bool isGeneric, bool elide) const;
  /// A clone that has only func.func functions and whose weights have values.
  llvm::Expected<Model> withWeights() const;
  static llvm::Expected<Model> import(ModelSource source,
                                      const ModelFormat &format);
  static llvm::Expected<Model> parseFile(llvm::StringRef path);
  /// The buffer lives as long as the model: resources of bytecode stay in it.
  static llvm::Expected<Model>
  parse(std::unique_ptr<llvm::MemoryBuffer> buffer);

  /// `options.weights`, or the choice of Auto for this program. `isFile` tells
  /// whether the output is a file, which can have files beside it.
  WeightForm weightFormFor(const SaveOptions &options, bool isFile) const;

  std::shared_ptr<mlir::MLIRContext> context; // shared with clones
  mlir::OwningOpRef<mlir::ModuleOp> root;
  std::vector<std::string> warnings;
  /// The source of `root`, as long as `root` is unchanged since the import.
  /// Some formats are specialized by importing again.
  std::optional<ModelSource> source;
  const FrontEnd *frontEnd = nullptr;
  /// The manifest or weight file of a parsed file; empty if there is none.
  std::string weightFile;
};

/// Writes a file as `Model::save` does, whole or not at all. `write` takes the
/// file descriptor. An existing pipe or device is written to directly.
llvm::Error writeFile(llvm::StringRef path,
                      llvm::function_ref<llvm::Error(int file)> write);

} // namespace isthmus

#endif // ISTHMUS_API_API_H
