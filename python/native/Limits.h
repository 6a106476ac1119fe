//===- Limits.h - Limits on a process -------------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_LIMITS_H
#define ISTHMUS_PYTHON_NATIVE_LIMITS_H

#include <string>

/// Ends the process with status 1, and with `message` on standard error, after
/// `seconds`, whatever it does at that time.
void exitAfter(double seconds, std::string message);

/// Does the same when native code cannot allocate memory that it needs. A later
/// call replaces the message.
void exitWithoutMemory(std::string message);

/// Does the same when a file becomes shorter while it is read in place, so that
/// its memory is gone (SIGBUS).
void exitWithoutFile(std::string message);

#endif // ISTHMUS_PYTHON_NATIVE_LIMITS_H
