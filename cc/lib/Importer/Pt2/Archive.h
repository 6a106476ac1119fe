//===- Archive.h - The records of a zip file --------------------*- C++ -*-===//
//
// The part of the format (PKWARE's APPNOTE 6.3) needed for an archive that
// stores its records uncompressed: the central directory, with zip64.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_ARCHIVE_H
#define ISTHMUS_LIB_IMPORTER_PT2_ARCHIVE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace isthmus::pt2 {

/// The records of an archive, each a part of the bytes that it was read from.
class Archive {
public:
  /// Reads the directory. Checks every offset and size in it; an error gives
  /// the byte position.
  static llvm::Expected<Archive> read(llvm::StringRef bytes);

  /// Records that are not from an archive: buffers named by their paths.
  static Archive
  of(llvm::ArrayRef<std::unique_ptr<llvm::MemoryBuffer>> records);

  /// The bytes of a record, by its path without the root folder; nothing if
  /// there is none.
  std::optional<llvm::StringRef> find(const llvm::Twine &path) const;

  /// All paths, in the order of the directory.
  llvm::ArrayRef<std::string> paths() const { return order; }

private:
  llvm::Error readEntry(llvm::StringRef bytes, uint64_t &position,
                        uint64_t end);

  llvm::StringMap<llvm::StringRef> records;
  std::vector<std::string> order;
  std::string root; // "model/"
};

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_ARCHIVE_H
