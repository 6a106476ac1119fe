//===- Models.cc - Programs before they are compiled ----------------------===//

#include "Models.h"
#include "Arrays.h"
#include "Bind.h"
#include "Programs.h"
#include "Saving.h"
#include "Text.h"
#include <functional>

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// The memory of a Python object, for a model to read in place. It gives itself
/// back on any thread.
class Memory {
public:
  explicit Memory(PyObject *object) {
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0)
      throw Raised();
  }
  Memory(const Memory &) = delete;
  ~Memory() { PyBuffer_Release(&view); }

  const void *data() const { return view.buf ? view.buf : ""; }
  size_t size() const { return view.len; }

  static void release(void *memory) {
    WithInterpreter with;
    delete static_cast<Memory *>(memory);
  }

private:
  Py_buffer view;
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

static Model openBytes(const Object &bytes, const std::string &format) {
  char *data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes.get(), &data, &size) < 0)
    throw Raised();
  std::string_view view(data, size);
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

static Model openRecords(const Object &objects) {
  auto records = made<RecordsHandle>(isthmus_records_create);
  forEach(objects, [&](PyObject *key, PyObject *object) {
    auto path = fromPython<std::string>(key);
    auto *memory = new Memory(object);
    check(isthmus_records_add(records.get(), path.c_str(), memory->data(),
                              memory->size(), Memory::release, memory));
  });
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
                      const Object &value) {
  auto add = [&](PyObject *text) {
    auto bytes = fromPython<std::string>(text);
    check(
        isthmus_options_add(options, name.c_str(), bytes.data(), bytes.size()));
  };
  if (PyBool_Check(value.get())) {
    const char *flag = value.get() == Py_True ? "true" : "false";
    check(isthmus_options_set(options, name.c_str(), flag));
  } else if (PyUnicode_Check(value.get())) {
    add(value.get());
  } else if (PyDict_Check(value.get())) {
    forEach(value, [&](PyObject *key, PyObject *given) {
      auto input = fromPython<std::string>(key);
      std::vector<int64_t> sizes;
      for (const Object &size : fromPython<std::vector<Object>>(given))
        sizes.push_back(fromPython<int64_t>(size.get()));
      check(isthmus_options_add_shape(options, name.c_str(), input.data(),
                                      input.size(), sizes.data(),
                                      sizes.size()));
    });
  } else {
    for (const Object &text : fromPython<std::vector<Object>>(value.get()))
      add(text.get());
  }
}

/// `given` maps names of options in LoweringOptions.td to their values.
static void lower(Model &model, const std::string &target,
                  const Object &given) {
  auto options = made<OptionsHandle>(isthmus_options_create);
  check(isthmus_options_set(options.get(), "target", target.c_str()));
  forEach(given, [&](PyObject *name, PyObject *value) {
    setOption(options.get(), fromPython<std::string>(name),
              Object::borrowed(value));
  });
  check(unlocked(
      [&] { return isthmus_model_lower(model.handle.get(), options.get()); }));
}

/// The warnings of the last lowering.
static Object warnings(const Model &model) {
  std::vector<Object> messages;
  for (size_t i = 0; i < isthmus_model_warning_count(model.handle.get()); ++i)
    messages.push_back(textOf(isthmus_model_warning(model.handle.get(), i)));
  return listOf(messages);
}

static void raiseCustomOps(Model &model) {
  check(unlocked(
      [&] { return isthmus_model_raise_custom_ops(model.handle.get()); }));
}

/// (name, array) per weight.
static Object
listWeights(std::function<isthmus_error *(isthmus_weights **)> hoist) {
  std::shared_ptr<isthmus_weights> weights = made<WeightsHandle>(
      [&](auto **weights) { return unlocked([&] { return hoist(weights); }); });
  std::vector<Object> list;
  for (size_t i = 0; i < isthmus_weights_count(weights.get()); ++i)
    list.push_back(tupleOf(textOf(isthmus_weights_name(weights.get(), i)),
                           toArray(weights, i)));
  return listOf(list);
}

static Object hoistWeights(Model &model, int64_t minBytes) {
  return listWeights([&](isthmus_weights **weights) {
    return isthmus_model_hoist_weights(model.handle.get(), minBytes, weights);
  });
}

static Object hoistNamedWeights(Model &model) {
  return listWeights([&](isthmus_weights **weights) {
    return isthmus_model_hoist_named_weights(model.handle.get(), weights);
  });
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static Object customOps(const Model &model) {
  auto ops = made<CustomOpsHandle>([&](auto **ops) {
    return unlocked(
        [&] { return isthmus_model_custom_ops(model.handle.get(), ops); });
  });
  Object counts = Object::made(PyDict_New());
  for (size_t i = 0; i < isthmus_custom_ops_count(ops.get()); ++i)
    setItem(counts, textOf(isthmus_custom_ops_name(ops.get(), i)),
            toPython(isthmus_custom_ops_uses(ops.get(), i)));
  return counts;
}

/// (name, sizes) per input that has sizes known only at run time.
static Object openInputs(const Model &model) {
  auto inputs = made<OpenInputsHandle>([&](auto **inputs) {
    return unlocked(
        [&] { return isthmus_model_open_inputs(model.handle.get(), inputs); });
  });
  std::vector<Object> list;
  for (size_t i = 0; i < isthmus_open_inputs_count(inputs.get()); ++i) {
    std::vector<Object> sizes;
    for (size_t dim = 0; dim < isthmus_open_inputs_rank(inputs.get(), i); ++dim)
      sizes.push_back(textOf(isthmus_open_inputs_size(inputs.get(), i, dim)));
    list.push_back(tupleOf(textOf(isthmus_open_inputs_name(inputs.get(), i)),
                           listOf(sizes)));
  }
  return listOf(list);
}

/// The number of ops of each kind, by full op name.
static Object countOps(const Model &model) {
  return fromJson(written([&](auto... to) {
    return isthmus_model_write_op_counts(model.handle.get(), to...);
  }));
}

/// The inputs, outputs, weights and nodes of a program.
static Object graph(const Model &model) {
  return fromJson(written([&](auto... to) {
    return isthmus_model_write_graph(model.handle.get(), to...);
  }));
}

/// (op, the prefix of messages about it) per node.
static Object nodes(const Model &model) {
  Object pairs = fromJson(written([&](auto... to) {
    return isthmus_model_write_nodes(model.handle.get(), to...);
  }));
  std::vector<Object> nodes;
  for (const Object &pair : fromPython<std::vector<Object>>(pairs.get()))
    nodes.push_back(Object::made(PySequence_Tuple(pair.get())));
  return listOf(nodes);
}

/// The attributes of the first function, its arguments and its results; None if
/// there is no function.
static Object notes(const Model &model) {
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

static bool isMlir(const std::string &path) {
  return isthmus_is_mlir_name(path.c_str()) != 0;
}

void bindModels(PyObject *module) {
  static PyMethodDef methods[] = {
      {"clone", METHOD(cloneOf)},
      {"compile", METHOD(compile)},
      {"count_ops", METHOD(countOps)},
      {"custom_ops", METHOD(customOps)},
      {"graph", METHOD(graph)},
      {"hoist_named_weights", METHOD(hoistNamedWeights)},
      {"hoist_weights", METHOD(hoistWeights)},
      {"lower", METHOD(lower)},
      {"nodes", METHOD(nodes)},
      {"notes", METHOD(notes)},
      {"open_inputs", METHOD(openInputs)},
      {"raise_custom_ops", METHOD(raiseCustomOps)},
      {"save", METHOD(save)},
      {"text", METHOD(text)},
      {"warnings", METHOD(warnings)},
      {},
  };
  addClass<Model>(module, "Model", methods);
  static PyMethodDef functions[] = {
      {"is_mlir", FUNCTION(isMlir)},
      {"open_bytes", FUNCTION(openBytes)},
      {"open_file", FUNCTION(openFile)},
      {"open_records", FUNCTION(openRecords)},
      {},
  };
  addFunctions(module, functions);
}
