//===- WeightFilesFuzz.cpp - Manifests and safetensors of any bytes -------===//
//
//   isthmus compile m.onnx --target linalg -o CORPUS/m.mlir --weights external
//   bazel run --config=fuzz //tests/Weights/fuzz:WeightFilesFuzz -- CORPUS
//
// Whatever the bytes, the weights can be read to their last byte, or there is
// an error. A manifest finds a file w.bin of 4 KiB beside it.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Weights/WeightFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

static void write(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << bytes;
}

/// A folder of this process, and in it the path of the file under test.
static std::string makeFolder() {
  llvm::SmallString<64> folder;
  if (llvm::sys::fs::createUniqueDirectory("weights", folder))
    std::abort();
  write((folder + "/w.bin").str(), std::string(4096, 'w'));
  return (folder + "/m").str();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::string path = makeFolder();
  write(path, llvm::StringRef(reinterpret_cast<const char *>(data), size));
  for (const char *extension : {".json", ".irpa", ".safetensors"}) {
    std::string link = path + extension;
    (void)::symlink(path.c_str(), link.c_str()); // there from the first on
    (void)isthmus::findProgram(link);
  }
  auto files = isthmus::WeightFiles::open(path);
  if (!files) {
    llvm::consumeError(files.takeError());
    return 0;
  }
  for (llvm::StringRef name : {"w", "scale", "table"})
    if (const isthmus::WeightData *weight = (*files)->lookup(name))
      (void)isthmus::checksumOf(weight->data);
  return 0;
}
