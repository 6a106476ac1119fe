//===- WeightStream.cpp - Writing weights without keeping them ------------===//

#include "WeightStream.h"
#include "isthmus/Support/MappedFile.h"
#include "llvm/Support/Errno.h"
#include <unistd.h>

using namespace isthmus;
using llvm::ArrayRef;

/// Bytes read and written at a time, and so the most that becomes resident.
static constexpr size_t blockSize = 256 << 10;

/// Bytes between two reports of progress.
static constexpr uint64_t progressStep = 16 << 20;

void WeightStream::writeAll(ArrayRef<char> bytes) {
  while (!bytes.empty() && !failure) {
    ssize_t written = llvm::sys::RetryAfterSignal(-1, ::write, file,
                                                  bytes.data(), bytes.size());
    if (written < 0)
      failure = std::error_code(errno, std::generic_category());
    else
      bytes = bytes.drop_front(written);
  }
}

void WeightStream::write_impl(const char *data, size_t size) {
  for (ArrayRef rest(data, size); !rest.empty() && !failure;) {
    size_t count = copyFromFile(rest.take_front(progressStep), file);
    if (count == 0) { // which reports its own errors
      auto bytes = readOnce(rest.take_front(blockSize), block);
      if (bytes)
        writeAll(*bytes);
      else
        failure = bytes.getError();
      count = std::min(rest.size(), blockSize);
    }
    rest = rest.drop_front(count);
    position += count;
    if (progress && position - told >= progressStep &&
        !progress(told = position))
      failure = std::make_error_code(std::errc::operation_canceled);
  }
}
