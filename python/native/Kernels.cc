//===- Kernels.cc - Kernels of custom ops in Python -----------------------===//

#include "Kernels.h"
#include "Arrays.h"
#include "Errors.h"

/// Calls `function(attributes, inputs)`, which returns the outputs as arrays.
/// Returns an error message, or an empty string on success.
static std::string callPython(const Object &function,
                              isthmus_kernel_call &call) {
  try {
    std::vector<Object> inputs;
    for (int32_t i = 0; i < call.num_inputs; ++i)
      inputs.push_back(copyOf(call.inputs[i]));
    Object attributes = toPython(std::string(call.attributes));
    Object list = listOf(inputs);
    // The thread most often lets other threads use the interpreter in this
    // call.
    Waiting waiting;
    PyObject *result = PyObject_CallFunctionObjArgs(
        function.get(), attributes.get(), list.get(), nullptr);
    waiting.done();
    auto outputs = fromPython<std::vector<Object>>(Object::made(result).get());
    if (outputs.size() != size_t(call.num_outputs))
      return "expected " + std::to_string(call.num_outputs) + " outputs, got " +
             std::to_string(outputs.size());
    for (int32_t i = 0; i < call.num_outputs; ++i)
      if (std::string mistake = copyInto(call, i, outputs[i]); !mistake.empty())
        return mistake;
    return "";
  } catch (const Raised &raised) {
    // A Python error that is not an Exception is not the kernel's mistake; it
    // ends the run unchanged.
    std::string mistake = raised.description();
    if (!raised.matches(PyExc_Exception))
      raised.restore();
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
  mistake = callPython(*static_cast<const Object *>(function), *call);
  waiting.done();
  return mistake.empty() ? nullptr : mistake.c_str();
}

PythonKernels setKernels(isthmus_jit_options *options, const Object &given) {
  PythonKernels kernels;
  forEach(given, [&](PyObject *key, PyObject *function) {
    auto name = fromPython<std::string>(key);
    if (PyLong_Check(function)) {
      auto address = fromPython<uint64_t>(function);
      check(isthmus_jit_options_set_kernel(
          options, name.c_str(), reinterpret_cast<isthmus_kernel>(address)));
      return;
    }
    kernels.push_back(std::make_unique<Object>(Object::borrowed(function)));
    check(isthmus_jit_options_set_kernel_with_context(
        options, name.c_str(), lockAndCallPython, kernels.back().get()));
  });
  return kernels;
}
