//===- Kernels.h - Kernels of custom ops in Python ------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_KERNELS_H
#define ISTHMUS_PYTHON_NATIVE_KERNELS_H

#include "Handles.h"
#include "Objects.h"

/// Python functions that executables call. They outlive those.
using PythonKernels = std::vector<std::unique_ptr<Object>>;

/// Sets the kernels of ops by name, which a dict has: a Python function, or the
/// address of a C function. Returns the Python functions.
PythonKernels setKernels(isthmus_jit_options *options, const Object &given);

#endif // ISTHMUS_PYTHON_NATIVE_KERNELS_H
