//===- Limits.cc - How much a process may use -----------------------------===//

#include "Limits.h"
#include "llvm/Support/ErrorHandling.h"
#include <chrono>
#include <new>
#include <thread>
#include <unistd.h>

namespace {

/// Without memory, there is none for the message either.
std::string &messageWithoutMemory() {
  static auto *message = new std::string; // no destructor at exit
  return *message;
}

/// Nothing is cleaned up: other threads go on until the process is gone.
[[noreturn]] void exitWith(const std::string &message) {
  // Where standard error takes nothing, the status says that it failed.
  ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  (void)written;
  ::_exit(1);
}

} // namespace

void exitAfter(double seconds, std::string message) {
  std::thread([seconds, message = std::move(message)] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    exitWith(message);
  }).detach();
}

void exitWithoutMemory(std::string message) {
  messageWithoutMemory() = std::move(message);
  std::set_new_handler([] { exitWith(messageWithoutMemory()); });
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { exitWith(messageWithoutMemory()); });
}
