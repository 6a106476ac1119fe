//===- LoweringFunctions.cpp - Lowerings to a target as functions ---------===//

#include "isthmus/Conversion/LoweringFunctions.h"
#include "isthmus/Dialect/Torch/Matchers.h"

using namespace mlir;
using namespace isthmus;

Value LoweringScope::converted(Value original) const {
  Type type = convertType(original.getType());
  Value value = type ? rewriter->getRemappedValue(original) : Value();
  if (!value || value.getType() == type)
    return value;
  return types->materializeTargetConversion(*rewriter, value.getLoc(), type,
                                            value);
}

FailureOr<SmallVector<Value>>
LoweringScope::convertedElements(Value list) const {
  std::optional<SmallVector<Value>> elements = torch::matchList(list);
  if (!elements)
    return failure();
  SmallVector<Value> all;
  for (Value element : *elements) {
    all.push_back(converted(element));
    if (!all.back())
      return failure();
  }
  return all;
}

bool isthmus::areEmpty(TypeRange types) {
  return !types.empty() && llvm::all_of(types, [](Type type) {
    auto tensor = dyn_cast_or_null<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
  });
}
