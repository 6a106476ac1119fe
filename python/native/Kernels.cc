//===- Kernels.cc - Kernels of custom ops in Python -----------------------===//

#include "Kernels.h"
#include "Arrays.h"
#include "Errors.h"

namespace py = pybind11;

/// Calls `function(attributes, inputs)`, which returns the outputs as arrays.
/// Returns an error message, or an empty string on success.
static std::string callPython(const py::object &function,
                              isthmus_kernel_call &call) {
  try {
    py::list inputs;
    for (int32_t i = 0; i < call.num_inputs; ++i)
      inputs.append(copyOf(call.inputs[i]));
    py::tuple arguments = py::make_tuple(call.attributes, inputs);
    // The thread most often lets other threads use the interpreter in this
    // call.
    Waiting waiting;
    PyObject *result = PyObject_CallObject(function.ptr(), arguments.ptr());
    waiting.done();
    if (!result)
      throw py::error_already_set();
    py::list outputs = py::reinterpret_steal<py::object>(result);
    if (outputs.size() != size_t(call.num_outputs))
      return "expected " + std::to_string(call.num_outputs) + " outputs, got " +
             std::to_string(outputs.size());
    for (int32_t i = 0; i < call.num_outputs; ++i)
      if (std::string mistake = copyInto(call, i, outputs[i]); !mistake.empty())
        return mistake;
    return "";
  } catch (py::error_already_set &error) {
    // A Python error that is not an Exception is not the kernel's mistake; it
    // ends the run unchanged.
    std::string mistake = error.what();
    if (!error.matches(PyExc_Exception))
      error.restore();
    return mistake;
  } catch (const std::exception &error) {
    return error.what();
  }
}

/// callPython() for a thread that may not hold the interpreter's lock. The
/// message lives until the next call on the thread.
static const char *lockAndCallPython(isthmus_kernel_call *call,
                                     void *function) {
  thread_local std::string mistake;
  WithInterpreter with;
  Waiting waiting;
  mistake = callPython(*static_cast<const py::object *>(function), *call);
  waiting.done();
  return mistake.empty() ? nullptr : mistake.c_str();
}

PythonKernels setKernels(isthmus_jit_options *options,
                         const std::map<std::string, py::object> &given) {
  PythonKernels kernels;
  for (const auto &[name, function] : given) {
    if (py::isinstance<py::int_>(function)) {
      auto address = function.cast<uintptr_t>();
      check(isthmus_jit_options_set_kernel(
          options, name.c_str(), reinterpret_cast<isthmus_kernel>(address)));
      continue;
    }
    kernels.push_back(std::make_unique<py::object>(function));
    check(isthmus_jit_options_set_kernel_with_context(
        options, name.c_str(), lockAndCallPython, kernels.back().get()));
  }
  return kernels;
}
