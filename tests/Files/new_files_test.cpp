//===- new_files_test.cpp - NewFiles writes all files or none -------------===//

#include "isthmus/Support/NewFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <set>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Whether the file system supports links. Overrides the system's answer.
static bool hasLinks = true;
extern "C" int link(const char *from, const char *to) noexcept {
  if (hasLinks)
    return ::linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
  errno = EPERM;
  return -1;
}

/// How many files this process may rename before it exits; no limit if -1.
static int renamesLeft = -1;
extern "C" int rename(const char *from, const char *to) noexcept {
  if (renamesLeft == 0)
    ::_exit(0);
  if (renamesLeft > 0)
    --renamesLeft;
  return ::renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static void check(bool holds, StringRef what) {
  if (holds)
    return;
  llvm::errs() << "expected " << what << (hasLinks ? "" : " without links")
               << "\n";
  std::exit(1);
}

static std::string contents(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "nothing";
}

static std::set<std::string> names(StringRef folder) {
  std::set<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    found.insert(llvm::sys::path::filename(at->path()).str());
  return found;
}

/// Writes `text` to "weights" and "program" in `folder`.
static llvm::Error save(StringRef folder, StringRef text,
                        const std::function<void()> &before = {}) {
  isthmus::NewFiles files;
  for (StringRef name : {"weights", "program"})
    if (llvm::Error error =
            files.add((folder + "/" + name).str(), [&](int file) {
              llvm::raw_fd_ostream(file, /*shouldClose=*/false) << text;
              return llvm::Error::success();
            }))
      return error;
  if (before)
    before();
  return files.keep();
}

static void write(const std::string &path) {
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << "x";
}

/// The next save removes temporary files of a process that ended during a save.
/// Those of a living process, and files of others, stay.
static void testLeftOver(StringRef folder) {
  std::set<std::string> kept = {"program", "weights"};
  for (int done : {0, 1}) {
    if (pid_t child = ::fork()) {
      ::waitpid(child, nullptr, 0);
    } else {
      renamesLeft = done;
      llvm::consumeError(save(folder, "killed"));
      ::_exit(1);
    }
    check(names(folder).size() > kept.size(), "what was left");
  }
  for (const char *name :
       {"program.20241123.old", "program.isthmus-backup.old",
        "other.isthmus-0123abcd.old", "program.isthmus-0123abcd.tmp"}) {
    write((folder + "/" + name).str());
    kept.insert(name);
  }
  int living = ::open((folder + "/program.isthmus-0123abcd.tmp").str().c_str(),
                      O_RDONLY | O_CLOEXEC);
  ::flock(living, LOCK_EX);
  check(!llvm::errorToBool(save(folder, "after")), "to save");
  check(contents(folder + "/program") == "after", "the program");
  check(names(folder) == kept, "others' files alone");
  ::close(living);
  kept.erase("program.isthmus-0123abcd.tmp");
  check(!llvm::errorToBool(save(folder, "last")), "to save");
  check(names(folder) == kept, "no file of a process that has ended");
}

int main() {
  for (bool links : {true, false}) {
    hasLinks = links;
    llvm::SmallString<128> folder;
    check(!fs::createUniqueDirectory("files", folder), "a folder");
    std::string program = (folder + "/program").str();
    std::string weights = (folder + "/weights").str();

    for (StringRef text : {"first", "second"}) {
      check(!llvm::errorToBool(save(folder, text)), "to save");
      check(contents(program) == text && contents(weights) == text,
            "both files of one save");
      check(names(folder) == std::set<std::string>{"program", "weights"},
            "no other files");
    }

    // If the program cannot be replaced, the weights are restored.
    auto hinder = [&] {
      fs::remove(program);
      fs::create_directory(program);
    };
    check(llvm::errorToBool(save(folder, "third", hinder)), "an error");
    check(contents(weights) == "second", "the weights of before");
    check(fs::is_directory(program), "what was in the way");
    check(names(folder) == std::set<std::string>{"program", "weights"},
          "nothing left of a save that failed");

    fs::remove(program);
    check(!llvm::errorToBool(save(folder, "first")), "to save");
    testLeftOver(folder);
    fs::remove_directories(folder);
  }
  return 0;
}
