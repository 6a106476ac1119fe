//===- Errors.h - Errors of the C library as exceptions ---------*- C++ -*-===//

#ifndef ISTHMUS_PYTHON_NATIVE_ERRORS_H
#define ISTHMUS_PYTHON_NATIVE_ERRORS_H

#include "Handles.h"
#include "Interpreter.h"
#include <stdexcept>

/// An exception type of isthmus.errors, with the messages of its object.
struct PythonError {
  const char *type;
  std::vector<std::string> messages;
};

/// Makes the exception of C++ that is being handled one of Python. Does not
/// return for what is none: a thread that ends.
void raiseCurrent();

/// Returns what `body` makes for Python; null if it throws.
template <typename Body>
PyObject *guarded(Body body) {
  try {
    return body().release();
  } catch (const Raised &raised) {
    raised.restore();
  } catch (const PythonError &) {
    raiseCurrent();
  } catch (const std::exception &) {
    raiseCurrent();
  }
  return nullptr;
}

/// Throws an error, and frees it.
void check(isthmus_error *error);

/// The same for an operation that a signal handler may have ended: if the
/// handler raised an exception, throws that exception.
void checkInterruptible(isthmus_error *error);

/// Returns what `call` makes; it takes the place for the object and returns an
/// error.
///   made<ModelHandle>([&](auto **model) {
///     return isthmus_model_open(path, format, model);
///   });
template <typename Owner, typename Call>
Owner made(Call call) {
  typename Owner::pointer object = nullptr;
  isthmus_error *error = call(&object);
  Owner owner(object);
  check(error);
  return owner;
}

/// Calls `body` while other threads may use the interpreter. A call that waits
/// for a model must do so: the thread that has the model may wait for the lock.
template <typename Body>
auto unlocked(Body body) {
  WithoutInterpreter without;
  return body();
}

#endif // ISTHMUS_PYTHON_NATIVE_ERRORS_H
