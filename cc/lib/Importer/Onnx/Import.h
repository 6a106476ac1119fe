//===- Import.h - State shared by the parts of one import -------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_ONNX_IMPORT_H
#define ISTHMUS_LIB_IMPORTER_ONNX_IMPORT_H

#include "Proto.h"
#include "isthmus/Importer/Elements.h"
#include "isthmus/Importer/ModelFile.h"
#include "isthmus/Importer/OnnxImporter.h"
#include "llvm/ADT/StringMap.h"

namespace isthmus::onnx {

/// One import: its options, its files, its errors.
class Import : public ModelFile {
public:
  Import(mlir::MLIRContext *context, const OnnxImportOptions &options,
         std::shared_ptr<llvm::MemoryBuffer> buffer)
      : ModelFile(context, std::move(buffer), options.limits),
        options(options) {}

  /// Verifies `op` by itself; a failure becomes an error about `subject`.
  mlir::LogicalResult verify(mlir::Operation *op,
                             const struct Subject &subject);

  const OnnxImportOptions &options;

  /// External files by location.
  llvm::StringMap<std::shared_ptr<llvm::MemoryBuffer>> files;

  /// The result of `read` for a part of the model. A function's parts are
  /// visited at each call but read only once. Parts keep their addresses until
  /// the import ends, and no two parts that are read begin at the same address.
  template <typename Read>
  mlir::Attribute importOnce(const void *part, Read read) {
    if (mlir::Attribute before = known.lookup(part))
      return before;
    mlir::Attribute result = read();
    known[part] = result;
    return result;
  }

private:
  llvm::DenseMap<const void *, mlir::Attribute> known;
};

/// The subject of an error: "node 'Conv_0' (Conv-22)" or "initializer 'W'".
struct Subject {
  Import &import;
  llvm::StringRef kind;
  llvm::StringRef name;
  llvm::StringRef op = {};
  int since = 0;

  mlir::InFlightDiagnostic error() const;
};

/// The type of a tensor of these dims; null after an error.
mlir::RankedTensorType importTensorType(llvm::ArrayRef<int64_t> dims,
                                        int64_t dataType,
                                        const Subject &subject);

/// A tensor as a constant's value: dense, or dense_resource over the file if it
/// is large. Null after an error.
mlir::ElementsAttr importTensor(const proto::Tensor &tensor,
                                const Subject &subject);
mlir::ElementsAttr importSparseTensor(const proto::SparseTensor &tensor,
                                      const Subject &subject);

/// The `size` bytes of `tensor` in another file; nothing after an error.
std::optional<Bytes> readExternalData(const proto::Tensor &tensor, int64_t size,
                                      const Subject &subject);

/// A declared type; null after an error. Missing information becomes an unknown
/// element type, a dynamic dimension or no rank.
mlir::Type importType(const proto::Type &type, const Subject &subject);

/// "0:batch,1:length" for the named dimensions of `type`.
std::string getDimParams(const proto::Type &type);

/// An attribute that is not a graph; null after an error. With `dtypeAsType` an
/// ONNX dtype number becomes that type.
mlir::Attribute importAttribute(const proto::Attribute &attribute,
                                bool dtypeAsType, const Subject &subject);

/// "INTS", for messages.
llvm::StringRef getAttributeKindName(int64_t kind);

} // namespace isthmus::onnx

#endif // ISTHMUS_LIB_IMPORTER_ONNX_IMPORT_H
