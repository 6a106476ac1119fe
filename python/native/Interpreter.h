//===- Interpreter.h - The lock of the interpreter ------------------------===//
//
// A daemon thread may be in native code when the interpreter ends. Taking the
// lock then ends the thread, by an unwinding that native frames do not survive.
// Such a thread waits here, for as long as the process lives.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_INTERPRETER_H
#define ISTHMUS_PYTHON_NATIVE_INTERPRETER_H

#include <pybind11/pybind11.h>

#include <optional>
#include <unistd.h>

/// In its scope, a thread that would end waits.
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

/// Takes the lock back. This is no part of a destructor: the compiler may end
/// the process where an unwinding reaches one, and not run that of `waiting`.
[[gnu::noinline]] inline void takeLock(PyThreadState *thread) {
  Waiting waiting;
  PyEval_RestoreThread(thread);
  waiting.done();
}

/// Lets other threads use the interpreter.
class WithoutInterpreter {
public:
  WithoutInterpreter() : thread(PyEval_SaveThread()) {}
  WithoutInterpreter(const WithoutInterpreter &) = delete;
  ~WithoutInterpreter() { takeLock(thread); }

private:
  PyThreadState *thread;
};

/// Uses the interpreter, from any thread.
class WithInterpreter {
public:
  WithInterpreter() {
    Waiting waiting;
    acquired.emplace();
    waiting.done();
  }
  WithInterpreter(const WithInterpreter &) = delete;

private:
  std::optional<pybind11::gil_scoped_acquire> acquired;
};

/// True once a signal's handler has raised, Ctrl-C's for one: what it raised is
/// the thread's error then. Of use on the main thread, where handlers run, and
/// on it alone.
inline bool hasRaised() {
  WithInterpreter interpreter;
  return PyErr_Occurred() || PyErr_CheckSignals() != 0;
}

#endif // ISTHMUS_PYTHON_NATIVE_INTERPRETER_H
