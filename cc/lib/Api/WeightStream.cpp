//===- WeightStream.cpp - Writing weights without keeping them ------------===//

#include "WeightStream.h"
#include "isthmus/Support/ResidentMemory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <vector>

using namespace isthmus;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// Bytes that are written at a time, so the most that becomes resident.
static constexpr size_t blockSize = 256 << 10;

/// The mapping that holds [data, data + size) and was made of a file for
/// reading alone, from /proc/self/maps: "begin-end r--p offset device inode
/// path".
static std::optional<SourceFile> findSource(const char *data, size_t size) {
  auto maps = llvm::MemoryBuffer::getFileAsStream("/proc/self/maps");
  if (!maps)
    return std::nullopt;
  for (StringRef line : llvm::split((*maps)->getBuffer(), '\n')) {
    auto [range, rest] = line.split(' ');
    auto [first, last] = range.split('-');
    uintptr_t begin, end;
    if (first.getAsInteger(16, begin) || last.getAsInteger(16, end))
      continue;
    auto address = reinterpret_cast<uintptr_t>(data);
    if (address < begin || address + size > end)
      continue;
    SmallVector<StringRef, 6>
        fields; // permissions, offset, device, inode, path
    rest.split(fields, ' ', /*MaxSplit=*/4, /*KeepEmpty=*/false);
    uint64_t offset, inode;
    if (fields.size() < 5 || !fields[0].starts_with("r--") ||
        fields[1].getAsInteger(16, offset) || fields[3].getAsInteger(10, inode))
      return std::nullopt;
    int file = ::open(fields[4].ltrim().str().c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    auto device = [&] {
      return (llvm::utohexstr(major(status.st_dev), /*LowerCase=*/true,
                              /*Width=*/2) +
              ":" +
              llvm::utohexstr(minor(status.st_dev), /*LowerCase=*/true,
                              /*Width=*/2));
    };
    if (file < 0 || ::fstat(file, &status) != 0 || status.st_ino != inode ||
        fields[2] != device()) {
      if (file >= 0)
        ::close(file);
      return std::nullopt; // the path leads to another file by now
    }
    return SourceFile{file, begin, end, offset};
  }
  return std::nullopt;
}

WeightStream::~WeightStream() {
  flush();
  if (source)
    ::close(source->file);
}

bool WeightStream::isInSource(const char *data, size_t size) {
  auto address = reinterpret_cast<uintptr_t>(data);
  if (source && address >= source->begin && address + size <= source->end)
    return true;
  std::optional<SourceFile> found = findSource(data, size);
  if (!found)
    return false;
  if (source)
    ::close(source->file);
  source = found;
  return true;
}

bool WeightStream::writeAll(const char *data, size_t size) {
  while (size) {
    ssize_t written =
        llvm::sys::RetryAfterSignal(-1, ::write, file, data, size);
    if (written < 0) {
      failure = std::error_code(errno, std::generic_category());
      return false;
    }
    data += written;
    size -= written;
  }
  return true;
}

bool WeightStream::copyFromSource(const char *data, size_t size) {
  std::vector<char> block(blockSize);
  uint64_t offset =
      source->offset + (reinterpret_cast<uintptr_t>(data) - source->begin);
  while (size) {
    ssize_t read =
        llvm::sys::RetryAfterSignal(-1, ::pread, source->file, block.data(),
                                    std::min(size, blockSize), offset);
    if (read <= 0) { // the file became shorter: what was mapped is gone
      failure =
          std::error_code(read < 0 ? errno : EIO, std::generic_category());
      return false;
    }
    if (!writeAll(block.data(), read))
      return false;
    offset += read;
    size -= read;
  }
  return true;
}

void WeightStream::write_impl(const char *data, size_t size) {
  position += size;
  if (failure)
    return;
  if (size >= blockSize && isInSource(data, size)) {
    copyFromSource(data, size);
    return;
  }
  while (size) {
    size_t block = std::min(size, blockSize);
    acquirePages(ArrayRef(data, block));
    if (!writeAll(data, block))
      return;
    if (block == blockSize)
      releasePages(ArrayRef(data, blockSize));
    data += block;
    size -= block;
  }
}
