//===- bindings.cc - The extension module isthmus._native -----------------===//
//
// One call per function: checks, defaults and documentation live in
// python/isthmus.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "Interpreter.h"
#include "Limits.h"
#include "isthmus/Api/Api.h"
#include "isthmus/Api/Coverage.h"
#include "isthmus/Api/WeightForms.h"
#include "isthmus/Importer/Pt2Importer.h"
#include "isthmus/Support/Parts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <thread>

namespace py = pybind11;
using namespace isthmus;

using Shapes = std::map<std::string, std::vector<int64_t>>;

namespace {

/// Carries an llvm::Error through pybind11 to an exception type of
/// isthmus.errors.
struct PythonError {
  const char *type;
  std::vector<std::string> messages;
};

const char *pythonType(ModelError::Kind kind) {
  switch (kind) {
  case ModelError::Kind::BadModel:
    return "BadModelError";
  case ModelError::Kind::Unsupported:
    return "UnsupportedError";
  case ModelError::Kind::MissingPart:
    return "MissingPartError";
  case ModelError::Kind::System:
    return "FileError";
  }
  llvm_unreachable("every kind has a type");
}

void check(llvm::Error error) {
  std::vector<std::string> findings; // errors about a run's inputs
  llvm::handleAllErrors(
      std::move(error),
      [](const ModelError &error) {
        throw PythonError{pythonType(error.kind), error.messages};
      },
      [](const KernelError &error) {
        throw PythonError{"KernelError", {error.message()}};
      },
      [&](const llvm::ErrorInfoBase &error) {
        findings.push_back(error.message());
      });
  if (!findings.empty())
    throw PythonError{"InputError", findings};
}

/// Text from a file or a model, which may hold any bytes. Decodes it as Python
/// decodes file names.
py::str textOf(llvm::StringRef message) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(message.data(), message.size(), "surrogateescape"));
}

/// Signal handlers run on the thread that imports the module, or on no thread.
const std::thread::id mainThread = std::this_thread::get_id();

/// Whether a compilation or a run must stop.
bool isInterrupted() {
  return std::this_thread::get_id() == mainThread && hasRaised();
}

/// `check` for an operation that a signal handler may have ended: if the
/// handler raised an exception, throws that exception.
void checkInterruptible(llvm::Error error) {
  if (PyErr_Occurred()) {
    llvm::consumeError(std::move(error));
    throw py::error_already_set();
  }
  check(std::move(error));
}

template <typename T>
T check(llvm::Expected<T> value) {
  check(value.takeError());
  return std::move(*value);
}

/// Native code together with the model whose weights it reads.
struct Program {
  std::shared_ptr<Model> model;
  std::unique_ptr<Executable> executable;
};

using SharedModel = std::shared_ptr<Model>;

SharedModel share(llvm::Expected<Model> model) {
  return std::make_shared<Model>(check(std::move(model)));
}

std::vector<std::string> availableTargets() {
  std::vector<std::string> names;
  for (const Target *target : targets())
    names.push_back(target->getName().str());
  return names;
}

template <typename T>
void assign(T &option, py::handle value) {
  option = value.cast<T>();
}

void assign(llvm::StringMap<llvm::SmallVector<int64_t>> &option,
            py::handle value) {
  for (const auto &[name, sizes] : value.cast<Shapes>())
    option[name].assign(sizes.begin(), sizes.end());
}

/// `given` maps names of options in LoweringOptions.td to their values.
void lower(Model &model, const std::string &target, const py::dict &given) {
  LowerOptions options;
  options.target = target;
#define MODEL_OPTION(TYPE, NAME, ARGUMENT, DESCRIPTION)                        \
  if (given.contains(ARGUMENT))                                                \
    assign(options.NAME, given[ARGUMENT]);
#include "isthmus/Conversion/LoweringOptions.inc"
  WithoutInterpreter without;
  check(model.lower(options));
}

/// (name, array) per weight; the arrays keep the model alive.
py::list hoistWeights(const SharedModel &model, int64_t minBytes) {
  py::list weights;
  for (const Weight &weight : check(model->hoistWeights(minBytes)))
    weights.append(
        py::make_tuple(textOf(weight.name), toArray(weight, py::cast(model))));
  return weights;
}

/// A dict of counts by name.
template <typename Map>
py::dict toDict(const Map &counts) {
  py::dict dict;
  for (const auto &[name, count] : counts)
    dict[textOf(name)] = count;
  return dict;
}

/// The number of ops of each kind, by full op name.
py::dict countOps(const Model &model) {
  std::map<llvm::StringRef, size_t> counts;
  model.module()->walk(
      [&](mlir::Operation *op) { ++counts[op->getName().getStringRef()]; });
  return toDict(counts);
}

/// (op, the prefix of messages about it) per node.
std::vector<std::pair<py::str, py::str>> nodes(const Model &model) {
  std::vector<std::pair<py::str, py::str>> nodes;
  for (ModelNode &node : nodesOf(model))
    nodes.emplace_back(textOf(node.op), textOf(node.place));
  return nodes;
}

/// (name, sizes) per input that has sizes known only at run time.
std::vector<std::pair<py::str, std::vector<py::str>>>
openInputs(const Model &model) {
  std::vector<std::pair<py::str, std::vector<py::str>>> inputs;
  for (OpenInput &input : model.openInputs()) {
    auto &sizes = inputs.emplace_back(textOf(input.name), 0).second;
    for (const std::string &size : input.sizes)
      sizes.push_back(textOf(size));
  }
  return inputs;
}

/// An attribute as a Python object: None, bool, int, float, str, list or dict.
py::object toPython(mlir::Attribute attribute) {
  return llvm::TypeSwitch<mlir::Attribute, py::object>(attribute)
      .Case([](mlir::BoolAttr value) { return py::bool_(value.getValue()); })
      .Case([](mlir::IntegerAttr value) -> py::object {
        auto number = value.getValue().trySExtValue();
        return number ? py::object(py::int_(*number)) : py::none();
      })
      .Case([](mlir::FloatAttr value) {
        return py::float_(value.getValueAsDouble());
      })
      .Case([](mlir::StringAttr value) { return textOf(value); })
      .Case([](mlir::ArrayAttr values) {
        py::list list;
        for (mlir::Attribute value : values)
          list.append(toPython(value));
        return list;
      })
      .Case([](mlir::DictionaryAttr values) {
        py::dict dict;
        for (mlir::NamedAttribute value : values)
          dict[textOf(value.getName())] = toPython(value.getValue());
        return dict;
      })
      .Default([](mlir::Attribute) { return py::none(); });
}

/// The discardable attributes of the first function of a program and the
/// attributes of its arguments and results; None if there is no function.
py::object notes(const Model &model) {
  auto functions = model.module().getOps<mlir::func::FuncOp>();
  if (functions.empty())
    return py::none();
  mlir::func::FuncOp function = *functions.begin();
  py::list arguments, results;
  // Without attributes, the dictionary is null.
  auto append = [](py::list &list, mlir::DictionaryAttr attributes) {
    list.append(attributes ? toPython(attributes) : py::dict());
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    append(arguments, function.getArgAttrDict(i));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    append(results, function.getResultAttrDict(i));
  py::dict notes;
  notes["function"] = toPython(function->getDiscardableAttrDictionary());
  notes["arguments"] = arguments;
  notes["results"] = results;
  return notes;
}

/// The fields of isthmus.SavedWeights.
py::dict toPython(const SavedWeights &saved) {
  auto pathOrNone = [](const std::string &path) -> py::object {
    return path.empty() ? py::none() : py::object(textOf(path));
  };
  py::dict fields;
  fields["form"] = nameOf(saved.form).str();
  fields["manifest"] = pathOrNone(saved.manifest);
  fields["file"] = pathOrNone(saved.file);
  fields["count"] = saved.count;
  fields["written"] = saved.written;
  fields["written_bytes"] = saved.writtenBytes;
  return fields;
}

std::string text(const Model &model, bool elide) {
  std::string text;
  llvm::raw_string_ostream os(text);
  check(model.write(os, Format::Text, elide));
  return text;
}

/// The memory of a Python object, in the form that an MLIR resource keeps.
class ObjectBuffer : public llvm::MemoryBuffer {
public:
  ObjectBuffer(std::string path, const py::buffer &object)
      : path(std::move(path)), view(object.request()) {
    auto data = static_cast<const char *>(view.ptr);
    init(data, data + view.size * view.itemsize,
         /*RequiresNullTerminator=*/false);
  }
  ~ObjectBuffer() override { // on any thread that drops the resource
    WithInterpreter with;
    py::buffer_info(std::move(view));
  }

  BufferKind getBufferKind() const override { return MemoryBuffer_Malloc; }
  llvm::StringRef getBufferIdentifier() const override { return path; }

private:
  std::string path;
  py::buffer_info view;
};

SharedModel openRecords(const std::map<std::string, py::buffer> &records) {
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  for (const auto &[path, object] : records)
    buffers.push_back(std::make_unique<ObjectBuffer>(path, object));
  WithoutInterpreter without;
  return share(Model::open(std::make_shared<ModelRecords>(
      std::move(buffers), "<exported program>")));
}

/// Replaces the file at `path` by calling `write(descriptor)`. If that raises
/// an exception, the old file stays.
void replaceFile(const std::string &path,
                 const std::function<void(int)> &write) {
  // Exceptions must not pass through LLVM's code.
  std::exception_ptr raised;
  llvm::Error error = isthmus::writeFile(path, [&](int file) -> llvm::Error {
    try {
      write(file);
    } catch (...) {
      raised = std::current_exception();
      return llvm::createStringError("stopped");
    }
    return llvm::Error::success();
  });
  if (raised) {
    llvm::consumeError(std::move(error));
    std::rethrow_exception(raised);
  }
  check(std::move(error));
}

/// Calls `function(attributes, inputs)`, which returns the outputs as arrays.
/// Returns an error message, or an empty string on success.
std::string callPython(const py::object &function, isthmus_kernel_call &call) {
  try {
    py::list inputs;
    for (const isthmus_tensor &input :
         llvm::ArrayRef(call.inputs, call.num_inputs))
      inputs.append(copyOf(input));
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

/// callPython() for a thread that may not hold the interpreter's lock.
std::string lockAndCallPython(const py::object &function,
                              isthmus_kernel_call &call) {
  WithInterpreter with;
  Waiting waiting;
  std::string mistake = callPython(function, call);
  waiting.done();
  return mistake;
}

using PythonKernels = std::map<std::string, py::object>;

/// The kernel for a Python function, or for the address of a C function.
Kernel kernelIn(const py::object &function) {
  if (py::isinstance<py::int_>(function))
    return kernelOf(
        reinterpret_cast<isthmus_kernel>(function.cast<uintptr_t>()));
  // The last executable may be destroyed on any thread; the object is destroyed
  // with the lock held.
  std::shared_ptr<py::object> shared(new py::object(function),
                                     [](py::object *object) {
                                       WithInterpreter with;
                                       delete object;
                                     });
  return [shared](isthmus_kernel_call &call) {
    return lockAndCallPython(*shared, call);
  };
}

std::unique_ptr<Program> compile(SharedModel model, unsigned threads,
                                 bool checkBounds, bool optimize,
                                 const PythonKernels &kernels, bool trust) {
  JitOptions options;
  options.threads = threads;
  options.checkBounds = checkBounds;
  options.optimize = optimize;
  options.trust = trust;
  options.interrupted = isInterrupted;
  for (const auto &[name, function] : kernels)
    options.kernels[name] = kernelIn(function);
  auto executable = [&] {
    WithoutInterpreter without;
    return model->compile(options);
  }();
  checkInterruptible(executable.takeError());
  return std::make_unique<Program>(
      Program{std::move(model), std::move(*executable)});
}

/// (name, dtype, the model's own dtype) per parameter, with NumPy's dtype
/// names.
using ParameterList =
    std::vector<std::tuple<py::str, std::string, std::string>>;

ParameterList describe(const std::vector<Parameter> &parameters) {
  ParameterList list;
  for (const Parameter &parameter : parameters) {
    std::string dtype = dtypeName(parameter.type.elementType);
    list.emplace_back(textOf(parameter.name), dtype,
                      parameter.dtype.empty() ? dtype
                                              : dtypeName(parameter.dtype));
  }
  return list;
}

/// The inputs and outputs of a function that the program has.
std::pair<ParameterList, ParameterList> signature(const Program &program,
                                                  const std::string &function) {
  const Signature *known = program.executable->signature(function);
  if (!known)
    throw py::value_error("no function is called " + function);
  return {describe(known->inputs), describe(known->outputs)};
}

py::list run(Program &program, const std::string &function,
             const std::vector<py::array> &arrays) {
  std::vector<ArrayView> views;
  for (const auto &[index, array] : llvm::enumerate(arrays)) {
    try {
      views.emplace_back(array);
    } catch (const std::invalid_argument &error) {
      throw PythonError{
          "InputError",
          {"input " + std::to_string(index) + ": " + error.what()}};
    }
  }
  llvm::SmallVector<TensorView> inputs(views.begin(), views.end());
  llvm::SmallVector<Tensor> outputs;
  checkInterruptible([&] {
    WithoutInterpreter without;
    return program.executable->run(function, inputs, outputs);
  }());
  py::list results;
  for (auto [index, output] : llvm::enumerate(outputs)) {
    try {
      results.append(toArray(output));
    } catch (py::error_already_set &error) {
      if (!error.matches(PyExc_ValueError)) // NumPy limits empty arrays too
        throw;
      throw PythonError{"UnsupportedError",
                        {"result " + std::to_string(index) + ": " +
                         py::str(error.value()).cast<std::string>()}};
    }
  }
  return results;
}

} // namespace

PYBIND11_MODULE(_native, module) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const PythonError &error) {
      py::object type = py::module_::import("isthmus.errors").attr(error.type);
      py::list messages;
      for (const std::string &message : error.messages)
        messages.append(textOf(message));
      PyErr_SetObject(type.ptr(), type(messages).ptr());
    }
  });

  module.attr("version") = ISTHMUS_VERSION;
  module.def("parts", [] {
    auto parts = isthmus::parts();
    return std::vector<std::string>(parts.begin(), parts.end());
  });

  py::class_<Model, SharedModel>(module, "Model")
      .def("clone", [](const Model &model) { return share(model.clone()); })
      .def("count_ops", &countOps)
      .def("custom_ops",
           [](const Model &model) {
             std::map<std::string, unsigned> counts;
             for (const auto &op : model.customOps())
               counts[op.getKey().str()] = op.getValue();
             return toDict(counts);
           })
      .def("hoist_weights", &hoistWeights)
      .def("lower", &lower)
      .def("nodes", &nodes)
      .def("notes", &notes)
      .def("open_inputs", &openInputs)
      .def("raise_custom_ops",
           [](Model &model) {
             WithoutInterpreter without;
             check(model.raiseCustomOps());
           })
      .def("text", &text)
      .def("save",
           [](const Model &model, const std::string &path, bool bytecode,
              const std::string &weights, bool inPlace, bool checksums,
              const std::function<void(uint64_t, uint64_t)> &progress) {
             SaveOptions options;
             // Exceptions must not pass through LLVM's code.
             std::exception_ptr raised;
             if (progress)
               options.progress = [&](uint64_t written, uint64_t total) {
                 try {
                   progress(written, total);
                 } catch (...) {
                   raised = std::current_exception();
                 }
                 return !raised;
               };
             options.format = bytecode ? Format::Bytecode : Format::Text;
             std::optional<WeightForm> form = weightFormNamed(weights);
             if (!form)
               throw py::value_error("no form of weights is called " + weights);
             options.weights = *form;
             options.inPlace = inPlace;
             options.checksums = checksums;
             auto saved = [&] {
               WithoutInterpreter without;
               return model.save(path, options);
             }();
             if (raised) {
               llvm::consumeError(saved.takeError());
               std::rethrow_exception(raised);
             }
             return toPython(check(std::move(saved)));
           })
      .def("compile", &compile);

  module.def("available_targets", &availableTargets);
  module.def("coverage", [] {
    return llvm::formatv("{0}", toJSON(isthmus::coverage())).str();
  });
  module.def("operator_aliases", &isthmus::operatorAliases);
  module.def("open_file",
             [](const std::string &path, const std::string &format) {
               WithoutInterpreter without;
               return share(Model::open(path, {format}));
             });
  module.def("open_bytes",
             [](const py::bytes &bytes, const std::string &format) {
               auto view = static_cast<std::string_view>(bytes);
               // A model may keep its bytes, so they are copied here, except
               // MLIR: its readers copy what they need.
               std::shared_ptr<llvm::MemoryBuffer> buffer =
                   format == kMlirFormat
                       ? llvm::MemoryBuffer::getMemBuffer(
                             view, "<bytes>", /*RequiresNullTerminator=*/false)
                       : llvm::MemoryBuffer::getMemBufferCopy(view, "<bytes>");
               return share(Model::open(std::move(buffer), {format}));
             });
  module.def("open_records", &openRecords);

  module.def("write_file", &replaceFile);
  module.def("exit_after", &exitAfter);
  module.def("exit_without_memory", &exitWithoutMemory);
  module.def("exit_without_file", &exitWithoutFile);

  py::class_<Program>(module, "Program")
      .def("functions",
           [](const Program &program) {
             py::list names; // bytes, as a name may hold any bytes
             for (const std::string &name : program.executable->functions())
               names.append(py::bytes(name));
             return names;
           })
      .def("signature", &signature)
      .def("is_stateful",
           [](const Program &program) {
             return program.executable->isStateful();
           })
      .def("run", &run);
}
