//===- OutOfMemory.cpp - What happens without memory ----------------------===//

#include "OutOfMemory.h"
#include "isthmus.h"
#include <atomic>
#include <new>

using namespace isthmus;

namespace {

struct Handler {
  void (*function)(void *context);
  void *context;
};

/// Another thread may be about to call a handler that is replaced, so none is
/// freed.
std::atomic<const Handler *> current = nullptr;

} // namespace

void c::runOutOfMemory() {
  if (const Handler *handler = current)
    handler->function(handler->context);
  throw std::bad_alloc();
}

void isthmus_on_out_of_memory(void (*handler)(void *context), void *context) {
  if (!handler) {
    current = nullptr;
    return;
  }
  auto *made = new (std::nothrow) Handler{handler, context};
  if (!made)
    return handler(context);
  current = made;
  // operator new does not call the malloc of Memory.cpp.
  std::set_new_handler(c::runOutOfMemory);
}
