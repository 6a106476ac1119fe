//===- contained_file_test.cpp - Links that change during a read ----------===//

#include "isthmus/Support/ContainedFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdarg>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <unistd.h>

using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// The link that this test replaces just before a file is opened, as another
/// process might, and the new target of the link. Empty if there is no link.
static std::string swapped, by;
extern "C" int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (!swapped.empty()) {
    ::unlink(swapped.c_str());
    (void)!::symlink(by.c_str(), swapped.c_str());
    swapped.clear();
  }
  return ::openat(AT_FDCWD, path, flags, mode);
}

static void check(bool holds, const llvm::Twine &what) {
  if (holds)
    return;
  llvm::errs() << "expected " << what << '\n';
  std::exit(1);
}

static void write(const llvm::Twine &path, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path.str(), error);
  check(!error, "to write " + path);
  os << text;
}

static std::string read(StringRef folder) {
  auto file = isthmus::mapContainedFile(folder, "weights", "external data",
                                        "the model");
  return file ? (*file)->getBuffer().str()
              : "error: " + llvm::toString(file.takeError());
}

int main() {
  llvm::SmallString<128> root;
  check(!fs::createUniqueDirectory("contained", root), "a folder");
  std::string folder = (root + "/model").str(), link = folder + "/weights";
  check(!fs::create_directory(folder), "a folder in it");
  write(root + "/secret", "secret");
  write(folder + "/first", "first");
  check(!fs::create_link("first", link), "a link");
  check(read(folder) == "first", "a link inside of the folder to be followed");

  swapped = link;
  by = "../secret";
  std::string got = read(folder);
  check(StringRef(got).starts_with(
            "error: expected external data inside of the model's folder, got "
            "'weights', a link to '"),
        "a link that is swapped to be refused, got " + got);
  check(!fs::remove_directories(root), "the folder to go");
}
