//===- Limits.h - How much a process may use ------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_LIMITS_H
#define ISTHMUS_PYTHON_NATIVE_LIMITS_H

#include <string>

/// Ends the process with status 1, and with `message` on standard error, after
/// `seconds` of time, whatever it does then.
void exitAfter(double seconds, std::string message);

/// The same where native code gets no memory that it cannot do without. The
/// last message counts.
void exitWithoutMemory(std::string message);

/// The same where a file became shorter while it was read in place: its memory
/// is gone (SIGBUS).
void exitWithoutFile(std::string message);

#endif // ISTHMUS_PYTHON_NATIVE_LIMITS_H
