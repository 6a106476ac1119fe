//===- WeightStream.cpp - Writing weights without keeping them ------------===//

#include "WeightStream.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace isthmus;

/// Bytes between two hand-backs, so the most that is resident at a time.
static constexpr size_t blockSize = 256 << 10;

/// Lets the system take back the pages within [data, data + size). Unlike
/// MADV_DONTNEED this loses nothing, whatever the memory is: clean pages of a
/// mapped file go, and are read again if they are wanted again.
static void handBack(const char *data, size_t size) {
#ifdef MADV_PAGEOUT
  size_t page = llvm::sys::Process::getPageSizeEstimate();
  uintptr_t begin = llvm::alignTo(reinterpret_cast<uintptr_t>(data), page);
  uintptr_t end =
      llvm::alignDown(reinterpret_cast<uintptr_t>(data) + size, page);
  if (begin < end)
    (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_PAGEOUT);
#endif
}

void WeightStream::write_impl(const char *data, size_t size) {
  position += size;
  while (size && !failure) {
    size_t block = std::min(size, blockSize);
    ssize_t written =
        llvm::sys::RetryAfterSignal(-1, ::write, file, data, block);
    if (written < 0) {
      failure = std::error_code(errno, std::generic_category());
      return;
    }
    if (size_t(written) == blockSize)
      handBack(data, blockSize);
    data += written;
    size -= written;
  }
}
