//===- Contexts.cpp - What a model shares with its clones -----------------===//
//
// A fork copies locks as they are, but only the thread that forks. So the child
// makes the locks of all contexts new.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include <new>
#include <pthread.h>
#include <set>

using namespace isthmus;
using namespace isthmus::c;

namespace {

struct Contexts {
  /// Of the set and of the lists of retired models. A fork waits for it, so
  /// that these are whole in the child.
  std::mutex mutex;
  std::set<Context *> all;
};

} // namespace

/// The contexts of this process. They are never destroyed: a thread may use a
/// model while the process ends.
static Contexts &contexts() {
  static Contexts *contexts = [] {
    auto before = [] { ::contexts().mutex.lock(); };
    auto after = [] { ::contexts().mutex.unlock(); };
    auto inChild = [] {
      for (Context *context : ::contexts().all)
        context->renewLocks();
      ::contexts().mutex.unlock();
    };
    ::pthread_atfork(before, after, inChild);
    return new Contexts;
  }();
  return *contexts;
}

Context::Context() {
  std::lock_guard<std::mutex> lock(contexts().mutex);
  contexts().all.insert(this);
}

Context::~Context() {
  {
    std::lock_guard<std::mutex> lock(contexts().mutex);
    contexts().all.erase(this);
  }
  if (isBroken)
    for (std::unique_ptr<Model> &model : retired)
      (void)model.release();
}

void Context::renewLocks() {
  // A lock that another thread held cannot be destroyed.
  new (&mutex) std::recursive_mutex;
  isBusy = false;
}

void Context::retire(std::unique_ptr<Model> model) {
  std::unique_lock<std::recursive_mutex> lock(mutex, std::try_to_lock);
  if (!lock) {
    std::lock_guard<std::mutex> guard(contexts().mutex);
    retired.push_back(std::move(model));
    return;
  }
  if (isBroken)
    (void)model.release();
  model.reset(); // while the lock is held
}

void Context::destroyRetired() {
  std::vector<std::unique_ptr<Model>> models;
  {
    std::lock_guard<std::mutex> guard(contexts().mutex);
    models.swap(retired);
  }
}
