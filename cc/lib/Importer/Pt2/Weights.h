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

/// Parameters, buffers and constants by name. Several may be the same tensor,
/// or parts of one: a record holds a whole storage.
class Weights {
public:
  Weights(Import &import, const Archive &archive)
      : import(import), archive(archive) {}

  /// Reads the list of tensors of the program of this name.
  mlir::LogicalResult read(llvm::StringRef model);

  /// A tensor as a constant's value; null after an error.
  mlir::ElementsAttr get(llvm::StringRef name, const Subject &subject);

  /// Whether two tensors, both already read, share a byte of a storage, as a
  /// buffer and a view of it do.
  bool shareMemory(llvm::StringRef name, llvm::StringRef other) const;

private:
  mlir::LogicalResult readConfig(const llvm::Twine &path,
                                 llvm::StringRef folder);

  Import &import;
  const Archive &archive;
  schema::Payloads payloads; // by name, with `path` as the full path

  /// The key of a tensor: the address of its first element in the file, strides
  /// unless all elements lie in order, and its type. Never the address of a
  /// copy, because the next copy may get the same address.
  using Place =
      std::tuple<const char *, std::vector<int64_t>, const void * /*type*/>;
  std::map<Place, mlir::ElementsAttr> known;

  /// By name, the bytes in the file from a tensor's first element to its last.
  llvm::StringMap<llvm::StringRef> extents;

  /// For each storage, the number of bytes of reordered copies that its size in
  /// the file covers.
  llvm::DenseMap<const char *, int64_t> reordered;
};

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_WEIGHTS_H
