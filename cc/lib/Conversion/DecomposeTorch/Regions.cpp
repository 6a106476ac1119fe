//===- Regions.cpp - Regions of images, in bins ---------------------------===//

#include "Regions.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

std::optional<Regions> regionsOf(TorchBuilder &b, Value rois, Value scale,
                                 Value height, Value width, Type dtype) {
  auto rows = matchInt(height), columns = matchInt(width);
  if (!rows || !columns || std::min(*rows, *columns) < 1 ||
      std::max(*rows, *columns) > maxBins) {
    b.fail("expected pooled sizes between 1 and " + Twine(maxBins) +
           " that are known while compiling");
    return std::nullopt;
  }
  auto column = [&](int64_t index) -> Tensor {
    return {b,
            b.create<AtenSelectIntOp>(rois, b.constant(1), b.constant(index))};
  };
  Tensor factor = scalar(b, scale, dtype);
  auto corner = [&](int64_t index) { return column(index).as(dtype) * factor; };
  return Regions{column(0).as(indexDtype(b)),
                 {corner(2), corner(1)},
                 {corner(4), corner(3)},
                 {*rows, *columns}};
}

Tensor counted(TorchBuilder &b, int64_t count, Type dtype) {
  return range(b, b.constant(0), b.constant(count)).as(dtype);
}

Value among(TorchBuilder &b, Value row, int64_t before, int64_t after) {
  SmallVector<Value> sizes(before + 1 + after, b.constant(1));
  sizes[before] = b.constant(-1);
  return b.view(row, sizes);
}

Tensor channelsOfBins(Tensor image, const int64_t (&bins)[2]) {
  TorchBuilder &b = image.builder();
  SmallVector<Value> sizes = b.sizes(image);
  Value rows = b.constant(bins[0]), columns = b.constant(bins[1]);
  Value channels = b.floorDivInt(sizes[1], b.mulInt(rows, columns));
  return {b, b.view(image,
                    {sizes[0], channels, rows, columns, sizes[2], sizes[3]})};
}

Value channelNumbers(TorchBuilder &b, Tensor result, const int64_t (&bins)[2]) {
  Value channels = b.size(result, 1);
  Value rows = b.constant(bins[0]), columns = b.constant(bins[1]);
  Value count = b.mulInt(channels, b.mulInt(rows, columns));
  Tensor numbers =
      range(b, b.constant(0), count)
          .as(IntegerType::get(b.getContext(), 32, IntegerType::Signed));
  return b.expand(b.view(numbers, {b.constant(1), channels, rows, columns}),
                  b.sizes(result));
}

} // namespace isthmus::decompose_torch
