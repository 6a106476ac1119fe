//===- ContainedFile.cpp - Files that another file names ------------------===//

#include "isthmus/Support/ContainedFile.h"
#include "isthmus/Support/MappedFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
isthmus::mapContainedFile(StringRef folder, StringRef location, StringRef what,
                          StringRef owner) {
  std::string expected = ("expected " + what).str();
  auto fail = [&](const Twine &rest) {
    return llvm::createStringError(expected + rest);
  };
  bool climbs = llvm::is_contained(
      llvm::make_range(path::begin(location), path::end(location)), "..");
  if (location.empty() || location.contains('\0') ||
      path::is_absolute(location) || climbs)
    return fail(" at a path inside of " + owner + "'s folder, got '" +
                location + "'");

  llvm::SmallString<128> joined(folder), realFolder, realFile;
  path::append(joined, location);
  if (fs::real_path(folder, realFolder))
    return llvm::createStringError("expected " + owner + "'s folder at '" +
                                   folder + "'");
  if (!realFolder.ends_with("/"))
    realFolder += '/';
  // Opening a pipe would wait for its writer.
  fs::file_status status;
  if (std::error_code error = fs::status(joined, status))
    return fail(" in '" + joined + "', got: " + error.message());
  if (!fs::is_regular_file(status))
    return fail(" in a regular file, got '" + location + "'");
  // Links may change meanwhile, so the path is taken from the open file.
  auto file = fs::openNativeFileForRead(joined, fs::OF_None, &realFile);
  if (!file)
    return fail(" in '" + joined + "', got: " +
                llvm::errorToErrorCode(file.takeError()).message());
  if (!StringRef(realFile).starts_with(realFolder)) {
    (void)fs::closeFile(*file);
    return fail(" inside of " + owner + "'s folder, got '" + location +
                "', a link to '" + realFile + "'");
  }
  auto mapped = mapFile(*file, realFile);
  if (!mapped)
    return fail(" in '" + joined + "', got: " + mapped.getError().message());
  return std::move(*mapped);
}
