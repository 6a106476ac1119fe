//===- Limits.cc - Limits on a process ------------------------------------===//

#include "Limits.h"
#include "isthmus.h"
#include <chrono>
#include <csignal>
#include <new>
#include <thread>
#include <unistd.h>

namespace {

// These strings are created early, because there may be no memory when they are
// written. They are never destroyed, because other threads may still run at
// exit.
std::string &messageWithoutMemory() {
  static auto *message = new std::string;
  return *message;
}
std::string &messageWithoutFile() {
  static auto *message = new std::string;
  return *message;
}

/// Exits without cleanup: other threads run until the process ends.
[[noreturn]] void exitWith(const std::string &message) {
  // If standard error accepts no output, the exit status still reports the
  // failure.
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
  isthmus_on_out_of_memory([](void *) { exitWith(messageWithoutMemory()); },
                           nullptr);
  // This module's C++ is its own.
  std::set_new_handler([] { exitWith(messageWithoutMemory()); });
}

void exitWithoutFile(std::string message) {
  messageWithoutFile() = std::move(message);
  struct sigaction action = {};
  action.sa_handler = [](int) { exitWith(messageWithoutFile()); };
  ::sigaction(SIGBUS, &action, nullptr);
}
