//===- FrontEnd.cpp - The list of front ends ------------------------------===//

#include "isthmus/Importer/FrontEnd.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace isthmus;

static constexpr const ModelFormat *formats[] = {&kOnnxFormat, &kPt2Format};

llvm::ArrayRef<const ModelFormat *> isthmus::modelFormats() { return formats; }

template <typename Condition>
static const ModelFormat *findIf(Condition condition) {
  const auto *found = llvm::find_if(formats, condition);
  return found == std::end(formats) ? nullptr : *found;
}

const ModelFormat *isthmus::findFormat(llvm::StringRef name) {
  return findIf(
      [&](const ModelFormat *format) { return format->name == name; });
}

const ModelFormat *isthmus::findFormatOfFile(llvm::StringRef path) {
  return findIf([&](const ModelFormat *format) {
    return path.ends_with(format->suffix);
  });
}

const ModelFormat &isthmus::recognizeFormat(llvm::StringRef start) {
  const ModelFormat *found = findIf([&](const ModelFormat *format) {
    return !format->magic.empty() && start.starts_with(format->magic);
  });
  return found ? *found : kOnnxFormat;
}

ModelRecords::ModelRecords(
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> records,
    llvm::StringRef name)
    : records(std::move(records)), name(name) {
  init(nullptr, nullptr, /*RequiresNullTerminator=*/false);
}

ModelSource ModelSource::ofFile(std::shared_ptr<llvm::MemoryBuffer> file,
                                llvm::StringRef path) {
  ModelSource source;
  source.buffer = std::move(file);
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  source.folder = folder.empty() ? "." : folder.str();
  return source;
}

llvm::StringRef ModelSource::getName() const {
  return records ? records->getBufferIdentifier()
                 : buffer->getBufferIdentifier();
}

static std::vector<const FrontEnd *> &list() {
  static auto &frontEnds = *new std::vector<const FrontEnd *>();
  return frontEnds;
}

const FrontEnd *isthmus::findFrontEnd(const ModelFormat &format) {
  auto found = llvm::find_if(list(), [&](const FrontEnd *frontEnd) {
    return frontEnd->format.name == format.name;
  });
  return found == list().end() ? nullptr : *found;
}

void isthmus::registerFrontEnd(const FrontEnd &frontEnd) {
  list().push_back(&frontEnd);
}
