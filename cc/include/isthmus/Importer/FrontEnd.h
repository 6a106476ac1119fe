//===- FrontEnd.h - Formats of models and their importers -------*- C++ -*-===//
//
// A front end is a subclass of FrontEnd and one object of it, beside its
// importer:
//
//   static RegisterFrontEnd<OnnxFrontEnd> registered;
//
// The API and the tools read this list. A format's name, first bytes and suffix
// are known even if the build omits its importer.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_IMPORTER_FRONTEND_H
#define ISTHMUS_IMPORTER_FRONTEND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace isthmus {

/// A format of models.
struct ModelFormat {
  /// "onnx": the part of the build (Parts.h) that imports it.
  llvm::StringLiteral name;
  /// "an ONNX model": for messages.
  llvm::StringLiteral noun;
  /// Of file names: ".onnx".
  llvm::StringLiteral suffix;
  /// The first bytes of every file; empty if they vary.
  llvm::StringLiteral magic;
  /// The prefix of the attributes of an argument that say its name and the
  /// names of its sizes: "onnx." of onnx.name and onnx.dim_params.
  llvm::StringLiteral attributes;
};

/// A serialized ModelProto.
inline constexpr ModelFormat kOnnxFormat = {"onnx", "an ONNX model", ".onnx",
                                            "", "onnx."};
/// A zip file, as torch.export.save writes it.
inline constexpr ModelFormat kPt2Format = {"pt2", "an exported PyTorch program",
                                           ".pt2", "PK\x03\x04", "isthmus."};

/// Every format, also of front ends that this build omits.
llvm::ArrayRef<const ModelFormat *> modelFormats();

/// The format called `name`; null if there is none.
const ModelFormat *findFormat(llvm::StringRef name);

/// The format of files with such a name; null if there is none.
const ModelFormat *findFormatOfFile(llvm::StringRef path);

/// The format of a file that starts with these bytes.
const ModelFormat &recognizeFormat(llvm::StringRef start);

/// Describes a file that no front end can read, for its error: "a pointer of
/// Git LFS; run …". Empty if it is of no format that is often taken for a
/// model.
llvm::StringRef describeOtherFormat(llvm::StringRef bytes);

/// The records of an archive in memory, each a buffer named by its path:
/// "models/model.json". A buffer without bytes of its own; its identifier is
/// the archive's name in diagnostics.
class ModelRecords : public llvm::MemoryBuffer {
public:
  ModelRecords(std::vector<std::unique_ptr<llvm::MemoryBuffer>> records,
               llvm::StringRef name);

  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }
  llvm::StringRef getBufferIdentifier() const override { return name; }

  const std::vector<std::unique_ptr<llvm::MemoryBuffer>> records;

private:
  std::string name;
};

/// A model to import: a file or its bytes, or records. The imported module may
/// refer to their memory and keeps it alive.
struct ModelSource {
  std::shared_ptr<llvm::MemoryBuffer> buffer;
  std::shared_ptr<ModelRecords> records;
  /// The folder that external data is in; empty for a model without one.
  std::string folder;

  /// The source of the mapped file at `path`.
  static ModelSource ofFile(std::shared_ptr<llvm::MemoryBuffer> file,
                            llvm::StringRef path);

  /// The model's name in diagnostics.
  llvm::StringRef getName() const;
};

/// Sizes by the name of an input.
using InputSizes = llvm::StringMap<llvm::SmallVector<int64_t>>;

/// The importer of a format.
class FrontEnd {
public:
  explicit FrontEnd(const ModelFormat &format) : format(format) {}
  virtual ~FrontEnd() = default;

  /// Imports a model. Reports every error to the context's diagnostic engine;
  /// the result is then null. `specialize` is empty unless the format says how
  /// all sizes follow from those of inputs.
  virtual mlir::OwningOpRef<mlir::ModuleOp>
  import(const ModelSource &source, mlir::MLIRContext *context,
         const InputSizes &specialize) const = 0;

  /// Whether sizes of inputs are given when a model is imported. Otherwise a
  /// pass of the lowering propagates them.
  virtual bool specializesWhenImporting() const { return false; }

  const ModelFormat &format;
};

/// The front end of a format; null if this build omits it.
const FrontEnd *findFrontEnd(const ModelFormat &format);

/// Adds a front end to the list.
void registerFrontEnd(const FrontEnd &frontEnd);

/// Adds a front end to the list before main() starts.
template <typename T>
struct RegisterFrontEnd {
  RegisterFrontEnd() { registerFrontEnd(*new T()); }
};

} // namespace isthmus

#endif // ISTHMUS_IMPORTER_FRONTEND_H
