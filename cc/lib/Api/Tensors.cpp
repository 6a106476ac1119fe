//===- Tensors.cpp - Tensors of signatures --------------------------------===//

#include "Tensors.h"
#include "isthmus/Dialect/Torch/TorchTypes.h"

using namespace mlir;
using namespace isthmus;

TensorType isthmus::tensorOf(Type type) {
  if (auto value = dyn_cast<torch::ValueTensorType>(type))
    return torch::toBuiltin(value);
  return dyn_cast<TensorType>(type);
}

std::vector<std::string> isthmus::sizesOf(TensorType type,
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
