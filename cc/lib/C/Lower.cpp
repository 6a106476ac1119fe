//===- Lower.cpp - Lowering, and what a program has -----------------------===//

#include "Models.h"
#include "Options.h"
#include "llvm/ADT/STLExtras.h"

using namespace isthmus;
using namespace isthmus::c;

struct isthmus_custom_ops {
  std::vector<std::pair<std::string, size_t>> ops;
};

struct isthmus_open_inputs {
  std::vector<OpenInput> inputs;
};

isthmus_error *isthmus_model_lower(isthmus_model *model,
                                   const isthmus_options *options) {
  return withModel(model, [&](Model &own) {
    return toC(own.lower(options ? options->options : LowerOptions()));
  });
}

/// The warnings of a model's last lowering; none for null.
static llvm::ArrayRef<std::string> warningsOf(const isthmus_model *model) {
  llvm::ArrayRef<std::string> warnings;
  if (model)
    isthmus_error_free(
        withModel(model, [&](const Model &own) -> isthmus_error * {
          warnings = own.lastWarnings();
          return nullptr;
        }));
  return warnings;
}

size_t isthmus_model_warning_count(const isthmus_model *model) {
  return warningsOf(model).size();
}

const char *isthmus_model_warning(const isthmus_model *model, size_t index) {
  return textAt(warningsOf(model), index);
}

isthmus_error *isthmus_model_raise_custom_ops(isthmus_model *model) {
  return withModel(model,
                   [&](Model &own) { return toC(own.raiseCustomOps()); });
}

/// Sets `result` to the list that `read` makes of the model.
template <typename List, typename Read>
static isthmus_error *readList(const isthmus_model *model, const char *name,
                               List **result, Read read) {
  if (isthmus_error *error = create(name, result))
    return error;
  isthmus_error *error =
      withModel(model, [&](const Model &own) -> isthmus_error * {
        read(own, **result);
        return nullptr;
      });
  if (error) {
    delete *result;
    *result = nullptr;
  }
  return error;
}

isthmus_error *isthmus_model_custom_ops(const isthmus_model *model,
                                        isthmus_custom_ops **ops) {
  return readList(model, "ops", ops,
                  [](const Model &own, isthmus_custom_ops &list) {
                    for (const auto &op : own.customOps())
                      list.ops.emplace_back(op.getKey().str(), op.getValue());
                    llvm::sort(list.ops);
                  });
}

size_t isthmus_custom_ops_count(const isthmus_custom_ops *ops) {
  return ops ? ops->ops.size() : 0;
}

const char *isthmus_custom_ops_name(const isthmus_custom_ops *ops,
                                    size_t index) {
  return index < isthmus_custom_ops_count(ops) ? ops->ops[index].first.c_str()
                                               : nullptr;
}

size_t isthmus_custom_ops_uses(const isthmus_custom_ops *ops, size_t index) {
  return index < isthmus_custom_ops_count(ops) ? ops->ops[index].second : 0;
}

void isthmus_custom_ops_free(isthmus_custom_ops *ops) { delete ops; }

isthmus_error *isthmus_model_open_inputs(const isthmus_model *model,
                                         isthmus_open_inputs **inputs) {
  return readList(model, "inputs", inputs,
                  [](const Model &own, isthmus_open_inputs &list) {
                    list.inputs = own.openInputs();
                  });
}

size_t isthmus_open_inputs_count(const isthmus_open_inputs *inputs) {
  return inputs ? inputs->inputs.size() : 0;
}

const char *isthmus_open_inputs_name(const isthmus_open_inputs *inputs,
                                     size_t index) {
  return index < isthmus_open_inputs_count(inputs)
             ? inputs->inputs[index].name.c_str()
             : nullptr;
}

size_t isthmus_open_inputs_rank(const isthmus_open_inputs *inputs,
                                size_t index) {
  return index < isthmus_open_inputs_count(inputs)
             ? inputs->inputs[index].sizes.size()
             : 0;
}

const char *isthmus_open_inputs_size(const isthmus_open_inputs *inputs,
                                     size_t index, size_t dim) {
  return index < isthmus_open_inputs_count(inputs)
             ? textAt(inputs->inputs[index].sizes, dim)
             : nullptr;
}

void isthmus_open_inputs_free(isthmus_open_inputs *inputs) { delete inputs; }
