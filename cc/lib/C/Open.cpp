//===- Open.cpp - Reading models from files and memory --------------------===//

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

/// The given format, or MLIR by a name; else empty.
static std::string formatOf(const char *format, StringRef name) {
  if (format)
    return format;
  bool isMlir = name.ends_with(".mlir") || name.ends_with(".mlirbc");
  return isMlir ? kMlirFormat.str() : "";
}

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
    return give(Model::open(path, {formatOf(format, path)}), model);
  });
}

static isthmus_error *openBuffer(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                 const char *format, isthmus_model **model) {
  OpenOptions options{formatOf(format, buffer->getBufferIdentifier())};
  if (options.format.empty() && mlir::isBytecode(*buffer))
    options.format = kMlirFormat.str();
  return give(Model::open(std::move(buffer), options), model);
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
