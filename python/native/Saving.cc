//===- Saving.cc - Files that are written ---------------------------------===//

#include "Saving.h"
#include "Errors.h"

namespace py = pybind11;

namespace {

/// A function of Python as a callback of C, which exceptions must not leave.
template <typename Function>
struct Callback {
  /// Returns whether the work must end.
  template <typename... Arguments>
  int call(Arguments... arguments) {
    try {
      function(arguments...);
    } catch (...) {
      raised = std::current_exception();
    }
    return raised != nullptr;
  }

  /// Throws what the function raised, or the error of the work.
  void check(isthmus_error *error) {
    if (raised) {
      isthmus_error_free(error);
      std::rethrow_exception(raised);
    }
    ::check(error);
  }

  const Function &function;
  std::exception_ptr raised = nullptr;
};

} // namespace

static py::object pathOrNone(const char *path) {
  return *path ? py::object(textOf(path)) : py::none();
}

py::dict save(const Model &model, const std::string &path,
              const std::optional<std::string> &format,
              const std::string &weights, bool inPlace, bool checksums,
              const std::function<void(uint64_t, uint64_t)> &progress) {
  auto owner = made<SaveOptionsHandle>(isthmus_save_options_create);
  isthmus_save_options *options = owner.get();
  if (format)
    check(isthmus_save_options_set_format(
        options, *format == "text"       ? ISTHMUS_TEXT
                 : *format == "bytecode" ? ISTHMUS_BYTECODE
                                         : ISTHMUS_TARGET_FILE));
  check(isthmus_save_options_set_weights(options, weights.c_str()));
  check(isthmus_save_options_set_in_place(options, inPlace));
  check(isthmus_save_options_set_checksums(options, checksums));
  Callback<std::function<void(uint64_t, uint64_t)>> callback{progress};
  if (progress)
    check(isthmus_save_options_set_progress(
        options,
        [](void *context, uint64_t done, uint64_t total) {
          return static_cast<decltype(callback) *>(context)->call(done, total);
        },
        &callback));
  isthmus_saved *made = nullptr;
  isthmus_error *error = unlocked([&] {
    return isthmus_model_save(model.handle.get(), path.c_str(), options, &made);
  });
  SavedHandle saved(made);
  callback.check(error);
  py::dict fields;
  fields["form"] = isthmus_saved_form(saved.get());
  fields["manifest"] = pathOrNone(isthmus_saved_manifest(saved.get()));
  fields["file"] = pathOrNone(isthmus_saved_file(saved.get()));
  fields["count"] = isthmus_saved_count(saved.get());
  fields["written"] = isthmus_saved_written(saved.get());
  fields["written_bytes"] = isthmus_saved_written_bytes(saved.get());
  return fields;
}

void replaceFile(const std::string &path,
                 const std::function<void(int)> &write) {
  Callback<std::function<void(int)>> callback{write};
  callback.check(isthmus_write_file(
      path.c_str(),
      [](void *context, int file) {
        return static_cast<decltype(callback) *>(context)->call(file);
      },
      &callback));
}
