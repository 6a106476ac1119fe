//===- Programs.cc - Programs as native code ------------------------------===//

#include "Programs.h"
#include "Arrays.h"
#include "Bind.h"
#include <thread>

/// Signal handlers run on the thread that imports the module, or on no thread.
static const std::thread::id mainThread = std::this_thread::get_id();

/// Whether a compilation or a run must stop.
static int isInterrupted(void *) {
  return std::this_thread::get_id() == mainThread && hasRaised();
}

Program compile(const Model &model, uint64_t threads, bool checkBounds,
                bool optimize, const Object &kernels, bool trust) {
  auto owner = made<JitOptionsHandle>(isthmus_jit_options_create);
  isthmus_jit_options *options = owner.get();
  check(isthmus_jit_options_set_threads(options, threads));
  check(isthmus_jit_options_set_check_bounds(options, checkBounds));
  check(isthmus_jit_options_set_optimize(options, optimize));
  check(isthmus_jit_options_set_trust(options, trust));
  check(isthmus_jit_options_set_interrupted(options, isInterrupted, nullptr));
  Program program;
  program.kernels = setKernels(options, kernels);
  isthmus_executable *executable = nullptr;
  isthmus_error *error = unlocked([&] {
    return isthmus_model_compile(model.handle.get(), options, &executable);
  });
  program.handle.reset(executable);
  checkInterruptible(error);
  return program;
}

static std::string nameAt(const Program &program, size_t index) {
  return isthmus_executable_function_name(program.handle.get(), index);
}

/// Names as bytes, which may be any.
static Object functions(const Program &program) {
  std::vector<Object> names;
  size_t count = isthmus_executable_function_count(program.handle.get());
  for (size_t i = 0; i < count; ++i)
    names.push_back(bytesOf(nameAt(program, i)));
  return listOf(names);
}

static bool isStateful(const Program &program) {
  return isthmus_executable_is_stateful(program.handle.get()) != 0;
}

/// The name as C takes it. The first function needs none, so its name may have
/// a null byte.
static const char *toC(const Program &program, const std::string &function) {
  return function == nameAt(program, 0) ? nullptr : function.c_str();
}

/// (name, dtype, the model's own dtype) per parameter, with NumPy's dtype
/// names. `get` is isthmus_signature_input or isthmus_signature_output.
template <typename Get>
static Object describe(const isthmus_signature *signature, size_t count,
                       Get get) {
  std::vector<Object> list;
  for (size_t i = 0; i < count; ++i) {
    const isthmus_parameter *parameter = get(signature, i);
    std::string dtype = dtypeName(isthmus_parameter_element_type(parameter));
    std::string own = isthmus_parameter_dtype(parameter);
    list.push_back(tupleOf(textOf(isthmus_parameter_name(parameter)), dtype,
                           own.empty() ? dtype : dtypeName(own)));
  }
  return listOf(list);
}

/// The inputs and outputs of a function that the program has.
static Object signature(const Program &program, const std::string &function) {
  const isthmus_signature *known = isthmus_executable_signature(
      program.handle.get(), toC(program, function));
  if (!known)
    throw std::invalid_argument("no function is called " + function);
  return tupleOf(describe(known, isthmus_signature_input_count(known),
                          isthmus_signature_input),
                 describe(known, isthmus_signature_output_count(known),
                          isthmus_signature_output));
}

static std::vector<ArrayView> viewsOf(const Object &arrays) {
  std::vector<ArrayView> views;
  for (const Object &array : fromPython<std::vector<Object>>(arrays.get())) {
    try {
      views.emplace_back(array);
    } catch (const std::invalid_argument &error) {
      throw PythonError{
          "InputError",
          {"input " + std::to_string(views.size()) + ": " + error.what()}};
    }
  }
  return views;
}

static Object run(Program &program, const std::string &function,
                  const Object &arrays) {
  std::vector<ArrayView> views = viewsOf(arrays);
  std::vector<isthmus_tensor> inputs(views.begin(), views.end());
  isthmus_results *made = nullptr;
  isthmus_error *error = unlocked([&] {
    return isthmus_executable_run(program.handle.get(), toC(program, function),
                                  inputs.data(), inputs.size(), &made);
  });
  ResultsHandle results(made);
  checkInterruptible(error);
  std::vector<Object> list;
  for (size_t i = 0; i < isthmus_results_count(results.get()); ++i) {
    try {
      list.push_back(toArray(*results, i));
    } catch (const Raised &raised) {
      if (!raised.matches(PyExc_ValueError)) // NumPy limits empty arrays too
        throw;
      throw PythonError{
          "UnsupportedError",
          {"result " + std::to_string(i) + ": " + raised.message()}};
    }
  }
  return listOf(list);
}

void bindPrograms(PyObject *module) {
  PyModule_AddIntConstant(module, "most_threads", ISTHMUS_MOST_THREADS);
  static PyMethodDef methods[] = {
      {"functions", METHOD(functions)},
      {"is_stateful", METHOD(isStateful)},
      {"run", METHOD(run)},
      {"signature", METHOD(signature)},
      {},
  };
  addClass<Program>(module, "Program", methods);
}
