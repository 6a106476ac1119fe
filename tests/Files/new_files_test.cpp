//===- new_files_test.cpp - All files or none, on any file system ---------===//

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
#include <unistd.h>

using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Whether the file system has links, in the place of the system's answer.
static bool hasLinks = true;
extern "C" int link(const char *from, const char *to) noexcept {
  if (hasLinks)
    return ::linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
  errno = EPERM;
  return -1;
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

    // The program cannot be replaced: the weights are put back.
    auto hinder = [&] {
      fs::remove(program);
      fs::create_directory(program);
    };
    check(llvm::errorToBool(save(folder, "third", hinder)), "an error");
    check(contents(weights) == "second", "the weights of before");
    check(fs::is_directory(program), "what was in the way");
    check(names(folder) == std::set<std::string>{"program", "weights"},
          "nothing left of a save that failed");
    fs::remove_directories(folder);
  }
  return 0;
}
