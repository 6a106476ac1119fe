//===- Models.cc - Programs before they are compiled ----------------------===//

#include "Models.h"
#include "Arrays.h"
#include "Errors.h"
#include "Saving.h"
#include "Text.h"
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <map>

namespace py = pybind11;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// The memory of a Python object, for a model to read in place. It gives itself
/// back on any thread.
class Memory {
public:
  explicit Memory(const py::buffer &object) : view(object.request()) {}

  const void *data() const { return view.ptr ? view.ptr : ""; }
  size_t size() const { return view.size * view.itemsize; }

  static void release(void *memory) {
    WithInterpreter with;
    delete static_cast<Memory *>(memory);
  }

private:
  py::buffer_info view;
};

} // namespace

/// The format as C has it: an empty one is any of the models.
static const char *toC(const std::string &format) {
  return format.empty() ? "model" : format.c_str();
}

static Model openFile(const std::string &path, const std::string &format) {
  return {made<ModelHandle>([&](auto **model) {
    return unlocked(
        [&] { return isthmus_model_open(path.c_str(), toC(format), model); });
  })};
}

static Model openBytes(const py::bytes &bytes, const std::string &format) {
  auto view = static_cast<std::string_view>(bytes);
  return {made<ModelHandle>([&](auto **model) {
    // A model may keep its bytes, so they are copied, except MLIR: its readers
    // copy what they need.
    if (format == "mlir")
      return isthmus_model_open_memory(view.data(), view.size(), nullptr,
                                       nullptr, "<bytes>", toC(format), model);
    return isthmus_model_open_buffer(view.data(), view.size(), "<bytes>",
                                     toC(format), model);
  })};
}

static Model openRecords(const std::map<std::string, py::buffer> &objects) {
  auto records = made<RecordsHandle>(isthmus_records_create);
  for (const auto &[path, object] : objects) {
    auto *memory = new Memory(object);
    check(isthmus_records_add(records.get(), path.c_str(), memory->data(),
                              memory->size(), Memory::release, memory));
  }
  return {made<ModelHandle>([&](auto **model) {
    return unlocked([&] {
      return isthmus_model_open_records(records.get(), "<exported program>",
                                        model);
    });
  })};
}

static Model cloneOf(const Model &model) {
  return {made<ModelHandle>([&](auto **copy) {
    return unlocked(
        [&] { return isthmus_model_clone(model.handle.get(), copy); });
  })};
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Sets an option to a value of Python: a bool, a choice as str, sizes by the
/// names of inputs, or names or paths.
static void setOption(isthmus_options *options, const std::string &name,
                      py::handle value) {
  auto add = [&](py::handle text) {
    auto bytes = text.cast<std::string>();
    check(
        isthmus_options_add(options, name.c_str(), bytes.data(), bytes.size()));
  };
  if (py::isinstance<py::bool_>(value)) {
    const char *flag = value.cast<bool>() ? "true" : "false";
    check(isthmus_options_set(options, name.c_str(), flag));
  } else if (py::isinstance<py::str>(value)) {
    add(value);
  } else if (py::isinstance<py::dict>(value)) {
    using Shapes = std::map<std::string, std::vector<int64_t>>;
    for (const auto &[input, sizes] : value.cast<Shapes>())
      check(isthmus_options_add_shape(options, name.c_str(), input.data(),
                                      input.size(), sizes.data(),
                                      sizes.size()));
  } else {
    for (py::handle text : value)
      add(text);
  }
}

/// `given` maps names of options in LoweringOptions.td to their values.
static void lower(Model &model, const std::string &target,
                  const py::dict &given) {
  auto options = made<OptionsHandle>(isthmus_options_create);
  check(isthmus_options_set(options.get(), "target", target.c_str()));
  for (auto [name, value] : given)
    setOption(options.get(), name.cast<std::string>(), value);
  check(unlocked(
      [&] { return isthmus_model_lower(model.handle.get(), options.get()); }));
}

static void raiseCustomOps(Model &model) {
  check(unlocked(
      [&] { return isthmus_model_raise_custom_ops(model.handle.get()); }));
}

/// (name, array) per weight.
static py::list hoistWeights(Model &model, int64_t minBytes) {
  std::shared_ptr<isthmus_weights> weights =
      made<WeightsHandle>([&](auto **weights) {
        return unlocked([&] {
          return isthmus_model_hoist_weights(model.handle.get(), minBytes,
                                             weights);
        });
      });
  py::list list;
  for (size_t i = 0; i < isthmus_weights_count(weights.get()); ++i)
    list.append(py::make_tuple(textOf(isthmus_weights_name(weights.get(), i)),
                               toArray(weights, i)));
  return list;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static py::dict customOps(const Model &model) {
  auto ops = made<CustomOpsHandle>([&](auto **ops) {
    return unlocked(
        [&] { return isthmus_model_custom_ops(model.handle.get(), ops); });
  });
  py::dict counts;
  for (size_t i = 0; i < isthmus_custom_ops_count(ops.get()); ++i)
    counts[textOf(isthmus_custom_ops_name(ops.get(), i))] =
        isthmus_custom_ops_uses(ops.get(), i);
  return counts;
}

/// (name, sizes) per input that has sizes known only at run time.
static py::list openInputs(const Model &model) {
  auto inputs = made<OpenInputsHandle>([&](auto **inputs) {
    return unlocked(
        [&] { return isthmus_model_open_inputs(model.handle.get(), inputs); });
  });
  py::list list;
  for (size_t i = 0; i < isthmus_open_inputs_count(inputs.get()); ++i) {
    py::list sizes;
    for (size_t dim = 0; dim < isthmus_open_inputs_rank(inputs.get(), i); ++dim)
      sizes.append(textOf(isthmus_open_inputs_size(inputs.get(), i, dim)));
    list.append(py::make_tuple(
        textOf(isthmus_open_inputs_name(inputs.get(), i)), sizes));
  }
  return list;
}

/// The number of ops of each kind, by full op name.
static py::object countOps(const Model &model) {
  return fromJson(written([&](auto... to) {
    return isthmus_model_write_op_counts(model.handle.get(), to...);
  }));
}

/// (op, the prefix of messages about it) per node.
static py::list nodes(const Model &model) {
  py::list nodes;
  for (py::handle pair : fromJson(written([&](auto... to) {
         return isthmus_model_write_nodes(model.handle.get(), to...);
       })))
    nodes.append(py::tuple(py::reinterpret_borrow<py::object>(pair)));
  return nodes;
}

/// The attributes of the first function, its arguments and its results; None if
/// there is no function.
static py::object notes(const Model &model) {
  return fromJson(written([&](auto... to) {
    return isthmus_model_write_notes(model.handle.get(), to...);
  }));
}

static std::string text(const Model &model, bool elide) {
  return written([&](auto... to) {
    return isthmus_model_write(
        model.handle.get(), elide ? ISTHMUS_ELIDED_TEXT : ISTHMUS_TEXT, to...);
  });
}

py::class_<Model> bindModels(py::module_ &module) {
  py::class_<Model> model(module, "Model");
  model.def("clone", &cloneOf)
      .def("count_ops", &countOps)
      .def("custom_ops", &customOps)
      .def("hoist_weights", &hoistWeights)
      .def("lower", &lower)
      .def("nodes", &nodes)
      .def("notes", &notes)
      .def("open_inputs", &openInputs)
      .def("raise_custom_ops", &raiseCustomOps)
      .def("save", &save)
      .def("text", &text);
  module.def("is_mlir", [](const std::string &path) {
    return isthmus_is_mlir_name(path.c_str()) != 0;
  });
  module.def("open_bytes", &openBytes);
  module.def("open_file", &openFile);
  module.def("open_records", &openRecords);
  return model;
}
