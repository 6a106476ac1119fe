//===- Open.cpp - Reading models from files and memory --------------------===//

#include "FileNames.h"
#include "Models.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace isthmus;
using namespace isthmus::c;
using llvm::StringRef;

namespace {

/// Memory of the caller, which hears when it is no longer needed.
class CallersMemory : public llvm::MemoryBuffer {
public:
  CallersMemory(StringRef bytes, StringRef name, void (*release)(void *),
                void *context)
      : name(name), release(release), context(context) {
    init(bytes.begin(), bytes.end(), /*RequiresNullTerminator=*/false);
  }
  ~CallersMemory() override {
    if (release)
      release(context);
  }

  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }
  StringRef getBufferIdentifier() const override { return name; }

private:
  std::string name;
  void (*release)(void *);
  void *context;
};

} // namespace

/// What a caller may give as the format, besides the formats of files: any of
/// the models, as their first bytes say.
static constexpr StringRef anyModel = "model";

/// The given format, or MLIR by a name; else `anyModel`.
static StringRef formatOf(const char *format, StringRef name) {
  if (format)
    return format;
  return isMlirName(name) ? StringRef(kMlirFormat) : anyModel;
}

static OpenOptions optionsOf(StringRef format) {
  return {format == anyModel ? "" : format.str()};
}

int isthmus_is_mlir_name(const char *path) { return path && isMlirName(path); }

static isthmus_error *give(llvm::Expected<Model> opened,
                           isthmus_model **model) {
  if (!opened)
    return toC(opened.takeError());
  // Every call has a handler for its errors. Nothing else is printed.
  opened->module()->getContext()->getDiagEngine().registerHandler(
      [](mlir::Diagnostic &) { return mlir::success(); });
  auto context = std::make_shared<Context>();
  *model = new isthmus_model{
      std::make_shared<SharedModel>(std::move(*opened), std::move(context))};
  return nullptr;
}

isthmus_error *isthmus_model_open(const char *path, const char *format,
                                  isthmus_model **model) {
  return guarded("model", model, [&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"path", path}}))
      return error;
    return give(Model::open(path, optionsOf(formatOf(format, path))), model);
  });
}

static isthmus_error *openBuffer(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                 const char *format, isthmus_model **model) {
  StringRef found = formatOf(format, buffer->getBufferIdentifier());
  if (!format && mlir::isBytecode(*buffer))
    found = kMlirFormat;
  return give(Model::open(std::move(buffer), optionsOf(found)), model);
}

static StringRef nameOr(const char *name) { return name ? name : "<memory>"; }

isthmus_error *isthmus_model_open_buffer(const void *data, size_t size,
                                         const char *name, const char *format,
                                         isthmus_model **model) {
  return guarded("model", model, [&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"data", data}}))
      return error;
    auto copy =
        llvm::WritableMemoryBuffer::getNewUninitMemBuffer(size, nameOr(name));
    if (!copy)
      throw std::bad_alloc();
    std::memcpy(copy->getBufferStart(), data, size);
    return openBuffer(std::move(copy), format, model);
  });
}

isthmus_error *isthmus_model_open_memory(const void *data, size_t size,
                                         void (*release)(void *context),
                                         void *context, const char *name,
                                         const char *format,
                                         isthmus_model **model) {
  std::shared_ptr<llvm::MemoryBuffer> buffer;
  isthmus_error *error = guarded("model", model, [&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"data", data}}))
      return error;
    buffer = std::make_shared<CallersMemory>(
        StringRef(static_cast<const char *>(data), size), nameOr(name), release,
        context);
    return nullptr;
  });
  if (!buffer) {
    if (release)
      release(context);
    return error;
  }
  return guarded([&] { return openBuffer(std::move(buffer), format, model); });
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

struct isthmus_records {
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
};

isthmus_error *isthmus_records_create(isthmus_records **records) {
  return create("records", records);
}

isthmus_error *isthmus_records_add(isthmus_records *records, const char *path,
                                   const void *data, size_t size,
                                   void (*release)(void *context),
                                   void *context) {
  std::unique_ptr<CallersMemory> buffer;
  isthmus_error *error = guarded([&]() -> isthmus_error * {
    if (isthmus_error *error =
            expectAll({{"records", records}, {"path", path}, {"data", data}}))
      return error;
    records->buffers.reserve(records->buffers.size() + 1);
    buffer = std::make_unique<CallersMemory>(
        StringRef(static_cast<const char *>(data), size), path, release,
        context);
    return nullptr;
  });
  if (buffer)
    records->buffers.push_back(std::move(buffer));
  else if (release)
    release(context);
  return error;
}

void isthmus_records_free(isthmus_records *records) { delete records; }

isthmus_error *isthmus_model_open_records(isthmus_records *records,
                                          const char *name,
                                          isthmus_model **model) {
  return guarded("model", model, [&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"records", records}}))
      return error;
    return give(Model::open(std::make_shared<ModelRecords>(
                    std::exchange(records->buffers, {}), nameOr(name))),
                model);
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

isthmus_error *isthmus_model_clone(const isthmus_model *model,
                                   isthmus_model **clone) {
  return guarded("clone", clone, [&] {
    return withModel(model, [&](Model &own) -> isthmus_error * {
      *clone = new isthmus_model{
          std::make_shared<SharedModel>(own.clone(), model->shared->context)};
      return nullptr;
    });
  });
}

void isthmus_model_free(isthmus_model *model) { delete model; }
