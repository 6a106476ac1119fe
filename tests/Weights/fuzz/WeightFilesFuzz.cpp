//===- WeightFilesFuzz.cpp - Files of weights with any bytes --------------===//
//
//   tools/fuzz WeightFiles
//
// For any bytes, the weights can be read to their last byte, or there is an
// error. A file w.bin of 4 KiB lies next to the file, for manifests.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Weights/WeightFiles.h"
#include "tests/support/fuzz/JsonMutator.h"
#include "tests/support/fuzz/SanitizerOptions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace isthmus;

static void write(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << bytes;
}

static constexpr llvm::StringLiteral kExtensions[] = {".json", ".irpa",
                                                      ".safetensors"};

/// Makes a folder of this process; returns the path of the file under test in
/// it. Links give the file a name of each format.
static std::string makeFolder() {
  llvm::SmallString<64> folder;
  if (llvm::sys::fs::createUniqueDirectory("weights", folder))
    std::abort();
  write((folder + "/w.bin").str(), std::string(4096, 'w'));
  std::string path = (folder + "/m").str();
  for (llvm::StringRef extension : kExtensions)
    if (::symlink(path.c_str(), (path + extension).str().c_str()))
      std::abort();
  return path;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::string path = makeFolder();
  write(path, fuzz::toText(data, size));
  // The bytes choose one of the names, since opening files takes most of the
  // time.
  (void)findProgram(path + kExtensions[size % std::size(kExtensions)].str());
  auto files = WeightFiles::open(path);
  if (!files) {
    llvm::consumeError(files.takeError());
    return 0;
  }
  for (llvm::StringRef name : {"w", "scale", "table"})
    if (const WeightData *weight = (*files)->lookup(name))
      (void)checksumOf(weight->data);
  return 0;
}

/// A manifest, or the header of a safetensors file: its size and JSON.
static llvm::StringRef jsonOf(llvm::StringRef file) {
  if (file.starts_with("{") || file.size() < 8)
    return file;
  return file.substr(8, llvm::support::endian::read64le(file.data()));
}

static std::string change(llvm::StringRef input, llvm::StringRef donor,
                          fuzz::Random &random) {
  llvm::StringRef json = jsonOf(input);
  std::string changed = fuzz::changeJson(json, jsonOf(donor), random);
  if (changed.empty() || json == input)
    return changed;
  char size[8];
  llvm::support::endian::write64le(size, changed.size());
  return std::string(size, 8) + changed + input.substr(8 + json.size()).str();
}

ISTHMUS_FUZZ_MUTATOR(change)
