//===- Weights.cpp - Constants that became parameters ---------------------===//

#include "Models.h"
#include "Strides.h"
#include "isthmus/Runtime/Jit.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace isthmus;
using namespace isthmus::c;

namespace {

/// A weight as C sees it.
struct HoistedWeight {
  std::string name, dtype;
  std::vector<int64_t> dims, strides;
  isthmus_tensor tensor;
};

} // namespace

struct isthmus_weights {
  /// Holds the memory.
  std::shared_ptr<SharedModel> model;
  std::vector<std::unique_ptr<HoistedWeight>> weights;
};

static std::unique_ptr<HoistedWeight> toC(const Weight &weight) {
  auto made = std::make_unique<HoistedWeight>();
  made->name = weight.name;
  mlir::Type dtype = weight.type.getElementType();
  llvm::raw_string_ostream(made->dtype) << dtype;
  std::optional<ElementType> elementType = elementTypeOf(dtype);
  made->dims = weight.type.getShape().vec();
  made->strides = weight.isSplat ? std::vector<int64_t>(made->dims.size())
                                 : rowMajorStrides(made->dims);
  made->tensor = {const_cast<char *>(weight.data.data()),
                  elementType ? int32_t(*elementType) : -1,
                  int32_t(made->dims.size()), made->dims.data(),
                  made->strides.data()};
  return made;
}

/// Runs `hoist` on the model and hands its weights to C.
static isthmus_error *
hoist(isthmus_model *model, isthmus_weights **weights,
      llvm::function_ref<llvm::Expected<std::vector<Weight>>(Model &)> hoist) {
  return guarded("weights", weights, [&] {
    return withModel(model, [&](Model &own) -> isthmus_error * {
      auto hoisted = hoist(own);
      if (!hoisted)
        return c::toC(hoisted.takeError());
      auto made = std::make_unique<isthmus_weights>();
      made->model = model->shared;
      for (const Weight &weight : *hoisted)
        made->weights.push_back(::toC(weight));
      *weights = made.release();
      return nullptr;
    });
  });
}

isthmus_error *isthmus_model_hoist_weights(isthmus_model *model,
                                           int64_t min_bytes,
                                           isthmus_weights **weights) {
  return hoist(model, weights,
               [&](Model &own) { return own.hoistWeights(min_bytes); });
}

isthmus_error *isthmus_model_hoist_named_weights(isthmus_model *model,
                                                 isthmus_weights **weights) {
  return hoist(model, weights,
               [](Model &own) { return own.hoistNamedWeights(); });
}

size_t isthmus_weights_count(const isthmus_weights *weights) {
  return weights ? weights->weights.size() : 0;
}

const char *isthmus_weights_name(const isthmus_weights *weights, size_t index) {
  return index < isthmus_weights_count(weights)
             ? weights->weights[index]->name.c_str()
             : nullptr;
}

const char *isthmus_weights_dtype(const isthmus_weights *weights,
                                  size_t index) {
  return index < isthmus_weights_count(weights)
             ? weights->weights[index]->dtype.c_str()
             : nullptr;
}

const isthmus_tensor *isthmus_weights_tensor(const isthmus_weights *weights,
                                             size_t index) {
  return index < isthmus_weights_count(weights)
             ? &weights->weights[index]->tensor
             : nullptr;
}

void isthmus_weights_free(isthmus_weights *weights) { delete weights; }
