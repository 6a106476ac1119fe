//===- ResidentMemory.cpp - Large data that need not stay resident --------===//

#include "isthmus/Support/ResidentMemory.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <sys/mman.h>

using namespace mlir;
using llvm::sys::fs::mapped_file_region;

/// Below this a file costs more than it saves.
static constexpr size_t minFileSize = 64 << 10;

/// Advises the system about the whole pages within `data`, if it has words for
/// it. What it does not understand is no error.
static void advise(ArrayRef<char> data, int advice) {
  size_t page = llvm::sys::Process::getPageSizeEstimate();
  uintptr_t begin =
      llvm::alignTo(reinterpret_cast<uintptr_t>(data.begin()), page);
  uintptr_t end =
      llvm::alignDown(reinterpret_cast<uintptr_t>(data.end()), page);
  if (begin < end)
    (void)madvise(reinterpret_cast<void *>(begin), end - begin, advice);
}

void isthmus::acquirePages(ArrayRef<char> data) {
#ifdef MADV_POPULATE_READ
  advise(data, MADV_POPULATE_READ);
#endif
}

void isthmus::acquirePages(MutableArrayRef<char> data) {
#ifdef MADV_POPULATE_WRITE
  advise(data, MADV_POPULATE_WRITE);
#endif
}

void isthmus::releasePages(ArrayRef<char> data) {
  // Unlike MADV_DONTNEED, this keeps what no file holds.
#ifdef MADV_PAGEOUT
  advise(data, MADV_PAGEOUT);
#endif
}

/// Maps a new temporary file that has lost its name already; null if the
/// system does not provide the space.
static std::shared_ptr<mapped_file_region> mapTemporaryFile(size_t size) {
  namespace fs = llvm::sys::fs;
  int file;
  SmallString<128> path;
  if (fs::createTemporaryFile("isthmus", "weights", file, path))
    return nullptr;
  (void)fs::remove(path);
  // Takes the space now: a full disk would end the process when pages are
  // written later.
  std::error_code error = fs::resize_file(file, size);
  std::shared_ptr<mapped_file_region> region;
  if (!error)
    region = std::make_shared<mapped_file_region>(
        fs::convertFDToNativeFile(file), mapped_file_region::readwrite, size,
        /*offset=*/0, error);
  (void)llvm::sys::Process::SafelyCloseFileDescriptor(file);
  // Reading ahead looks for pages on the disk that were never there.
  if (!error)
    (void)madvise(region->data(), size, MADV_RANDOM);
  return error ? nullptr : region;
}

AsmResourceBlob isthmus::allocateReleasable(
    size_t size, llvm::function_ref<void(MutableArrayRef<char>)> fill) {
  std::shared_ptr<mapped_file_region> region;
  if (size >= minFileSize)
    region = mapTemporaryFile(size);
  if (!region) {
    AsmResourceBlob blob = HeapAsmResourceBlob::allocate(size, /*align=*/64);
    fill(blob.getMutableData());
    return blob;
  }
  fill(MutableArrayRef(region->data(), size));
  releasePages(ArrayRef(region->data(), size));
  return UnmanagedAsmResourceBlob::allocateWithAlign(
      ArrayRef<char>(region->data(), size), /*align=*/64,
      [region](void *, size_t, size_t) {});
}
