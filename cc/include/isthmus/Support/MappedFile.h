//===- MappedFile.h - Files of which little is resident ---------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_MAPPEDFILE_H
#define ISTHMUS_SUPPORT_MAPPEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
#include <optional>

namespace isthmus {

/// The bytes of the file at `path`, to be read here and there: each place makes
/// only the pages around it resident. What cannot be mapped is read whole.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
mapFile(llvm::StringRef path);

/// The same of an open file, which the call closes or the result keeps.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
mapFile(llvm::sys::fs::file_t file, llvm::StringRef path);

/// The same of an open file of `size` bytes, which the result closes, and which
/// has no path if `name` is empty. Null, and the file as it was, if the system
/// does not map it.
std::unique_ptr<llvm::MemoryBuffer>
mapOpenFile(llvm::sys::fs::file_t file, uint64_t size, llvm::StringRef name);

/// `bytes`, to be read once. What lies in a file that is mapped by the above is
/// read from there into `block`, which costs less than touching the mapping and
/// leaves its pages out of memory; anything else is used where it is. An error
/// if the file has become shorter since.
llvm::ErrorOr<llvm::ArrayRef<char>>
readOnce(llvm::ArrayRef<char> bytes, llvm::SmallVectorImpl<char> &block);

/// Copies `bytes` of a file that is mapped by the above to where `to` stands,
/// from file to file, so that the system may share blocks instead. Returns how
/// many it copied: none if it cannot, of these files or at all.
uint64_t copyFromFile(llvm::ArrayRef<char> bytes, llvm::sys::fs::file_t to);

/// Numbers that are of these bytes of a file alone, however often it is mapped
/// by the above; writing to the file changes them. Nothing for other bytes.
std::optional<std::array<uint64_t, 5>>
identifyInFile(llvm::ArrayRef<char> bytes);

/// Where bytes lie in a file that has a path.
struct FilePlace {
  llvm::StringRef path;
  uint64_t offset;
};

/// Where `bytes` lie, if in a file that is mapped by the above.
std::optional<FilePlace> findInFile(llvm::ArrayRef<char> bytes);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_MAPPEDFILE_H
