//===- Saving.cc - Files that are written ---------------------------------===//

#include "Saving.h"
#include "Errors.h"

namespace {

/// A function of Python as a callback of C, which exceptions must not leave.
struct Callback {
  /// Returns whether the work must end.
  template <typename... Arguments>
  int call(Arguments... arguments) {
    WithInterpreter with;
    try {
      function(toPython(arguments)...);
    } catch (const Raised &error) {
      raised.emplace(error);
    } catch (const std::bad_alloc &) {
      PyErr_NoMemory();
      raised.emplace();
    }
    return raised.has_value();
  }

  /// Throws what the function raised, or the error of the work.
  void check(isthmus_error *error) {
    if (raised) {
      isthmus_error_free(error);
      throw *raised;
    }
    ::check(error);
  }

  const Object &function;
  std::optional<Raised> raised = std::nullopt;
};

} // namespace

static Object pathOrNone(const char *path) {
  return *path ? textOf(path) : Object::borrowed(Py_None);
}

Object save(const Model &model, const std::string &path,
            const std::optional<std::string> &format,
            const std::string &weights, bool inPlace, bool checksums,
            const Object &progress) {
  auto owner = made<SaveOptionsHandle>(isthmus_save_options_create);
  isthmus_save_options *options = owner.get();
  if (format)
    check(isthmus_save_options_set_format(
        options, *format == "text"       ? ISTHMUS_TEXT
                 : *format == "generic"  ? ISTHMUS_GENERIC_TEXT
                 : *format == "bytecode" ? ISTHMUS_BYTECODE
                                         : ISTHMUS_TARGET_FILE));
  check(isthmus_save_options_set_weights(options, weights.c_str()));
  check(isthmus_save_options_set_in_place(options, inPlace));
  check(isthmus_save_options_set_checksums(options, checksums));
  Callback callback{progress};
  if (!progress.isNone())
    check(isthmus_save_options_set_progress(
        options,
        [](void *context, uint64_t done, uint64_t total) {
          return static_cast<Callback *>(context)->call(done, total);
        },
        &callback));
  isthmus_saved *made = nullptr;
  isthmus_error *error = unlocked([&] {
    return isthmus_model_save(model.handle.get(), path.c_str(), options, &made);
  });
  SavedHandle saved(made);
  callback.check(error);
  Object fields = Object::made(PyDict_New());
  auto set = [&](const char *name, const Object &value) {
    setItem(fields, textOf(name), value);
  };
  set("form", textOf(isthmus_saved_form(saved.get())));
  set("manifest", pathOrNone(isthmus_saved_manifest(saved.get())));
  set("file", pathOrNone(isthmus_saved_file(saved.get())));
  set("count", toPython(isthmus_saved_count(saved.get())));
  set("written", toPython(isthmus_saved_written(saved.get())));
  set("written_bytes", toPython(isthmus_saved_written_bytes(saved.get())));
  return fields;
}

void replaceFile(const std::string &path, const Object &write) {
  Callback callback{write};
  callback.check(isthmus_write_file(
      path.c_str(),
      [](void *context, int file) {
        return static_cast<Callback *>(context)->call(file);
      },
      &callback));
}
