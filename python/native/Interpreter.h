//===- Interpreter.h - The interpreter's lock -----------------------------===//
//
// A daemon thread may be in native code when the interpreter ends. Taking the
// lock then ends the thread by stack unwinding, which native frames do not
// survive. Here, such a thread waits until the process ends.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_INTERPRETER_H
#define ISTHMUS_PYTHON_NATIVE_INTERPRETER_H

#include "Objects.h"
#include <unistd.h>

/// A thread that would end in the scope of this object waits instead.
class Waiting {
public:
  ~Waiting() {
    while (!isDone)
      ::pause();
  }
  void done() { isDone = true; }

private:
  bool isDone = false;
};

/// Takes the lock back. This is a separate function, not part of a destructor:
/// the compiler may end the process when unwinding reaches a destructor,
/// without running the destructor of `waiting`.
[[gnu::noinline]] inline void takeLock(PyThreadState *thread) {
  Waiting waiting;
  PyEval_RestoreThread(thread);
  waiting.done();
}

/// Releases the lock in its scope, so that other threads can use the
/// interpreter.
class WithoutInterpreter {
public:
  WithoutInterpreter() : thread(PyEval_SaveThread()) {}
  WithoutInterpreter(const WithoutInterpreter &) = delete;
  ~WithoutInterpreter() { takeLock(thread); }

private:
  PyThreadState *thread;
};

/// Holds the lock in its scope, on any thread.
class WithInterpreter {
public:
  WithInterpreter() {
    Waiting waiting;
    state = PyGILState_Ensure();
    waiting.done();
  }
  WithInterpreter(const WithInterpreter &) = delete;
  ~WithInterpreter() { PyGILState_Release(state); }

private:
  PyGILState_STATE state;
};

/// Whether a signal handler, such as that of Ctrl-C, has raised an exception.
/// The exception is then the Python error of the thread. This is useful only on
/// the main thread, where handlers run.
inline bool hasRaised() {
  WithInterpreter interpreter;
  return PyErr_Occurred() || PyErr_CheckSignals() != 0;
}

#endif // ISTHMUS_PYTHON_NATIVE_INTERPRETER_H
