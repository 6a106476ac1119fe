//===- Heads.cpp - Tensors of attention heads -----------------------------===//

#include "Heads.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;

FailureOr<Value> onnx_to_torch::splitHeads(NodeBuilder &b, Value x,
                                           std::optional<int64_t> heads) {
  if (rankOf(x) == 4)
    return x;
  if (rankOf(x) != 3 || !heads || *heads < 1)
    return b.decline() << "expected tensors of rank 4, or of rank 3 with a "
                          "number of heads, got "
                       << x.getType();
  Value count = b.constant(*heads);
  SmallVector<Value> sizes = {b.size(x, 0), b.size(x, 1), count,
                              b.floorDivInt(b.size(x, 2), count)};
  return b.permute(b.view(x, sizes), {0, 2, 1, 3});
}

Value onnx_to_torch::joinHeads(NodeBuilder &b, Value x) {
  SmallVector<Value> sizes = b.sizes(x);
  if (b.hasFailed())
    return x;
  return b.view(b.permute(x, {0, 2, 1, 3}),
                {sizes[0], sizes[2], b.mulInt(sizes[1], sizes[3])});
}

FailureOr<double> onnx_to_torch::scaleOf(NodeBuilder &b,
                                         std::optional<double> given,
                                         Value heads) {
  if (given)
    return *given;
  int64_t width = sizeOf(heads, rankOf(heads) - 1);
  if (ShapedType::isDynamic(width) || width < 1)
    return b.decline() << "expected a head size known while compiling where "
                          "scale is not given, got "
                       << heads.getType();
  return 1 / std::sqrt(static_cast<double>(width));
}

Value onnx_to_torch::repeatHeads(NodeBuilder &b, Value x, Value queryHeads) {
  SmallVector<Value> sizes = b.sizes(x);
  if (b.hasFailed())
    return x;
  std::optional<int64_t> wanted = torch::matchInt(queryHeads),
                         own = torch::matchInt(sizes[1]);
  if (wanted && wanted == own)
    return x;
  SmallVector<Value> repeated = sizes;
  repeated.insert(repeated.begin() + 2, b.floorDivInt(queryHeads, sizes[1]));
  sizes[1] = queryHeads;
  return b.view(b.expand(b.unsqueeze(x, 2), repeated), sizes);
}

Value onnx_to_torch::turnPairs(NodeBuilder &b, Value x, Value cos, Value sin,
                               Value width, bool isInterleaved) {
  Value zero = b.constant(0), half = b.floorDivInt(width, b.constant(2));
  Value first, second;
  if (isInterleaved) {
    first = b.slice(x, 3, zero, width, 2);
    second = b.slice(x, 3, b.constant(1), width, 2);
  } else {
    first = b.slice(x, 3, zero, half);
    second = b.slice(x, 3, half, width);
  }
  Value real = b.sub(b.mul(cos, first), b.mul(sin, second));
  Value imaginary = b.add(b.mul(sin, first), b.mul(cos, second));
  Value turned;
  if (isInterleaved) {
    SmallVector<Value> sizes = b.sizes(x);
    if (b.hasFailed())
      return x;
    sizes[3] = width;
    turned = b.view(b.cat({b.unsqueeze(real, 4), b.unsqueeze(imaginary, 4)}, 4),
                    sizes);
  } else {
    turned = b.cat({real, imaginary}, 3);
  }
  auto all = torch::matchInt(b.size(x, 3)), part = torch::matchInt(width);
  return all && all == part ? turned : b.cat({turned, b.slice(x, 3, width)}, 3);
}

Value onnx_to_torch::unless(NodeBuilder &b, Value allowed, double otherwise,
                            Type dtype) {
  return b.where(allowed, b.scalarTensor(0.0, dtype),
                 b.scalarTensor(otherwise, dtype));
}
