//===- Write.cpp - Programs as text, bytecode and files -------------------===//

#include "FileNames.h"
#include "Models.h"
#include "Streams.h"
#include "isthmus/Api/WeightForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace isthmus;
using namespace isthmus::c;

struct isthmus_save_options {
  SaveOptions options;
  /// Whether the file's name decides the format.
  bool isFormatOpen = true;
  isthmus_progress progress = nullptr;
  void *context = nullptr;
};

struct isthmus_saved {
  SavedWeights weights;
};

/// Whether a caller's number is one of isthmus_format.
static bool isFormat(int32_t format) {
  return format >= ISTHMUS_TEXT && format <= ISTHMUS_GENERIC_TEXT;
}

static Format toFormat(int32_t format) {
  switch (format) {
  case ISTHMUS_BYTECODE:
    return Format::Bytecode;
  case ISTHMUS_GENERIC_TEXT:
    return Format::GenericText;
  case ISTHMUS_TARGET_FILE:
    return Format::TargetFile;
  default:
    return Format::Text;
  }
}

isthmus_error *isthmus_model_write(const isthmus_model *model, int32_t format,
                                   isthmus_write write, void *context) {
  return withModel(model, [&](const Model &own) -> isthmus_error * {
    if (!isFormat(format))
      return badArgument("format: expected an isthmus_format, got " +
                         llvm::Twine(format));
    return writeTo(write, context, [&](llvm::raw_ostream &os) {
      return own.write(os, toFormat(format), format == ISTHMUS_ELIDED_TEXT);
    });
  });
}

//===----------------------------------------------------------------------===//
// Options of files
//===----------------------------------------------------------------------===//

isthmus_error *isthmus_save_options_create(isthmus_save_options **options) {
  return create("options", options);
}

void isthmus_save_options_free(isthmus_save_options *options) {
  delete options;
}

isthmus_error *isthmus_save_options_set_format(isthmus_save_options *options,
                                               int32_t format) {
  return change(options, [&]() -> isthmus_error * {
    if (!isFormat(format) || format == ISTHMUS_ELIDED_TEXT)
      return badArgument("format: expected ISTHMUS_TEXT, ISTHMUS_BYTECODE, "
                         "ISTHMUS_TARGET_FILE or ISTHMUS_GENERIC_TEXT, got " +
                         llvm::Twine(format));
    options->isFormatOpen = false;
    options->options.format = toFormat(format);
    return nullptr;
  });
}

isthmus_error *isthmus_save_options_set_weights(isthmus_save_options *options,
                                                const char *form) {
  return change(options, [&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"form", form}}))
      return error;
    std::optional<WeightForm> found = weightFormNamed(form);
    if (!found) {
      auto names = llvm::map_range(kWeightForms,
                                   [](const auto &each) { return each.first; });
      return badArgument("form: expected '" + llvm::join(names, "' or '") +
                         "', got '" + form + "'");
    }
    options->options.weights = *found;
    return nullptr;
  });
}

isthmus_error *isthmus_save_options_set_in_place(isthmus_save_options *options,
                                                 int in_place) {
  return change(options, [&]() -> isthmus_error * {
    options->options.inPlace = in_place;
    return nullptr;
  });
}

isthmus_error *isthmus_save_options_set_checksums(isthmus_save_options *options,
                                                  int checksums) {
  return change(options, [&]() -> isthmus_error * {
    options->options.checksums = checksums;
    return nullptr;
  });
}

isthmus_error *
isthmus_save_options_set_min_weight_bytes(isthmus_save_options *options,
                                          int64_t bytes) {
  return change(options, [&]() -> isthmus_error * {
    if (bytes < 0)
      return badArgument("bytes: expected a size, got " + llvm::Twine(bytes));
    options->options.minWeightBytes = bytes;
    return nullptr;
  });
}

isthmus_error *isthmus_save_options_set_progress(isthmus_save_options *options,
                                                 isthmus_progress progress,
                                                 void *context) {
  return change(options, [&]() -> isthmus_error * {
    options->progress = progress;
    options->context = context;
    return nullptr;
  });
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

isthmus_error *isthmus_model_save(const isthmus_model *model, const char *path,
                                  const isthmus_save_options *given,
                                  isthmus_saved **saved) {
  if (saved)
    *saved = nullptr;
  return withModel(model, [&](const Model &own) -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"path", path}}))
      return error;
    bool hasStopped = false;
    SaveOptions options = given ? given->options : SaveOptions();
    if (!given || given->isFormatOpen)
      options.format = formatNamed(path);
    if (given && given->progress)
      options.progress = [&](uint64_t written, uint64_t total) {
        hasStopped |= given->progress(given->context, written, total) != 0;
        return !hasStopped;
      };
    auto result = own.save(path, options);
    if (!result)
      return finishWriting(result.takeError(), hasStopped);
    if (saved)
      *saved = new isthmus_saved{std::move(*result)};
    return nullptr;
  });
}

const char *isthmus_saved_form(const isthmus_saved *saved) {
  return saved ? nameOf(saved->weights.form).data() : nullptr;
}

const char *isthmus_saved_manifest(const isthmus_saved *saved) {
  return saved ? saved->weights.manifest.c_str() : nullptr;
}

const char *isthmus_saved_file(const isthmus_saved *saved) {
  return saved ? saved->weights.file.c_str() : nullptr;
}

uint64_t isthmus_saved_count(const isthmus_saved *saved) {
  return saved ? saved->weights.count : 0;
}

uint64_t isthmus_saved_written(const isthmus_saved *saved) {
  return saved ? saved->weights.written : 0;
}

uint64_t isthmus_saved_written_bytes(const isthmus_saved *saved) {
  return saved ? saved->weights.writtenBytes : 0;
}

void isthmus_saved_free(isthmus_saved *saved) { delete saved; }

isthmus_error *isthmus_write_file(const char *path, isthmus_write_to write,
                                  void *context) {
  return guarded([&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"path", path}}))
      return error;
    if (!write)
      return badArgument("write: expected a function, got null");
    bool hasStopped = false;
    llvm::Error error = writeFile(path, [&](int file) -> llvm::Error {
      hasStopped = write(context, file) != 0;
      if (hasStopped)
        return llvm::createStringError("stopped");
      return llvm::Error::success();
    });
    return finishWriting(std::move(error), hasStopped);
  });
}
