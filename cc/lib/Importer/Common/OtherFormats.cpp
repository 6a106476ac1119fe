//===- OtherFormats.cpp - Files that are taken for models -----------------===//

#include "isthmus/Importer/FrontEnd.h"
#include "llvm/ADT/STLExtras.h"

using namespace isthmus;
using llvm::StringRef;

namespace {
struct OtherFormat {
  /// The bytes at `offset`.
  StringRef magic;
  StringRef description;
  size_t offset = 0;
};
} // namespace

static constexpr OtherFormat others[] = {
    {"version https://git-lfs.github.com/spec/v1",
     "a pointer of Git LFS; run 'git lfs pull' for the file itself"},
    {"<!DOCTYPE html", "a page in HTML"},
    {"<html", "a page in HTML"},
    {"TFL3", "a TensorFlow Lite model; convert it to ONNX first, with tf2onnx",
     4},
    {"TOSA", "a TOSA file, which is written and not read", 4},
    {"\x89HDF\r\n\x1a\n",
     "an HDF5 file; export a Keras model to ONNX first, with tf2onnx"},
    {"GGUF", "a GGUF file, which has weights and no program"},
    {"{\"", "a safetensors file, which has weights and no program", 8},
    {StringRef("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14),
     "a checkpoint of torch.save; export the module with torch.export.export"},
    {"\x1f\x8b", "a file compressed by gzip"},
    {"\xfd"
     "7zXZ",
     "a file compressed by xz"},
    {"\x28\xb5\x2f\xfd", "a file compressed by zstd"},
};

/// The names of records stand at the end of a zip archive.
static constexpr size_t kDirectorySearch = 1 << 16;

static constexpr std::pair<StringRef, StringRef> otherArchives[] = {
    {"/code/__torch__", "TorchScript of torch.jit.save; export the module with "
                        "torch.export.export"},
    {"/data.pkl",
     "a checkpoint of torch.save; export the module with torch.export.export"},
    {"model.weights.h5",
     "a Keras model; export it to ONNX first, with model.export"},
};

StringRef isthmus::describeOtherFormat(StringRef bytes) {
  if (bytes.starts_with(kPt2Format.magic)) {
    StringRef directory = bytes.take_back(kDirectorySearch);
    // A damaged program of torch.export has inputs of torch.save in it.
    if (directory.contains("/models/"))
      return "";
    for (auto [name, description] : otherArchives)
      if (directory.contains(name))
        return description;
    return "";
  }
  const auto *found = llvm::find_if(others, [&](const OtherFormat &format) {
    return bytes.substr(format.offset).starts_with(format.magic);
  });
  return found == std::end(others) ? "" : found->description;
}
