//===- Memory.cpp - Buffers of one run ------------------------------------===//

#include "Memory.h"
#include "isthmus/Runtime/Jit.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <cstdlib>
#include <pthread.h>
#include <set>
#include <sys/mman.h>

using namespace isthmus;

namespace {

/// A kept buffer may be at most this much larger than the requested size.
constexpr double kSlack = 1.25;

/// The pool keeps as much memory as the last runs, this many or twice as many,
/// had in use at once.
constexpr unsigned kRuns = 8;

thread_local jmp_buf *landing = nullptr;

size_t roundUp(size_t size) {
  return size ? (size + kBufferAlignment - 1) / kBufferAlignment *
                    kBufferAlignment
              : kBufferAlignment;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

size_t roundUpToPages(size_t size) {
  size_t page = llvm::sys::Process::getPageSizeEstimate();
  return (size + page - 1) / page * page;
}

/// A buffer with an inaccessible page on each side; it ends at the second one.
void *mapGuarded(size_t size) {
  size_t page = roundUpToPages(1), inside = roundUpToPages(size);
  void *mapping = ::mmap(nullptr, inside + 2 * page, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  char *begin = static_cast<char *>(mapping) + page;
  if (::mprotect(begin, inside, PROT_READ | PROT_WRITE)) {
    ::munmap(mapping, inside + 2 * page);
    return nullptr;
  }
  return begin + (inside - size);
}

void unmapGuarded(void *buffer, size_t size) {
  size_t page = roundUpToPages(1), inside = roundUpToPages(size);
  char *begin = static_cast<char *>(buffer) - (inside - size) - page;
  ::munmap(begin, inside + 2 * page);
}

} // namespace

//===----------------------------------------------------------------------===//
// BufferPool
//===----------------------------------------------------------------------===//

/// After a fork, only the forking thread exists in the child. It takes the
/// locks of all pools before the fork, so that no lock stays held by a missing
/// thread.
struct BufferPool::Registry {
  std::mutex mutex;
  std::set<BufferPool *> pools;
};

BufferPool::Registry &BufferPool::registry() {
  static Registry &registry = []() -> Registry & {
    ::pthread_atfork(lockAll, unlockAll, unlockAll);
    return *new Registry; // which outlives the last pool
  }();
  return registry;
}

void BufferPool::lockAll() {
  registry().mutex.lock();
  for (BufferPool *pool : registry().pools)
    pool->mutex.lock();
}

void BufferPool::unlockAll() {
  for (BufferPool *pool : registry().pools)
    pool->mutex.unlock();
  registry().mutex.unlock();
}

BufferPool::BufferPool(bool isGuarded) : isGuarded(isGuarded) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  registry().pools.insert(this);
}

BufferPool::~BufferPool() {
  {
    std::lock_guard<std::mutex> lock(registry().mutex);
    registry().pools.erase(this);
  }
  for (const Buffer &buffer : kept)
    std::free(buffer.memory);
}

void *BufferPool::take(size_t &size) {
  // A negative or overflowing product of dims arrives as a huge size.
  if (size > (size_t(1) << 48))
    return nullptr;
  size = roundUp(size);
  if (isGuarded)
    return mapGuarded(size);
  std::lock_guard<std::mutex> lock(mutex);
  void *memory;
  auto best = bySize.lower_bound(size);
  if (best != bySize.end() && best->first <= size * kSlack) {
    size = best->first;
    memory = best->second->memory;
    kept.erase(best->second);
    bySize.erase(best);
    keptBytes -= size;
  } else {
    memory = std::aligned_alloc(kBufferAlignment, size);
    if (!memory && !kept.empty()) {
      while (!kept.empty())
        release(std::prev(kept.end()));
      memory = std::aligned_alloc(kBufferAlignment, size);
    }
    if (!memory)
      return nullptr;
  }
  takenBytes += size;
  most = std::max(most, takenBytes);
  return memory;
}

void BufferPool::giveBack(void *memory, size_t size) {
  if (isGuarded)
    return unmapGuarded(memory, size);
  std::lock_guard<std::mutex> lock(mutex);
  takenBytes -= size;
  keptBytes += size;
  kept.push_front({memory, size});
  // The most recent buffer of a size is preferred: it is still in the cache.
  bySize.insert(bySize.lower_bound(size), {size, kept.begin()});
  trim();
}

void BufferPool::endRun() {
  std::lock_guard<std::mutex> lock(mutex);
  if (++runs % kRuns == 0) {
    mostBefore = most;
    most = takenBytes;
    trim();
  }
}

void BufferPool::release(Buffers::iterator buffer) {
  auto [first, last] = bySize.equal_range(buffer->size);
  bySize.erase(std::find_if(
      first, last, [&](const auto &entry) { return entry.second == buffer; }));
  keptBytes -= buffer->size;
  std::free(buffer->memory);
  kept.erase(buffer);
}

void BufferPool::trim() {
  while (keptBytes > std::max(most, mostBefore))
    release(std::prev(kept.end()));
}

//===----------------------------------------------------------------------===//
// RunContext
//===----------------------------------------------------------------------===//

thread_local RunContext *RunContext::current = nullptr;

RunContext::~RunContext() {
  for (auto &[buffer, size] : buffers)
    pool->giveBack(buffer, size);
  pool->endRun();
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
  // The next run may reuse the memory once the caller has released it.
  std::shared_ptr<void> owner(
      buffer, [pool = pool, size = found->second](void *buffer) {
        pool->giveBack(buffer, size);
      });
  buffers.erase(found);
  takenOut[buffer] = owner;
  return owner;
}

void RunContext::poll() {
  if (!interrupted || std::this_thread::get_id() != caller)
    return;
  auto now = std::chrono::steady_clock::now();
  if (now - polled < kPollEvery)
    return;
  polled = now;
  if (!interrupted())
    return;
  recordFailure("interrupted");
  leave();
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
  RunContext::current->poll();
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

void isthmus::isthmusPoll() { RunContext::current->poll(); }

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

void isthmus::isthmusCheck(int64_t holds, const char *message) {
  if (!holds)
    isthmusFail(message);
}

void isthmus::isthmusCheckComparing(int64_t holds, const char *message,
                                    int64_t left, int64_t right) {
  if (!holds)
    isthmusFailComparing(message, left, right);
}
