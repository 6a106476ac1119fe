//===- ExternalData.cpp - Tensors in files beside the model ---------------===//
//
// A model names those files itself, so it is not trusted: the file must lie in
// the model's folder, links resolved, and hold the range that is asked for.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "isthmus/Support/MappedFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Maps the file at `location`; null after an error.
static std::shared_ptr<llvm::MemoryBuffer> openFile(StringRef location,
                                                    const Subject &subject) {
  auto &known = subject.import.files;
  if (auto found = known.find(location); found != known.end())
    return found->second;

  auto fail = [&](const Twine &message) {
    subject.error() << message;
    return nullptr;
  };
  StringRef folder = subject.import.options.folder;
  if (folder.empty())
    return fail("expected tensors inside of the model, which has no folder, "
                "got external data in '" +
                location + "'");
  bool climbs = llvm::is_contained(
      llvm::make_range(path::begin(location), path::end(location)), "..");
  if (location.empty() || location.contains('\0') ||
      path::is_absolute(location) || climbs)
    return fail("expected external data at a path inside of the model's "
                "folder, got '" +
                location + "'");

  SmallString<128> joined(folder), realFolder, realFile;
  path::append(joined, location);
  if (std::error_code error = fs::real_path(joined, realFile))
    return fail("expected external data in '" + joined +
                "', got: " + error.message());
  if (fs::real_path(folder, realFolder))
    return fail("expected the model's folder at '" + folder + "'");
  if (!realFolder.ends_with("/"))
    realFolder += '/';
  if (!StringRef(realFile).starts_with(realFolder))
    return fail("expected external data inside of the model's folder, got '" +
                location + "', a link to '" + realFile + "'");
  if (!fs::is_regular_file(realFile))
    return fail("expected external data in a regular file, got '" + location +
                "'");

  auto file = mapFile(realFile);
  if (!file)
    return fail("expected to read external data from '" + joined +
                "', got: " + file.getError().message());
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
