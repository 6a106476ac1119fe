//===- MappedFile.cpp - Mapped files with few resident pages --------------===//

#include "isthmus/Support/MappedFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using llvm::ArrayRef;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Below this, a mapping gains nothing.
static constexpr uint64_t minMappedSize = 64 << 10;

namespace {

class MappedFile : public llvm::MemoryBuffer {
public:
  MappedFile(fs::file_t file, const char *data, size_t size, StringRef name);
  ~MappedFile() override;

  BufferKind getBufferKind() const override { return MemoryBuffer_MMap; }
  StringRef getBufferIdentifier() const override { return name; }

  fs::file_t file;

private:
  std::string name;
};

/// Every mapped file, by the address after its last byte.
struct MappedFiles {
  std::mutex mutex;
  std::map<const char *, const MappedFile *> byEnd;
};

MappedFiles &mappedFiles() {
  static auto *files = new MappedFiles; // no destructor at exit
  return *files;
}

MappedFile::MappedFile(fs::file_t file, const char *data, size_t size,
                       StringRef name)
    : file(file), name(name) {
  init(data, data + size, /*RequiresNullTerminator=*/false);
  std::lock_guard lock(mappedFiles().mutex);
  mappedFiles().byEnd.emplace(getBufferEnd(), this);
}

MappedFile::~MappedFile() {
  {
    std::lock_guard lock(mappedFiles().mutex);
    mappedFiles().byEnd.erase(getBufferEnd());
  }
  ::munmap(const_cast<char *>(getBufferStart()), getBufferSize());
  (void)fs::closeFile(file);
}

} // namespace

/// Linux may cache a file in huge pages. If a mapping has the alignment of huge
/// pages, one fault makes a whole huge page resident, whatever madvise was
/// told, so this mapping begins a small page after a huge page boundary. Null
/// if the system has no addresses for it.
static char *mapApartFromHugePages(fs::file_t file, uint64_t size) {
  constexpr uint64_t hugePage = 2 << 20;
  uint64_t page = llvm::sys::Process::getPageSizeEstimate();
  uint64_t mapped = llvm::alignTo(size, page);
  uint64_t reserved = mapped + hugePage + page;
  void *reservation =
      ::mmap(nullptr, reserved, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reservation == MAP_FAILED)
    return nullptr;
  char *begin = static_cast<char *>(reservation), *end = begin + reserved;
  uint64_t toHugePage = llvm::offsetToAlignment(
      reinterpret_cast<uintptr_t>(begin), llvm::Align(hugePage));
  char *data = begin + toHugePage + page;
  if (::mmap(data, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) ==
      MAP_FAILED) {
    ::munmap(begin, reserved);
    return nullptr;
  }
  ::munmap(begin, data - begin);
  if (data + mapped < end)
    ::munmap(data + mapped, end - (data + mapped));
  return data;
}

std::unique_ptr<llvm::MemoryBuffer>
isthmus::mapOpenFile(fs::file_t file, uint64_t size, StringRef name) {
  char *data = mapApartFromHugePages(file, size);
  return data ? std::make_unique<MappedFile>(file, data, size, name) : nullptr;
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
isthmus::mapFile(StringRef path) {
  auto file = fs::openNativeFileForRead(path);
  if (!file)
    return llvm::errorToErrorCode(file.takeError());
  return mapFile(*file, path);
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
isthmus::mapFile(fs::file_t file, StringRef path) {
  llvm::scope_exit close([&] { (void)fs::closeFile(file); });
  fs::file_status status;
  if (std::error_code error = fs::status(file, status))
    return error;
  if (fs::is_regular_file(status) && status.getSize() >= minMappedSize)
    if (auto mapped = mapOpenFile(file, status.getSize(), path)) {
      close.release();
      return mapped;
    }
  return llvm::MemoryBuffer::getOpenFile(file, path, /*FileSize=*/-1,
                                         /*RequiresNullTerminator=*/false);
}

/// The mapped file that contains `bytes`, if one does. It lives as long as the
/// owner of the bytes.
static const MappedFile *findMappedFile(ArrayRef<char> bytes) {
  std::lock_guard lock(mappedFiles().mutex);
  auto &byEnd = mappedFiles().byEnd;
  auto after = byEnd.lower_bound(bytes.end());
  if (after == byEnd.end() || bytes.begin() < after->second->getBufferStart())
    return nullptr;
  return after->second;
}

std::optional<isthmus::FilePlace> isthmus::findInFile(ArrayRef<char> bytes) {
  const MappedFile *mapped = findMappedFile(bytes);
  if (!mapped || mapped->getBufferIdentifier().empty())
    return std::nullopt;
  return FilePlace{mapped->getBufferIdentifier(),
                   uint64_t(bytes.begin() - mapped->getBufferStart())};
}

llvm::ErrorOr<ArrayRef<char>>
isthmus::readOnce(ArrayRef<char> bytes, llvm::SmallVectorImpl<char> &block) {
  const MappedFile *mapped = findMappedFile(bytes);
  if (!mapped)
    return bytes;
  block.resize_for_overwrite(bytes.size());
  uint64_t offset = bytes.begin() - mapped->getBufferStart();
  for (llvm::MutableArrayRef<char> rest(block); !rest.empty();) {
    auto count = fs::readNativeFileSlice(mapped->file, rest,
                                         offset + block.size() - rest.size());
    if (!count)
      return llvm::errorToErrorCode(count.takeError());
    if (*count == 0)
      return std::make_error_code(std::errc::io_error);
    rest = rest.drop_front(*count);
  }
  return ArrayRef<char>(block);
}

uint64_t isthmus::copyFromFile(ArrayRef<char> bytes, fs::file_t to) {
  ssize_t copied = -1;
#ifdef __linux__
  if (const MappedFile *mapped = findMappedFile(bytes)) {
    off_t offset = bytes.begin() - mapped->getBufferStart();
    copied = llvm::sys::RetryAfterSignal(-1, ::copy_file_range, mapped->file,
                                         &offset, to, nullptr, bytes.size(), 0);
  }
#endif
  return std::max<ssize_t>(copied, 0);
}

std::optional<std::array<uint64_t, 5>>
isthmus::identifyInFile(ArrayRef<char> bytes) {
  const MappedFile *mapped = findMappedFile(bytes);
  struct stat status;
  if (!mapped || ::fstat(mapped->file, &status))
    return std::nullopt;
  // The change time, which no program can set.
  const timespec &changed = status.st_ctim;
  return std::array<uint64_t, 5>{
      status.st_dev, status.st_ino,
      uint64_t(changed.tv_sec) * 1'000'000'000 + changed.tv_nsec,
      uint64_t(bytes.begin() - mapped->getBufferStart()), bytes.size()};
}
