//===- MappedFile.h - Mapped files with little resident memory --*- C++ -*-===//

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

/// The bytes of the file at `path`, for random access: each access makes only
/// the pages around it resident. A file that cannot be mapped is read whole.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
mapFile(llvm::StringRef path);

/// The same for an open file, which the call closes or the result keeps.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
mapFile(llvm::sys::fs::file_t file, llvm::StringRef path);

/// The same for an open file of `size` bytes, which the result closes. The file
/// has no path if `name` is empty. Null, with the file still open, if the
/// system does not map it.
std::unique_ptr<llvm::MemoryBuffer>
mapOpenFile(llvm::sys::fs::file_t file, uint64_t size, llvm::StringRef name);

/// `bytes`, to be read once. Bytes of a file mapped by the above functions are
/// read from the file into `block`, which costs less than touching the mapping
/// and does not make its pages resident. Other bytes are returned as they are.
/// An error if the file has become shorter.
llvm::ErrorOr<llvm::ArrayRef<char>>
readOnce(llvm::ArrayRef<char> bytes, llvm::SmallVectorImpl<char> &block);

/// Copies `bytes` of a file mapped by the above functions to the position of
/// `to`, from file to file, so that the system may share blocks. Returns the
/// number of copied bytes: 0 if the system cannot copy between these files.
uint64_t copyFromFile(llvm::ArrayRef<char> bytes, llvm::sys::fs::file_t to);

/// Numbers that identify these bytes of a file, independent of the mapping;
/// writing to the file changes them. nullopt for other bytes.
std::optional<std::array<uint64_t, 5>>
identifyInFile(llvm::ArrayRef<char> bytes);

/// The place of bytes in a file with a path.
struct FilePlace {
  llvm::StringRef path;
  uint64_t offset;
};

/// The place of `bytes`, if they are in a file mapped by the above functions.
std::optional<FilePlace> findInFile(llvm::ArrayRef<char> bytes);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_MAPPEDFILE_H
