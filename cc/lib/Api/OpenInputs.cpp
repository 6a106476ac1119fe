//===- OpenInputs.cpp - Inputs with sizes known only at run time ----------===//

#include "isthmus/Api/Api.h"
#include "isthmus/Dialect/Torch/TorchTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace isthmus;

/// Null for an argument that is not a tensor of known rank and dtype.
static RankedTensorType shapeOf(Type type) {
  if (auto value = dyn_cast<torch::ValueTensorType>(type))
    type = torch::toBuiltin(value);
  return dyn_cast_if_present<RankedTensorType>(type);
}

/// Sizes as text, with the names from "0:batch,2:length".
static std::vector<std::string> sizesOf(RankedTensorType type,
                                        StringRef dimParams) {
  std::vector<std::string> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  SmallVector<StringRef> entries;
  dimParams.split(entries, ',');
  for (StringRef entry : entries) {
    auto [number, name] = entry.split(':');
    size_t dim;
    if (!number.getAsInteger(10, dim) && dim < sizes.size() && !name.empty())
      sizes[dim] = name.str();
  }
  return sizes;
}

std::vector<OpenInput> Model::openInputs() const {
  // Other programs cannot be specialized.
  const std::string prefix =
      (source ? frontEnd->format : kOnnxFormat).attributes.str();
  std::vector<OpenInput> inputs;
  for (auto function : module().getOps<func::FuncOp>())
    for (auto [index, argument] :
         llvm::enumerate(function.getArgumentTypes())) {
      auto name = function.getArgAttrOfType<StringAttr>(index, prefix + "name");
      RankedTensorType type = shapeOf(argument);
      if (!name || !type || type.hasStaticShape())
        continue;
      auto names =
          function.getArgAttrOfType<StringAttr>(index, prefix + "dim_params");
      inputs.push_back(
          {name.str(), sizesOf(type, names ? names.getValue() : "")});
    }
  return inputs;
}
