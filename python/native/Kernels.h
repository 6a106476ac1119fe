//===- Kernels.h - Kernels of custom ops in Python ------------------------===//

#ifndef ISTHMUS_PYTHON_NATIVE_KERNELS_H
#define ISTHMUS_PYTHON_NATIVE_KERNELS_H

#include "Handles.h"
#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

/// Python functions that executables call. They outlive those.
using PythonKernels = std::vector<std::unique_ptr<pybind11::object>>;

/// Sets the kernels of ops by name: a Python function, or the address of a C
/// function. Returns the Python functions.
PythonKernels setKernels(isthmus_jit_options *options,
                         const std::map<std::string, pybind11::object> &given);

#endif // ISTHMUS_PYTHON_NATIVE_KERNELS_H
