//===- ExternalData.cpp - Tensors in files beside the model ---------------===//
//
// A model names those files itself, so it is not trusted: the file must lie in
// the model's folder, links resolved, and hold the range that is asked for.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "isthmus/Support/ContainedFile.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;

/// Maps the file at `location`; null after an error.
static std::shared_ptr<llvm::MemoryBuffer> openFile(StringRef location,
                                                    const Subject &subject) {
  auto &known = subject.import.files;
  if (auto found = known.find(location); found != known.end())
    return found->second;

  StringRef folder = subject.import.options.folder;
  if (folder.empty()) {
    subject.error() << "expected tensors inside of the model, which has no "
                       "folder, got external data in '"
                    << location << "'";
    return nullptr;
  }
  auto file = mapContainedFile(folder, location, "external data", "the model");
  if (!file) {
    subject.error() << llvm::toString(file.takeError());
    return nullptr;
  }
  std::shared_ptr<llvm::MemoryBuffer> buffer = std::move(*file);
  known[location] = buffer;
  return buffer;
}

std::optional<Bytes> onnx::readExternalData(const proto::Tensor &tensor,
                                            int64_t size,
                                            const Subject &subject) {
  StringRef location;
  uint64_t offset = 0, length = size;
  for (auto [key, value] : tensor.externalData) {
    uint64_t *number = key == "offset"   ? &offset
                       : key == "length" ? &length
                                         : nullptr;
    if (key == "location")
      location = value;
    else if (number && value.getAsInteger(10, *number)) {
      subject.error() << "expected a number of bytes as " << key
                      << " of external data, got '" << value << "'";
      return std::nullopt;
    }
  }
  std::shared_ptr<llvm::MemoryBuffer> file = openFile(location, subject);
  if (!file)
    return std::nullopt;
  uint64_t available = file->getBufferSize();
  if (offset > available || length > available - offset) {
    subject.error() << "expected " << length << " bytes at offset " << offset
                    << " of '" << location << "', got a file of " << available;
    return std::nullopt;
  }
  return Bytes{file->getBuffer().substr(offset, length), file};
}
