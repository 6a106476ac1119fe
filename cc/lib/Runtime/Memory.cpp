//===- Memory.cpp - Buffers of one run ------------------------------------===//

#include "Memory.h"
#include "isthmus/Runtime/Jit.h"

#include <cstdlib>

using namespace isthmus;

namespace {

/// A kept buffer may be at most this much larger than what is asked for.
constexpr double kSlack = 1.25;

thread_local jmp_buf *landing = nullptr;

size_t roundUp(size_t size) {
  return size ? (size + kBufferAlignment - 1) / kBufferAlignment *
                    kBufferAlignment
              : kBufferAlignment;
}

} // namespace

//===----------------------------------------------------------------------===//
// BufferPool
//===----------------------------------------------------------------------===//

BufferPool::~BufferPool() {
  for (auto &[size, buffer] : free)
    std::free(buffer);
}

void *BufferPool::take(size_t &size) {
  // A negative or overflowing product of dims arrives as a huge size.
  if (size > (size_t(1) << 48))
    return nullptr;
  size = roundUp(size);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto best = free.lower_bound(size);
    if (best != free.end() && best->first <= size * kSlack) {
      size = best->first;
      void *buffer = best->second;
      free.erase(best);
      return buffer;
    }
  }
  return std::aligned_alloc(kBufferAlignment, size);
}

void BufferPool::giveBack(void *buffer, size_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  // The most recently used of one size comes first: it is still in the cache.
  free.insert(free.lower_bound(size), {size, buffer});
}

void BufferPool::release(void *buffer) { std::free(buffer); }

//===----------------------------------------------------------------------===//
// RunContext
//===----------------------------------------------------------------------===//

thread_local RunContext *RunContext::current = nullptr;

RunContext::~RunContext() {
  for (auto &[buffer, size] : buffers)
    pool->giveBack(buffer, size);
}

void *RunContext::allocate(size_t size) {
  void *buffer = pool->take(size);
  if (!buffer)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  buffers[buffer] = size;
  return buffer;
}

void RunContext::deallocate(void *buffer) {
  size_t size;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = buffers.find(buffer);
    if (found == buffers.end())
      return;
    size = found->second;
    buffers.erase(found);
  }
  pool->giveBack(buffer, size);
}

std::shared_ptr<void> RunContext::takeOut(void *buffer) {
  std::lock_guard<std::mutex> lock(mutex);
  if (auto taken = takenOut.find(buffer); taken != takenOut.end())
    return taken->second;
  auto found = buffers.find(buffer);
  if (found == buffers.end())
    return nullptr;
  // The next run may have the memory once the caller has dropped it.
  std::shared_ptr<void> owner(
      buffer, [pool = pool, size = found->second](void *buffer) {
        pool->giveBack(buffer, size);
      });
  buffers.erase(found);
  takenOut[buffer] = owner;
  return owner;
}

void RunContext::recordFailure(const std::string &message, bool isOfKernel) {
  std::lock_guard<std::mutex> lock(mutex);
  if (failed)
    return;
  failure = message;
  isKernels = isOfKernel;
  failed = true;
}

llvm::Error RunContext::takeFailure(llvm::StringRef function) const {
  std::string text = ("function '" + function + "': " + failure).str();
  if (isKernels)
    return llvm::make_error<KernelError>(std::move(text));
  return llvm::createStringError(text);
}

//===----------------------------------------------------------------------===//
// Failing out of compiled code
//===----------------------------------------------------------------------===//

bool isthmus::runUntilFailure(void (*body)(void *), void *argument) {
  jmp_buf here;
  jmp_buf *outer = landing;
  landing = &here;
  bool finished = setjmp(here) == 0;
  if (finished)
    body(argument);
  landing = outer;
  return finished;
}

void isthmus::leave() { longjmp(*landing, 1); }

void *isthmus::isthmusAlloc(size_t size) {
  void *buffer = RunContext::current->allocate(size);
  if (buffer)
    return buffer;
  RunContext::current->recordFailure("out of memory: a tensor of " +
                                     std::to_string(size) + " bytes");
  leave();
}

void *isthmus::isthmusAlignedAlloc(size_t, size_t size) {
  return isthmusAlloc(size);
}

void isthmus::isthmusFree(void *buffer) {
  RunContext::current->deallocate(buffer);
}

void isthmus::isthmusFail(const char *message) {
  RunContext::current->recordFailure(message);
  leave();
}

void isthmus::isthmusFailComparing(const char *message, int64_t left,
                                   int64_t right) {
  RunContext::current->recordFailure(std::string(message) + ", got " +
                                     std::to_string(left) + " and " +
                                     std::to_string(right));
  leave();
}
