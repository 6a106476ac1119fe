//===- Errors.h - Errors as values of C -------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_ERRORS_H
#define ISTHMUS_LIB_C_ERRORS_H

#include "isthmus.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

struct isthmus_error {
  isthmus_error_kind kind;
  std::vector<std::string> messages;
};

namespace isthmus::c {

/// An error with one finding.
isthmus_error *failed(isthmus_error_kind kind, const llvm::Twine &message);

/// The same for an argument of the function.
inline isthmus_error *badArgument(const llvm::Twine &message) {
  return failed(ISTHMUS_ARGUMENT, message);
}

/// A text as messages have it: a text of C ends at its first null byte, so
/// "\00" stands for one.
std::string escaped(std::string text);

/// Null for success.
isthmus_error *toC(llvm::Error error);

/// The error for an exception that is being handled.
isthmus_error *currentException();

/// Turns LLVM's fatal errors into exceptions, once.
void catchFatalErrors();

/// Calls `body`, which returns an error or null. An exception becomes an error.
template <typename Body>
isthmus_error *guarded(Body body) {
  try {
    catchFatalErrors();
    return body();
  } catch (...) {
    return currentException();
  }
}

/// Finds the first null argument of a function:
///   if (isthmus_error *error = expectAll({{"path", path}, {"model", model}}))
///     return error;
struct Argument {
  const char *name;
  const void *value;
};
isthmus_error *expectAll(std::initializer_list<Argument> arguments);

/// The text at an index of a list; null beyond the last.
template <typename List>
const char *textAt(const List &list, size_t index) {
  return index < list.size() ? list[index].c_str() : nullptr;
}

/// The same for a function with a result, which is null after an error.
template <typename T, typename Body>
isthmus_error *guarded(const char *name, T **result, Body body) {
  if (result)
    *result = nullptr;
  return guarded([&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{name, result}}))
      return error;
    return body();
  });
}

/// Makes an object of default value for the caller.
template <typename T>
isthmus_error *create(const char *name, T **result) {
  return guarded(name, result, [&]() -> isthmus_error * {
    *result = new T();
    return nullptr;
  });
}

/// Calls `body`, which changes options, if they are not null.
template <typename Options, typename Body>
isthmus_error *change(Options *options, Body body) {
  return guarded([&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"options", options}}))
      return error;
    return body();
  });
}

} // namespace isthmus::c

#endif // ISTHMUS_LIB_C_ERRORS_H
