//===- LoweringFunctions.cpp - Lowerings to a target as functions ---------===//

#include "isthmus/Conversion/LoweringFunctions.h"
#include "isthmus/Dialect/Torch/Matchers.h"

using namespace mlir;
using namespace isthmus;

Value LoweringScope::converted(Value original) const {
  Value remapped = rewriter->getRemappedValue(original);
  Type type = convertType(original.getType());
  if (!remapped || !type || remapped.getType() == type)
    return type ? remapped : Value();
  return types->materializeTargetConversion(*rewriter, remapped.getLoc(), type,
                                            remapped);
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
