//===- Errors.cc - Errors of the C library as exceptions ------------------===//

#include "Errors.h"
#include <new>

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

static void raise(const PythonError &error) {
  Object type = importModule("isthmus.errors").attr(error.type);
  std::vector<Object> messages;
  for (const std::string &message : error.messages)
    messages.push_back(textOf(message));
  PyErr_SetObject(type.get(), type(listOf(messages)).get());
}

void raiseCurrent() {
  try {
    throw;
  } catch (const PythonError &error) {
    try {
      raise(error);
    } catch (const Raised &raised) {
      raised.restore();
    }
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::invalid_argument &error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
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
    throw std::invalid_argument(messages.front());
  throw std::runtime_error(messages.front());
}

void checkInterruptible(isthmus_error *given) {
  if (PyErr_Occurred()) {
    isthmus_error_free(given);
    throw Raised();
  }
  check(given);
}
