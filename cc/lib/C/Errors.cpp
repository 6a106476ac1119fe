//===- Errors.cpp - Errors as values of C ---------------------------------===//

#include "Errors.h"
#include "OutOfMemory.h"
#include "isthmus/Api/Api.h"
#include "llvm/Support/ErrorHandling.h"
#include <mutex>
#include <new>

using namespace isthmus;
using namespace isthmus::c;

namespace {

/// LLVM cannot go on.
struct FatalError {
  std::string reason;
};

/// The error that needs no memory. It is never freed.
isthmus_error *const withoutMemory =
    new isthmus_error{ISTHMUS_OUT_OF_MEMORY, {"out of memory"}};

} // namespace

void c::catchFatalErrors() {
  // LLVM is built without exceptions, but its frames can be unwound.
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { runOutOfMemory(); });
    llvm::install_fatal_error_handler(
        [](void *, const char *reason, bool) { throw FatalError{reason}; });
  });
}

isthmus_error *c::currentException() {
  try {
    try {
      throw;
    } catch (const std::bad_alloc &) {
      return withoutMemory;
    } catch (const FatalError &error) {
      return failed(ISTHMUS_INTERNAL, "LLVM: " + error.reason);
    } catch (const std::exception &error) {
      return failed(ISTHMUS_INTERNAL, error.what());
    } catch (...) {
      return failed(ISTHMUS_INTERNAL, "an unknown exception");
    }
  } catch (...) { // no memory for the error
    return withoutMemory;
  }
}

isthmus_error *c::failed(isthmus_error_kind kind, const llvm::Twine &message) {
  return new isthmus_error{kind, {message.str()}};
}

static isthmus_error_kind kindOf(ModelError::Kind kind) {
  switch (kind) {
  case ModelError::Kind::BadModel:
    return ISTHMUS_BAD_MODEL;
  case ModelError::Kind::Unsupported:
    return ISTHMUS_UNSUPPORTED;
  case ModelError::Kind::MissingPart:
    return ISTHMUS_MISSING_PART;
  case ModelError::Kind::System:
    return ISTHMUS_SYSTEM;
  }
  llvm_unreachable("every kind has a constant");
}

std::string c::escaped(std::string text) {
  for (size_t at = 0; (at = text.find('\0', at)) != text.npos;)
    text.replace(at, 1, "\\00");
  return text;
}

isthmus_error *c::toC(llvm::Error error) {
  if (!error)
    return nullptr;
  auto result = std::make_unique<isthmus_error>();
  result->kind = ISTHMUS_INPUT; // of a run; other errors have a class
  llvm::handleAllErrors(
      std::move(error),
      [&](const ModelError &error) {
        result->kind = kindOf(error.kind);
        result->messages = error.messages;
      },
      [&](const KernelError &error) {
        result->kind = ISTHMUS_KERNEL;
        result->messages.push_back(error.message());
      },
      [&](const llvm::ErrorInfoBase &error) {
        result->messages.push_back(error.message());
      });
  for (std::string &message : result->messages)
    message = escaped(std::move(message));
  return result.release();
}

isthmus_error *c::expectAll(std::initializer_list<Argument> arguments) {
  for (const Argument &argument : arguments)
    if (!argument.value)
      return badArgument(llvm::Twine(argument.name) +
                         ": expected a pointer, got null");
  return nullptr;
}

int32_t isthmus_error_kind_of(const isthmus_error *error) {
  return error ? error->kind : ISTHMUS_NO_ERROR;
}

size_t isthmus_error_count(const isthmus_error *error) {
  return error ? error->messages.size() : 0;
}

const char *isthmus_error_message(const isthmus_error *error, size_t index) {
  return error ? textAt(error->messages, index) : nullptr;
}

void isthmus_error_free(isthmus_error *error) {
  if (error != withoutMemory)
    delete error;
}
