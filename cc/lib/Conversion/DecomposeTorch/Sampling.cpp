//===- Sampling.cpp - Images between their elements -----------------------===//

#include "Sampling.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The tap at a whole position, kept inside of the dim.
static Tap tapAt(Tensor position, Value size, Tensor weight) {
  TorchBuilder &b = position.builder();
  Value zero = b.constant(0), last = b.subInt(size, b.constant(1));
  // Positions far outside may not fit an integer: clamp before and after.
  Tensor near = position.apply<AtenClampOp>(zero, last);
  return {near.as(indexDtype(b)).apply<AtenClampOp>(zero, last), weight};
}

LinearTaps tapsWithin(Tensor position, Value size) {
  Tensor low = floor(position), share = position - low;
  Tensor last = scalar(position.builder(), size, position.dtype()) - 1;
  auto tap = [&](Tensor whole, Tensor weight) {
    Tensor isInside = (whole >= 0) & (whole <= last);
    return tapAt(whole, size, where(isInside, weight, 0));
  };
  return {tap(low, 1 - share), tap(low + 1, share)};
}

LinearTaps tapsNear(Tensor position, Value size) {
  Tensor count = scalar(position.builder(), size, position.dtype());
  Tensor isNear = (position >= -1) & (position <= count);
  Tensor inner = min(max(position, 0), count - 1);
  Tensor low = floor(inner), share = inner - low;
  return {tapAt(low, size, where(isNear, 1 - share, 0)),
          tapAt(low + 1, size, where(isNear, share, 0))};
}

Tensor sample(Tensor image, ArrayRef<Value> leading, const LinearTaps &rows,
              const LinearTaps &columns) {
  TorchBuilder &b = image.builder();
  std::optional<Tensor> sum;
  for (const Tap &row : rows)
    for (const Tap &column : columns) {
      SmallVector<Value> indices(leading);
      indices.append({row.index, column.index});
      Tensor elements =
          image.apply<AtenIndexTensorOp>(b.optionalTensors(indices));
      Tensor product = row.weight * column.weight;
      Tensor weight(b, b.unsqueeze(product, product.rank()));
      // An element that does not count may be infinite or NaN.
      Tensor part = where(weight == 0, 0, elements * weight);
      sum = sum ? *sum + part : part;
    }
  return *sum;
}

Tensor channelsLast(Tensor image) {
  TorchBuilder &b = image.builder();
  return {b, b.moveDim(image, 1, image.rank() - 1)};
}
Tensor channelsSecond(Tensor image) {
  TorchBuilder &b = image.builder();
  return {b, b.moveDim(image, image.rank() - 1, 1)};
}

} // namespace isthmus::decompose_torch
