//===- Memory.h - Buffers of one run --------------------------------------===//
//
// Compiled code allocates and frees at run time. A run records its allocations,
// so that it can find buffers that compiled code does not free itself (a loop's
// carried value, a result), and a failed run leaks nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_MEMORY_H
#define ISTHMUS_LIB_RUNTIME_MEMORY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace isthmus {

/// Every buffer is aligned to a cache line, which is also the widest vector.
constexpr size_t kBufferAlignment = 64;

/// How often a run checks whether to stop: often enough for an interactive
/// user, rarely enough that the check may be slow.
constexpr auto kPollEvery = std::chrono::milliseconds(100);

/// Keeps freed buffers for the next request of about their size: a model
/// requests the same sizes again in every run, and fresh pages cost more than
/// the arithmetic on them.
class BufferPool {
public:
  /// With guards, each buffer is a separate mapping that ends at an
  /// inaccessible page and is unmapped when it is given back: an access beyond
  /// the buffer ends the process.
  explicit BufferPool(bool isGuarded = false);
  BufferPool(const BufferPool &) = delete;
  ~BufferPool();

  /// Null if out of memory. `size` becomes the actual size of the buffer.
  void *take(size_t &size);
  void giveBack(void *buffer, size_t size);
  /// After some runs, forgets how much memory earlier runs used.
  void endRun();

private:
  struct Buffer {
    void *memory;
    size_t size;
  };
  using Buffers = std::list<Buffer>;

  /// All pools, for a fork.
  struct Registry;
  static Registry &registry();
  static void lockAll();
  static void unlockAll();

  void release(Buffers::iterator buffer);
  /// Keeps at most the peak memory of the recent runs.
  void trim();

  bool isGuarded;
  std::mutex mutex;
  Buffers kept; // most recent first
  std::multimap<size_t, Buffers::iterator> bySize;
  size_t keptBytes = 0, takenBytes = 0;
  /// Peak memory in use: in the current group of runs, and in the previous one.
  size_t most = 0, mostBefore = 0;
  unsigned runs = 0;
};

class ThreadPool;

/// One run of a function: its buffers, its threads, and how it fails.
class RunContext {
public:
  RunContext(std::shared_ptr<BufferPool> pool, ThreadPool &threads,
             const std::function<bool()> &interrupted)
      : threads(threads), pool(std::move(pool)), interrupted(interrupted) {}
  ~RunContext();

  ThreadPool &threads;

  /// The current run of this thread; null between runs.
  static thread_local RunContext *current;

  void *allocate(size_t size);
  void deallocate(void *buffer);

  /// The buffer as an owned result: shared if it was taken before, empty if it
  /// is not a buffer of this run (an argument, a constant).
  std::shared_ptr<void> takeOut(void *buffer);

  /// Ends the run if it was interrupted; only on the thread that started it.
  void poll();

  /// Records the first failure. The run ends when the loop that failed does.
  void recordFailure(const std::string &message, bool isOfKernel = false);
  bool hasFailed() const { return failed; }
  /// The first failure, prefixed with the name of the function.
  llvm::Error takeFailure(llvm::StringRef function) const;

private:
  std::shared_ptr<BufferPool> pool;
  const std::function<bool()> &interrupted;
  std::thread::id caller = std::this_thread::get_id();
  std::chrono::steady_clock::time_point polled =
      std::chrono::steady_clock::now();
  std::mutex mutex;
  llvm::DenseMap<void *, size_t> buffers;
  llvm::DenseMap<void *, std::shared_ptr<void>> takenOut;
  std::string failure;
  bool isKernels = false;
  std::atomic<bool> failed{false};
};

/// Runs `body`, which may call `leave`. All frames between the two must have no
/// destructors to run: compiled code and the functions it calls. Returns false
/// if `leave` was called.
bool runUntilFailure(void (*body)(void *), void *argument);
/// Ends the innermost `runUntilFailure` of this thread.
[[noreturn]] void leave();

// Called by compiled code, under the names that MLIR and this folder use.
extern "C" {
void *isthmusAlignedAlloc(size_t alignment, size_t size);
void *isthmusAlloc(size_t size);
void isthmusFree(void *buffer);
/// Called in each iteration of a loop of the program.
void isthmusPoll();
/// Reports a failed `cf.assert`.
void isthmusFail(const char *message);
/// The same for a comparison of two numbers: the message contains them.
void isthmusFailComparing(const char *message, int64_t left, int64_t right);
/// The same for a `cf.assert` that is tested here: it fails if `holds` is 0.
void isthmusCheck(int64_t holds, const char *message);
void isthmusCheckComparing(int64_t holds, const char *message, int64_t left,
                           int64_t right);
}

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_MEMORY_H
