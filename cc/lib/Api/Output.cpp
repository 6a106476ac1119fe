//===- Output.cpp - Files of a program, or something else -----------------===//

#include "Output.h"
#include "Diagnostics.h"
#include "WeightStream.h"
#include "isthmus/Api/Api.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include <fcntl.h>
#include <unistd.h>

using namespace isthmus;
using llvm::StringRef;
using llvm::Twine;
using Kind = ModelError::Kind;

/// The refusal as an error of a model.
static llvm::Error toModelError(llvm::Error error) {
  return llvm::handleErrors(
      std::move(error),
      [](std::unique_ptr<ModelError> known) -> llvm::Error {
        return llvm::Error(std::move(known));
      },
      [](const llvm::ErrorInfoBase &other) -> llvm::Error {
        return isthmus::failed(Kind::System, other.message());
      });
}

llvm::Error
isthmus::addFile(NewFiles &files, StringRef path, Write write,
                 const std::function<bool(uint64_t, uint64_t)> &progress,
                 uint64_t total) {
  std::function<bool(uint64_t)> ofThisFile;
  if (progress)
    ofThisFile = [&](uint64_t written) {
      return progress(total ? std::min(written, total) : written, total);
    };
  return toModelError(files.add(path, [&](int file) {
    WeightStream os(file, ofThisFile);
    llvm::Error error = write(os);
    os.flush();
    return llvm::joinErrors(std::move(error),
                            llvm::errorCodeToError(os.error()));
  }));
}

llvm::Error isthmus::keepFiles(NewFiles &files) {
  return toModelError(files.keep());
}

llvm::Error isthmus::writeInto(StringRef path, Write write) {
  auto refused = [&](std::error_code code) {
    return isthmus::failed(Kind::System,
                           (path == "-" ? "standard output" : path) + ": " +
                               code.message());
  };
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return refused(code);
  llvm::Error error = write(os);
  os.flush();
  if (os.has_error())
    error = llvm::joinErrors(std::move(error), refused(os.error()));
  os.clear_error();
  return error;
}

llvm::Error
isthmus::writeFile(StringRef path,
                   llvm::function_ref<llvm::Error(int file)> write) {
  if (!llvm::sys::fs::exists(path) || llvm::sys::fs::is_regular_file(path)) {
    NewFiles files;
    if (llvm::Error error = files.add(path, write))
      return toModelError(std::move(error));
    return keepFiles(files);
  }
  int file = llvm::sys::RetryAfterSignal(-1, ::open, path.str().c_str(),
                                         O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return isthmus::failed(Kind::System,
                           path + ": " + llvm::sys::StrError(errno));
  llvm::Error error = write(file);
  ::close(file);
  return error;
}
