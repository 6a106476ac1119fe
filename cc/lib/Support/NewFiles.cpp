//===- NewFiles.cpp - Files that replace others, all or none --------------===//

#include "isthmus/Support/NewFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace isthmus;
using llvm::StringRef;

static llvm::Error refused(StringRef path, int error) {
  return llvm::createStringError(path + ": " + llvm::sys::StrError(error));
}

/// The mark in the names of our own files, so that no other file is taken for
/// one of ours.
static constexpr llvm::StringLiteral kMark = ".isthmus-";

/// Calls `make` with names next to `path` until it creates a file with one.
/// Returns that name; empty, with errno, if it cannot.
static std::string makeBeside(StringRef path, StringRef extension,
                              llvm::function_ref<bool(const char *)> make) {
  constexpr int attempts = 128;
  for (int i = 0; i < attempts; ++i) {
    std::string name =
        llvm::formatv("{0}{1}{2:x-8}.{3}", path, kMark,
                      llvm::sys::Process::GetRandomNumber(), extension)
            .str();
    if (make(name.c_str()))
      return name;
    if (errno != EEXIST)
      break;
  }
  return "";
}

/// The name by which an unnamed file can be linked.
static std::string descriptorPath(int descriptor) {
  return llvm::formatv("/proc/self/fd/{0}", descriptor).str();
}

/// Opens a file in `folder` that vanishes if the process ends.
static int openWithoutName(StringRef folder) {
#ifdef O_TMPFILE
  std::string where = folder.empty() ? "." : folder.str();
  int file = llvm::sys::RetryAfterSignal(-1, ::open, where.c_str(),
                                         O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (file < 0 || ::access(descriptorPath(file).c_str(), F_OK) == 0)
    return file;
  ::close(file);
#endif
  return -1;
}

/// Locks a newly created file as long as this process has it open, however the
/// process ends. Fails, with EEXIST, if another process has treated it as left
/// over. If the system has no file locks, no process locks.
static bool lockNew(int file) {
  struct stat status;
  bool isTaken = ::flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
  if (!isTaken && ::fstat(file, &status) == 0 && status.st_nlink > 0)
    return true;
  errno = EEXIST;
  return false;
}

/// Removes a file of ours if the process that made it has ended.
static void removeIfLeftOver(const std::string &path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) || !S_ISREG(status.st_mode))
    return;
  int file = llvm::sys::RetryAfterSignal(
      -1, ::open, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0)
    ::unlink(path.c_str());
  ::close(file);
}

/// Removes files that ended processes left next to `path`. Running processes
/// have locked their new files, and the folder while they keep old ones.
static void removeLeftOver(StringRef path) {
  StringRef folder = llvm::sys::path::parent_path(path);
  std::string prefix = (llvm::sys::path::filename(path) + kMark).str();
  std::vector<std::string> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           at(folder.empty() ? "." : folder, error, /*follow_symlinks=*/false),
       end;
       at != end && !error; at.increment(error)) {
    StringRef rest = llvm::sys::path::filename(at->path());
    if (rest.consume_front(prefix) && rest.size() == 12 &&
        llvm::all_of(rest.take_front(8), llvm::isHexDigit) &&
        (rest.ends_with(".tmp") || rest.ends_with(".old")))
      found.push_back(at->path());
  }
  llvm::for_each(found, removeIfLeftOver);
}

namespace {

/// While it lives, no other process has a lock on the same folder: if two save
/// one program, one of the two exists in the end, complete.
class FolderLock {
public:
  explicit FolderLock(StringRef folder)
      : descriptor(::open(folder.empty() ? "." : folder.str().c_str(),
                          O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    isHeld = descriptor >= 0 &&
             llvm::sys::RetryAfterSignal(-1, ::flock, descriptor, LOCK_EX) == 0;
  }
  ~FolderLock() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  bool isHeld;

private:
  int descriptor;
};

} // namespace

NewFiles::~NewFiles() {
  for (const File &file : files) {
    if (file.descriptor >= 0)
      ::close(file.descriptor);
    if (!file.temporary.empty())
      ::unlink(file.temporary.c_str());
    if (file.lock >= 0)
      ::close(file.lock);
  }
}

llvm::Error NewFiles::add(StringRef path,
                          llvm::function_ref<llvm::Error(int)> write) {
  struct stat old;
  bool isThere = ::stat(path.str().c_str(), &old) == 0;
  if (isThere && !S_ISREG(old.st_mode))
    return llvm::createStringError(path +
                                   ": expected a file, got something else");
  File file = {openWithoutName(llvm::sys::path::parent_path(path)), path.str(),
               ""};
  if (file.descriptor < 0)
    file.temporary = makeBeside(path, "tmp", [&](const char *name) {
      file.descriptor = llvm::sys::RetryAfterSignal(
          -1, ::open, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
      if (file.descriptor < 0 || lockNew(file.descriptor))
        return file.descriptor >= 0;
      ::close(std::exchange(file.descriptor, -1));
      return false;
    });
  if (file.descriptor < 0)
    return refused(path, errno);
  file.lock = ::fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0);
  files.push_back(file);
  if (isThere && ::fchmod(file.descriptor, old.st_mode & 07777))
    return refused(path, errno);
  return llvm::handleErrors(
      write(file.descriptor),
      [&](std::unique_ptr<llvm::ECError> error) -> llvm::Error {
        return llvm::createStringError(path + ": " + error->message());
      });
}

llvm::Error NewFiles::keep() {
  for (File &file : files) {
    if (file.temporary.empty()) {
      ::flock(file.descriptor, LOCK_EX | LOCK_NB);
      std::string own = descriptorPath(file.descriptor);
      file.temporary = makeBeside(file.path, "tmp", [&](const char *name) {
        return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name,
                        AT_SYMLINK_FOLLOW) == 0;
      });
      if (file.temporary.empty())
        return refused(file.path, errno);
    }
    // Servers and quotas report a full disk only here.
    if (::close(std::exchange(file.descriptor, -1)))
      return refused(file.path, errno);
  }

  FolderLock lock(llvm::sys::path::parent_path(files.front().path));
  // The former file of each path, to restore it: under a second name or, if
  // links are unavailable or not permitted, only under that one.
  struct Former {
    bool isThere;
    std::string name; // empty if none is needed
  };
  std::vector<Former> former;
  for (const File &file : files) {
    bool isThere = llvm::sys::fs::exists(file.path);
    std::string name;
    if (isThere && files.size() > 1)
      name = makeBeside(file.path, "old", [&](const char *name) {
        return ::link(file.path.c_str(), name) == 0;
      });
    if (name.empty() && files.size() > 1 &&
        llvm::sys::fs::is_regular_file(file.path))
      name = makeBeside(file.path, "old", [&](const char *name) {
        if (::access(name, F_OK) == 0) {
          errno = EEXIST;
          return false;
        }
        return ::rename(file.path.c_str(), name) == 0;
      });
    former.push_back({isThere, name});
  }
  // If the process ends in between, the last file is not found with files of
  // another program.
  if (!former.back().name.empty())
    ::unlink(files.back().path.c_str());
  const File *stopped = nullptr;
  int reason = 0;
  for (File &file : files) {
    if (::rename(file.temporary.c_str(), file.path.c_str())) {
      stopped = &file;
      reason = errno;
      break;
    }
    file.temporary.clear();
  }
  for (auto [file, before] : llvm::zip_equal(files, former)) {
    bool isPlaced = file.temporary.empty();
    if (stopped && isPlaced && !before.isThere)
      ::unlink(file.path.c_str());
    // Renaming one name of a file to another name of it does nothing.
    if (!before.name.empty() &&
        (!stopped || !::rename(before.name.c_str(), file.path.c_str())))
      ::unlink(before.name.c_str());
  }
  if (!stopped && lock.isHeld)
    for (const File &file : files)
      removeLeftOver(file.path);
  return stopped ? refused(stopped->path, reason) : llvm::Error::success();
}
