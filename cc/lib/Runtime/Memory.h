//===- Memory.h - Buffers of one run --------------------------------------===//
//
// Compiled code allocates and frees while it runs. A run remembers what it has
// allocated, so that buffers that compiled code does not free itself (a loop's
// carried value, a result) are found again, and a failed run leaks nothing.
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

/// Every buffer starts at a cache line, which is also the widest vector.
constexpr size_t kBufferAlignment = 64;

/// How often a run asks whether it is to end: sooner than a person is
/// impatient, so seldom that the answer may take a while.
constexpr auto kPollEvery = std::chrono::milliseconds(100);

/// Keeps freed buffers for the next request of about their size: a model asks
/// for the same sizes again in every run, and fresh pages cost more than the
/// arithmetic on them.
class BufferPool {
public:
  /// Between guards, each buffer is a mapping of its own that ends where memory
  /// ends that may be touched, and is gone once it is given back: what is read
  /// or written beyond it ends the process.
  explicit BufferPool(bool isGuarded = false);
  BufferPool(const BufferPool &) = delete;
  ~BufferPool();

  /// Null when there is no memory. `size` becomes the true size of the buffer.
  void *take(size_t &size);
  void giveBack(void *buffer, size_t size);
  /// Forgets after some runs how much memory earlier ones took.
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
  /// Keeps no more than the latest runs had at once.
  void trim();

  bool isGuarded;
  std::mutex mutex;
  Buffers kept; // the latest first
  std::multimap<size_t, Buffers::iterator> bySize;
  size_t keptBytes = 0, takenBytes = 0;
  /// The most that was taken at once: in these runs, and in those before.
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

  /// The run that this thread works for; null between runs.
  static thread_local RunContext *current;

  void *allocate(size_t size);
  void deallocate(void *buffer);

  /// The buffer as an owned result: shared when it was taken before, empty when
  /// it is no buffer of this run (an argument, a constant).
  std::shared_ptr<void> takeOut(void *buffer);

  /// Ends the run, on the thread that began it, if it is to be ended.
  void poll();

  /// Records the first failure. The run ends when the loop that failed does.
  void recordFailure(const std::string &message, bool isOfKernel = false);
  bool hasFailed() const { return failed; }
  /// The first failure, with the name of the function before it.
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

/// Runs `body`, which may call `leave`, below which no frame has destructors to
/// run: compiled code and the functions it calls. False when it left.
bool runUntilFailure(void (*body)(void *), void *argument);
/// Ends the innermost `runUntilFailure` of this thread.
[[noreturn]] void leave();

// What compiled code calls, under the names that MLIR and this room give them.
extern "C" {
void *isthmusAlignedAlloc(size_t alignment, size_t size);
void *isthmusAlloc(size_t size);
void isthmusFree(void *buffer);
/// A turn of a loop of the program.
void isthmusPoll();
/// A failed `cf.assert`.
void isthmusFail(const char *message);
/// The same where it compares two numbers: the message tells them.
void isthmusFailComparing(const char *message, int64_t left, int64_t right);
/// The same for a `cf.assert` that is tested here: it fails if `holds` is 0.
void isthmusCheck(int64_t holds, const char *message);
void isthmusCheckComparing(int64_t holds, const char *message, int64_t left,
                           int64_t right);
}

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_MEMORY_H
