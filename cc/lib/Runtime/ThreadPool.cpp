//===- ThreadPool.cpp - Threads for parallel loops ------------------------===//

#include "ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <unistd.h>

using namespace isthmus;

namespace {

/// How long a worker polls for the next loop before it goes to sleep: longer
/// than the gap between two loops of one model, too short to be noticeable.
constexpr auto kPatience = std::chrono::microseconds(200);

/// One iteration of a spin-wait. On a busy machine, the awaited thread may need
/// this core.
void relax(unsigned turn) {
  if (turn % 1024 == 0)
    std::this_thread::yield();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

} // namespace

ThreadPool::ThreadPool(unsigned threads) : process(::getpid()) {
  // If a limit prevents starting more threads, the threads already started
  // share the work.
  try {
    for (unsigned i = 1; i < threads; ++i)
      workers.emplace_back([this] { work(); });
  } catch (const std::system_error &) {
  } catch (const std::bad_alloc &) {
  }
}

ThreadPool::~ThreadPool() {
  if (::getpid() != process) {
    // A forked process has no workers: there are none to join or to wake.
    new std::vector<std::thread>(std::move(workers));
    (void)sleep.release();
    return;
  }
  {
    std::lock_guard<std::mutex> lock(sleep->mutex);
    stop = true;
  }
  sleep->wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::takePart(Loop &loop) {
  while (true) {
    int64_t begin = loop.next.fetch_add(loop.grain, std::memory_order_relaxed);
    if (begin >= loop.iterations)
      return;
    loop.body(loop.context, begin,
              std::min(begin + loop.grain, loop.iterations));
  }
}

void ThreadPool::run(Body body, void *context, int64_t iterations) {
  if (workers.empty() || iterations <= 1 || !running.try_lock()) {
    if (iterations > 0)
      body(context, 0, iterations);
    return;
  }
  std::lock_guard<std::mutex> lock(running, std::adopt_lock);

  // Small grains balance threads of different speeds; large grains need fewer
  // atomic operations.
  Loop mine{body, context, iterations,
            std::max<int64_t>(1, iterations / (int64_t(size()) * 8))};
  loop = &mine;
  participants.store(0, std::memory_order_release);
  generation.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers.load(std::memory_order_seq_cst)) {
    std::lock_guard<std::mutex> lock(sleep->mutex);
    sleep->wake.notify_all();
  }
  takePart(mine);
  int none = 0;
  for (unsigned turn = 1; !participants.compare_exchange_weak(
           none, kClosed, std::memory_order_acq_rel);
       ++turn, none = 0)
    relax(turn);
}

bool ThreadPool::enter() {
  int count = participants.load(std::memory_order_relaxed);
  while (count != kClosed)
    if (participants.compare_exchange_weak(count, count + 1,
                                           std::memory_order_acq_rel))
      return true;
  return false;
}

void ThreadPool::work() {
  uint64_t seen = 0;
  while (true) {
    auto deadline = std::chrono::steady_clock::now() + kPatience;
    for (unsigned turn = 1; generation.load(std::memory_order_acquire) == seen;
         ++turn) {
      if (turn % 64 == 0 && std::chrono::steady_clock::now() > deadline) {
        std::unique_lock<std::mutex> lock(sleep->mutex);
        sleepers.fetch_add(1, std::memory_order_seq_cst);
        sleep->wake.wait(lock, [&] {
          return stop || generation.load(std::memory_order_seq_cst) != seen;
        });
        sleepers.fetch_sub(1, std::memory_order_seq_cst);
        if (stop)
          return;
        break;
      }
      if (stop)
        return;
      relax(turn);
    }
    seen = generation.load(std::memory_order_acquire);
    if (!enter())
      continue;
    takePart(*loop);
    participants.fetch_sub(1, std::memory_order_release);
  }
}
