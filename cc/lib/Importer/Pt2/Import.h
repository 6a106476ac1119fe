//===- Import.h - State shared by the parts of one import -------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_IMPORT_H
#define ISTHMUS_LIB_IMPORTER_PT2_IMPORT_H

#include "Schema.h"
#include "isthmus/Dialect/Torch/TorchTypes.h"
#include "isthmus/Importer/ModelFile.h"
#include "isthmus/Importer/Pt2Importer.h"

namespace isthmus::pt2 {

/// One import: its options, its file, its errors.
class Import : public ModelFile {
public:
  Import(mlir::MLIRContext *context, const Pt2ImportOptions &options,
         std::shared_ptr<llvm::MemoryBuffer> buffer)
      : ModelFile(context, std::move(buffer), options.limits),
        options(options) {}

  const Pt2ImportOptions &options;

  /// Symbols that have a value.
  llvm::StringMap<int64_t> symbols;

  /// Set by an error that would cause others.
  bool isStopped = false;
};

/// The subject of an error: "node 'add_1' (aten.add.Tensor)", "weight 'w'".
struct Subject {
  Import &import;
  std::string text;

  Subject(Import &import, llvm::StringRef kind, llvm::StringRef name,
          llvm::StringRef op = {});

  mlir::InFlightDiagnostic error() const;
  /// `return subject.fail("expected …")`
  mlir::LogicalResult fail(const llvm::Twine &message) const;
};

/// The dtype code, a c10::ScalarType, for a ScalarType of schema.py.
std::optional<int64_t> getDtypeCode(int64_t scalarType);

/// The type of a tensor, with symbolic sizes as dynamic; null after an error.
torch::ValueTensorType importTensorType(const schema::TensorMeta &meta,
                                        const Subject &subject);

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_IMPORT_H
