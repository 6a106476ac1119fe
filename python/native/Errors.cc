//===- Errors.cc - Errors of the C library as exceptions ------------------===//

#include "Errors.h"
#include <new>
#include <stdexcept>

namespace py = pybind11;

/// The type in isthmus.errors; null for a kind that is an exception of Python's
/// own.
static const char *typeOf(int32_t kind) {
  switch (kind) {
  case ISTHMUS_BAD_MODEL:
    return "BadModelError";
  case ISTHMUS_UNSUPPORTED:
    return "UnsupportedError";
  case ISTHMUS_MISSING_PART:
    return "MissingPartError";
  case ISTHMUS_SYSTEM:
    return "FileError";
  case ISTHMUS_INPUT:
    return "InputError";
  case ISTHMUS_KERNEL:
    return "KernelError";
  default:
    return nullptr;
  }
}

void registerErrors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const PythonError &error) {
      py::object type = py::module_::import("isthmus.errors").attr(error.type);
      py::list messages;
      for (const std::string &message : error.messages)
        messages.append(textOf(message));
      PyErr_SetObject(type.ptr(), type(messages).ptr());
    }
  });
}

py::str textOf(std::string_view text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), text.size(), "surrogateescape"));
}

void check(isthmus_error *given) {
  ErrorHandle error(given);
  if (!error)
    return;
  std::vector<std::string> messages;
  for (size_t i = 0; i < isthmus_error_count(error.get()); ++i)
    messages.push_back(isthmus_error_message(error.get(), i));
  int32_t kind = isthmus_error_kind_of(error.get());
  if (const char *type = typeOf(kind))
    throw PythonError{type, std::move(messages)};
  if (kind == ISTHMUS_OUT_OF_MEMORY)
    throw std::bad_alloc();
  if (kind == ISTHMUS_ARGUMENT)
    throw py::value_error(messages.front());
  throw std::runtime_error(messages.front());
}

void checkInterruptible(isthmus_error *given) {
  if (PyErr_Occurred()) {
    isthmus_error_free(given);
    throw py::error_already_set();
  }
  check(given);
}
