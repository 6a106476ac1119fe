//===- TemporaryBlob.cpp - Large data made while compiling ----------------===//

#include "isthmus/Support/TemporaryBlob.h"
#include "isthmus/Support/MappedFile.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Process.h"
#include <unistd.h>

using namespace mlir;
namespace fs = llvm::sys::fs;

/// Below this a file costs more than it saves.
static constexpr size_t minFileSize = 64 << 10;

/// A new file that is already unlinked; -1 if none can be created.
static int openTemporaryFile() {
  int file;
  SmallString<128> path;
  if (fs::createTemporaryFile("isthmus", "weights", file, path))
    return -1;
  (void)fs::remove(path);
  return file;
}

isthmus::TemporaryBlob::TemporaryBlob(size_t size) : size(size) {
  if (size >= minFileSize)
    file = openTemporaryFile();
  if (file < 0)
    heap.reserve(size);
}

isthmus::TemporaryBlob::~TemporaryBlob() {
  if (file >= 0)
    (void)llvm::sys::Process::SafelyCloseFileDescriptor(file);
}

void isthmus::TemporaryBlob::append(ArrayRef<char> bytes) {
  if (file < 0) {
    heap.append(bytes.begin(), bytes.end());
    return;
  }
  while (!bytes.empty() && !hasFailed) {
    ssize_t written = llvm::sys::RetryAfterSignal(-1, ::write, file,
                                                  bytes.data(), bytes.size());
    hasFailed = written < 0;
    bytes = bytes.drop_front(std::max<ssize_t>(written, 0));
  }
}

std::optional<AsmResourceBlob> isthmus::TemporaryBlob::take() {
  if (file < 0)
    return HeapAsmResourceBlob::allocateAndCopyWithAlign(heap, /*align=*/64);
  if (hasFailed)
    return std::nullopt;
  std::shared_ptr<llvm::MemoryBuffer> mapped =
      mapOpenFile(fs::convertFDToNativeFile(file), size, /*name=*/"");
  if (!mapped)
    return std::nullopt;
  file = -1; // the mapping closes it
  return UnmanagedAsmResourceBlob::allocateWithAlign(
      ArrayRef(mapped->getBufferStart(), size), /*align=*/64,
      [mapped](void *, size_t, size_t) {});
}
