//===- QuantizationParameters.cpp - Scales and zero points ----------------===//

#include "QuantizationParameters.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

Tensor round(Tensor x) { return x.apply<AtenRoundOp>(); }

Tensor single(TorchBuilder &b, Value value) {
  if (isTensor(value.getType()))
    return {b, b.view(value, ArrayRef<Value>())};
  return scalar(b, value,
                isInt(value.getType())
                    ? indexDtype(b)
                    : Type(Float32Type::get(b.getContext())));
}

std::optional<Tensor> alongAxis(Tensor x, Value each, Value axis) {
  TorchBuilder &b = x.builder();
  std::optional<int64_t> known = matchInt(axis);
  int64_t rank = x.rank();
  if (!known || *known < -rank || *known >= rank) {
    b.fail("expected an axis of the tensor that is known while compiling");
    return std::nullopt;
  }
  return Tensor(
      b, alongFirst(b, each, b.constant(-1), rank - normalDim(*known, rank)));
}

} // namespace isthmus::decompose_torch
