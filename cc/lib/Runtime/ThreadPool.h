//===- ThreadPool.h - Threads for parallel loops --------------------------===//
//
// Loops of a model take tens of microseconds each, so waking a sleeping thread
// would cost as much as the loop. Workers poll for work for a short while
// before they go to sleep.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_RUNTIME_THREADPOOL_H
#define ISTHMUS_LIB_RUNTIME_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace isthmus {

class ThreadPool {
public:
  /// A body processes the iterations [begin, end).
  using Body = void (*)(void *context, int64_t begin, int64_t end);

  /// `threads` includes the thread that calls `run`. The pool has fewer threads
  /// if the system cannot start more.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();

  unsigned size() const { return workers.size() + 1; }

  /// Runs all iterations, some of them on the calling thread, and returns when
  /// they are done. One loop at a time uses the workers; if they are busy, a
  /// loop runs entirely on the calling thread.
  void run(Body body, void *context, int64_t iterations);

private:
  /// One parallel loop, on the stack of the thread that runs it.
  struct Loop {
    Body body;
    void *context;
    int64_t iterations;
    int64_t grain;
    std::atomic<int64_t> next{0};
  };

  static void takePart(Loop &loop);
  bool enter();
  void work();

  /// The destructor of a condition variable waits for its waiting threads. A
  /// forked process does not have these threads, so it does not destroy the
  /// condition variable.
  struct Sleep {
    std::mutex mutex;
    std::condition_variable wake;
  };

  pid_t process;
  std::vector<std::thread> workers;
  std::mutex running;
  std::unique_ptr<Sleep> sleep = std::make_unique<Sleep>();
  std::atomic<unsigned> sleepers{0};
  std::atomic<bool> stop{false};
  /// Counts the loops, so that a worker processes each loop once.
  std::atomic<uint64_t> generation{0};
  /// Number of workers inside the current loop; kClosed when none may enter. A
  /// loop does not wait for a worker that is still asleep when the work is
  /// done.
  static constexpr int kClosed = -1;
  std::atomic<int> participants{kClosed};
  Loop *loop = nullptr;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_RUNTIME_THREADPOOL_H
