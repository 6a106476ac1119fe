//===- Programs.cc - Programs as native code ------------------------------===//

#include "Programs.h"
#include "Arrays.h"
#include "Errors.h"
#include "Kernels.h"
#include <pybind11/stl.h>

#include <thread>

namespace py = pybind11;

namespace {

/// _native.Program. The executable is freed before the kernels that it calls.
struct Program {
  PythonKernels kernels;
  ExecutableHandle handle;
};

/// Signal handlers run on the thread that imports the module, or on no thread.
const std::thread::id mainThread = std::this_thread::get_id();

} // namespace

/// Whether a compilation or a run must stop.
static int isInterrupted(void *) {
  return std::this_thread::get_id() == mainThread && hasRaised();
}

static Program compile(const Model &model, unsigned threads, bool checkBounds,
                       bool optimize,
                       const std::map<std::string, py::object> &kernels,
                       bool trust) {
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
static py::list functions(const Program &program) {
  py::list names;
  size_t count = isthmus_executable_function_count(program.handle.get());
  for (size_t i = 0; i < count; ++i)
    names.append(py::bytes(nameAt(program, i)));
  return names;
}

/// The name as C takes it. The first function needs none, so its name may have
/// a null byte.
static const char *toC(const Program &program, const std::string &function) {
  return function == nameAt(program, 0) ? nullptr : function.c_str();
}

/// (name, dtype, the model's own dtype) per parameter, with NumPy's dtype
/// names. `get` is isthmus_signature_input or isthmus_signature_output.
template <typename Get>
static py::list describe(const isthmus_signature *signature, size_t count,
                         Get get) {
  py::list list;
  for (size_t i = 0; i < count; ++i) {
    const isthmus_parameter *parameter = get(signature, i);
    std::string dtype = dtypeName(isthmus_parameter_element_type(parameter));
    std::string own = isthmus_parameter_dtype(parameter);
    list.append(py::make_tuple(textOf(isthmus_parameter_name(parameter)), dtype,
                               own.empty() ? dtype : dtypeName(own)));
  }
  return list;
}

/// The inputs and outputs of a function that the program has.
static py::tuple signature(const Program &program,
                           const std::string &function) {
  const isthmus_signature *known = isthmus_executable_signature(
      program.handle.get(), toC(program, function));
  if (!known)
    throw py::value_error("no function is called " + function);
  return py::make_tuple(describe(known, isthmus_signature_input_count(known),
                                 isthmus_signature_input),
                        describe(known, isthmus_signature_output_count(known),
                                 isthmus_signature_output));
}

static std::vector<ArrayView> viewsOf(const std::vector<py::array> &arrays) {
  std::vector<ArrayView> views;
  for (const py::array &array : arrays) {
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

static py::list run(Program &program, const std::string &function,
                    const std::vector<py::array> &arrays) {
  std::vector<ArrayView> views = viewsOf(arrays);
  std::vector<isthmus_tensor> inputs(views.begin(), views.end());
  isthmus_results *made = nullptr;
  isthmus_error *error = unlocked([&] {
    return isthmus_executable_run(program.handle.get(), toC(program, function),
                                  inputs.data(), inputs.size(), &made);
  });
  ResultsHandle results(made);
  checkInterruptible(error);
  py::list list;
  for (size_t i = 0; i < isthmus_results_count(results.get()); ++i) {
    try {
      list.append(toArray(*results, i));
    } catch (py::error_already_set &error) {
      if (!error.matches(PyExc_ValueError)) // NumPy limits empty arrays too
        throw;
      throw PythonError{"UnsupportedError",
                        {"result " + std::to_string(i) + ": " +
                         py::str(error.value()).cast<std::string>()}};
    }
  }
  return list;
}

void bindPrograms(py::module_ &module, py::class_<Model> &model) {
  model.def("compile", &compile);
  module.attr("most_threads") = ISTHMUS_MOST_THREADS;
  py::class_<Program>(module, "Program")
      .def("functions", &functions)
      .def("is_stateful",
           [](const Program &program) {
             return isthmus_executable_is_stateful(program.handle.get()) != 0;
           })
      .def("run", &run)
      .def("signature", &signature);
}
