//===- Models.h - Models of C -----------------------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_C_MODELS_H
#define ISTHMUS_LIB_C_MODELS_H

#include "Errors.h"
#include "isthmus/Api/Api.h"
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace isthmus::c {

/// What a model shares with its clones, as one thread at a time may use their
/// MLIR context.
class Context {
public:
  Context();
  Context(const Context &) = delete;
  ~Context();

  /// Destroys a model while no other thread uses the context: now, or in the
  /// next call. It does not wait.
  void retire(std::unique_ptr<Model> model);
  /// Destroys the models that wait for it. The caller has the lock.
  void destroyRetired();
  /// Makes the locks new, in the child of a fork.
  void renewLocks();

  std::recursive_mutex mutex;
  /// Whether a call is in progress: a callback must not start another.
  bool isBusy = false;
  /// Whether an exception has left MLIR's data half changed.
  bool isBroken = false;

private:
  std::vector<std::unique_ptr<Model>> retired;
};

/// A model that destroys itself while no other thread uses its context.
class SharedModel {
public:
  SharedModel(Model model, std::shared_ptr<Context> context)
      : context(std::move(context)),
        model(std::make_unique<Model>(std::move(model))) {}
  SharedModel(const SharedModel &) = delete;
  ~SharedModel() { context->retire(std::move(model)); }

  const std::shared_ptr<Context> context;
  std::unique_ptr<Model> model;
};

} // namespace isthmus::c

struct isthmus_model {
  /// Executables keep it too, for its weights.
  std::shared_ptr<isthmus::c::SharedModel> shared;
};

namespace isthmus::c {

/// Calls `body` with a model that no other call uses.
template <typename Body>
isthmus_error *withModel(const isthmus_model *handle, Body body) {
  return guarded([&]() -> isthmus_error * {
    if (isthmus_error *error = expectAll({{"model", handle}}))
      return error;
    Context &context = *handle->shared->context;
    std::lock_guard<std::recursive_mutex> lock(context.mutex);
    if (context.isBusy)
      return badArgument("model: expected one that is not in use, got one in a "
                         "callback of a call with it");
    if (context.isBroken)
      return failed(ISTHMUS_INTERNAL,
                    "model: expected one that is whole, got one in which a "
                    "call ran out of memory or found a mistake of LLVM");
    context.isBusy = true;
    try {
      context.destroyRetired();
      isthmus_error *error = body(*handle->shared->model);
      context.isBusy = false;
      return error;
    } catch (...) {
      context.isBusy = false;
      context.isBroken = true;
      throw;
    }
  });
}

} // namespace isthmus::c

#endif // ISTHMUS_LIB_C_MODELS_H
