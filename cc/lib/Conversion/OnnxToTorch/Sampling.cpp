//===- Sampling.cpp - Interpolated elements -------------------------------===//

#include "Sampling.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

Value onnx_to_torch::lastOf(NodeBuilder &b, Value size) {
  return b.subInt(size, b.constant(1));
}

Tap onnx_to_torch::tapAt(NodeBuilder &b, Value position, Value size,
                         Value weight, bool isZeroOutside) {
  Value zero = b.constant(0), last = lastOf(b, size);
  if (isZeroOutside) {
    Value isInside = b.create<torch::AtenLogicalAndOp>(
        b.create<torch::AtenGeScalarOp>(position, zero),
        b.create<torch::AtenLeScalarOp>(position, last));
    Type dtype = dtypeOf(position);
    weight = weight ? b.where(isInside, weight, b.scalarTensor(0.0, dtype))
                    : b.convert(isInside, dtype);
  }
  // Positions far outside may not fit an integer: clamp before and after.
  Value near = b.create<torch::AtenClampOp>(position, zero, last);
  Value index =
      b.create<torch::AtenClampOp>(b.convert(near, int64Dtype(b)), zero, last);
  return {index, weight};
}

Taps onnx_to_torch::linearTaps(NodeBuilder &b, Value position, Value size,
                               bool isZeroOutside) {
  Value low = b.create<torch::AtenFloorOp>(position);
  Value share = b.sub(position, low);
  Value rest = b.create<torch::AtenRsubScalarOp>(share, b.constantFloat(1),
                                                 b.constant(1));
  return {tapAt(b, low, size, rest, isZeroOutside),
          tapAt(b, addNumber(b, low, 1), size, share, isZeroOutside)};
}

Value onnx_to_torch::sample(NodeBuilder &b, Value image,
                            ArrayRef<Value> leading, ArrayRef<Taps> taps,
                            llvm::function_ref<Value(Value, Value)> combine) {
  size_t combinations = 1;
  for (const Taps &perDim : taps)
    combinations *= perDim.size();
  Value result;
  for (size_t number = 0; number < combinations; ++number) {
    SmallVector<Value> indices(leading);
    Value weight;
    size_t rest = number;
    for (const Taps &perDim : taps) {
      const Tap &tap = perDim[rest % perDim.size()];
      rest /= perDim.size();
      indices.push_back(tap.index);
      if (tap.weight)
        weight = weight ? b.mul(weight, tap.weight) : tap.weight;
    }
    Value elements =
        b.create<torch::AtenIndexTensorOp>(image, b.optionalTensors(indices));
    if (weight) {
      weight = b.unsqueeze(weight, rankOf(weight));
      elements = b.mul(elements, weight);
    }
    if (!result)
      result = elements;
    else
      result = combine ? combine(result, elements) : b.add(result, elements);
  }
  return result;
}

Value onnx_to_torch::moveToEnd(NodeBuilder &b, Value tensor, int64_t from) {
  return b.moveDim(tensor, from, rankOf(tensor) - 1);
}
Value onnx_to_torch::moveFromEnd(NodeBuilder &b, Value tensor, int64_t to) {
  return b.moveDim(tensor, rankOf(tensor) - 1, to);
}

/// 0, 1, ... size - 1 along dim `dim` of `rank`.
Value onnx_to_torch::counted(NodeBuilder &b, Value size, int64_t dim,
                             int64_t rank) {
  return alongAxis(b, iota(b, b.constant(0), size), dim, rank);
}
