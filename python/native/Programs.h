//===- Programs.h - Programs as native code -------------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_PROGRAMS_H
#define ISTHMUS_PYTHON_NATIVE_PROGRAMS_H

#include "Handles.h"
#include "Kernels.h"
#include "Models.h"

/// _native.Program. The executable is freed before the kernels that it calls.
struct Program {
  PythonKernels kernels;
  ExecutableHandle handle;
};

/// Compiles a model; the arguments after it are those of `Model.compile`.
Program compile(const Model &model, uint64_t threads, bool checkBounds,
                bool optimize, const Object &kernels, bool trust);

/// Adds the class.
void bindPrograms(PyObject *module);

#endif // ISTHMUS_PYTHON_NATIVE_PROGRAMS_H
