//===- Weights.h - The tensors of an exported program -----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_WEIGHTS_H
#define ISTHMUS_LIB_IMPORTER_PT2_WEIGHTS_H

#include "Archive.h"
#include "Import.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <tuple>
#include <vector>

namespace isthmus::pt2 {

/// Parameters, buffers and constants by name. Several may be one and the same
/// tensor, or parts of one: a record holds a whole storage.
class Weights {
public:
  Weights(Import &import, const Archive &archive)
      : import(import), archive(archive) {}

  /// Reads what tensors a program of this name has.
  mlir::LogicalResult read(llvm::StringRef model);

  /// A tensor as a constant's value; null after an error.
  mlir::ElementsAttr get(llvm::StringRef name, const Subject &subject);

  /// Whether two tensors, both read before, have a byte of a storage in common,
  /// as a buffer and a view of it do.
  bool shareMemory(llvm::StringRef name, llvm::StringRef other) const;

private:
  mlir::LogicalResult readConfig(const llvm::Twine &path,
                                 llvm::StringRef folder);

  Import &import;
  const Archive &archive;
  schema::Payloads payloads; // by name, `path` being the whole path

  /// What a tensor is of: where its first element lies in the file, strides
  /// unless all elements lie in order, and its type. Never the address of a
  /// copy, for the next copy may get the same one.
  using Place =
      std::tuple<const char *, std::vector<int64_t>, const void * /*type*/>;
  std::map<Place, mlir::ElementsAttr> known;

  /// By name, the bytes in the file from a tensor's first element to its last.
  llvm::StringMap<llvm::StringRef> extents;

  /// By storage, how many bytes copies in another order have that are not more
  /// than the file has.
  llvm::DenseMap<const char *, int64_t> reordered;
};

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_WEIGHTS_H
