//===- RegionAlign.cpp - Regions of images, interpolated ------------------===//
//
// A bin is the mean of points between elements, a grid of g x g of them:
//
//   y = y1 + (row + (s + 0.5) / g) * (y2 - y1) / rows,   s = 0 ... g - 1
//
// g is the sampling ratio. Without one, each region has its own
// g = ceil((y2 - y1) / rows), of which only the points on the image count.
// Sources: torchvision/csrc/ops/cpu/roi_align*, ps_roi_align*.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Regions.h"
#include "Sampling.h"
#include "isthmus/Dialect/Torch/DetectionComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {

/// The points of all regions along one dim.
struct Points {
  Tensor begin, bin; // [K]: of the region, and the length of a bin
  Tensor count;      // [K] floats: points per bin
  Value most;        // the largest count, a !torch.int
};

} // namespace

static Points pointsOf(TorchBuilder &b, Tensor begin, Tensor length,
                       int64_t bins, int64_t ratio, Value size) {
  Tensor bin = length / static_cast<double>(bins);
  if (ratio > 0)
    return {begin, bin, begin.number(static_cast<double>(ratio)),
            b.constant(ratio)};
  // None for NaN and infinity; the others are exact as floats.
  constexpr double most = 1 << 24;
  Tensor count = -floor(-bin);
  count = where((count > 0) & (count < infinity), min(count, most), 0);
  Value zero = filled(b, {b.constant(1)}, 0, count.dtype());
  Tensor largest(b, b.create<AtenAmaxOp>(b.cat({count, zero}, 0),
                                         b.ints(ArrayRef<int64_t>{0}),
                                         b.constantBool(false)));
  // Points are half a pixel or more apart: so many lie on the image.
  Value onImage = b.addInt(b.mulInt(size, b.constant(2)), b.constant(4));
  return {begin, bin, count,
          b.minInt(b.create<AtenIntTensorOp>(largest), onImage)};
}

/// The taps at step `index` of each bin, for an image dim of `size`. The bins
/// are dim `axis` of [K, rows, columns]. With a fixed number of points, a step
/// is that point; otherwise, the first step is the first point on the image.
static LinearTaps tapsAt(const Points &points, int64_t bins, Tensor index,
                         Value size, int64_t axis) {
  TorchBuilder &b = index.builder();
  auto column = [&](Tensor row) -> Tensor { return {b, b.unsqueeze(row, 1)}; };
  auto placed = [&](Tensor x) -> Tensor {
    return {b, b.unsqueeze(x, axis == 1 ? 2 : 1)};
  };
  Tensor number = counted(b, bins, index.dtype());
  Tensor start = column(points.begin) + column(points.bin) * number;
  bool isFixed = points.count.rank() == 0;
  Tensor distance = column(points.bin / max(points.count, 1));
  Tensor point = index;
  if (!isFixed)
    point = index + max(floor((-1 - start) / distance - 0.5), 0);
  LinearTaps taps = tapsNear(placed(start + (point + 0.5) * distance), size);
  if (isFixed)
    return taps;
  Tensor hasPoint = placed(point < column(points.count));
  for (Tap &tap : taps)
    tap.weight = where(hasPoint, tap.weight, 0);
  return taps;
}

/// The sums of all points of each bin: [K, rows, columns, C]. `image` is
/// [leading..., H, W, C].
static Tensor sumOfPoints(Tensor image, ArrayRef<Value> leading,
                          const Regions &regions, const Points (&points)[2]) {
  TorchBuilder &b = image.builder();
  int64_t rank = image.rank();
  Value height = b.size(image, rank - 3), width = b.size(image, rank - 2);
  Type dtype = image.dtype();
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    Value row = b.floorDivInt(number, points[1].most);
    Value column = b.subInt(number, b.mulInt(row, points[1].most));
    LinearTaps rows = tapsAt(points[0], regions.bins[0], scalar(b, row, dtype),
                             height, /*axis=*/1);
    LinearTaps columns = tapsAt(points[1], regions.bins[1],
                                scalar(b, column, dtype), width, /*axis=*/2);
    return {states.front() + sample(image, leading, rows, columns)};
  };
  Tensor zeros =
      filled(b,
             {b.size(regions.begin[0], 0), b.constant(regions.bins[0]),
              b.constant(regions.bins[1]), b.size(image, rank - 1)},
             0, dtype);
  Value steps = b.mulInt(points[0].most, points[1].most);
  return repeat(b, steps, {zeros}, step).front();
}

static std::optional<int64_t> ratioOf(TorchBuilder &b, Value ratio) {
  std::optional<int64_t> known = matchInt(ratio);
  if (known && *known <= maxBins)
    return known;
  b.fail("expected a sampling_ratio of at most " + Twine(maxBins) +
         " that is known while compiling");
  return std::nullopt;
}

/// The number of points of each bin, [K,1,1,1] or a number.
static Tensor countOf(const Points (&points)[2]) {
  Tensor count = points[0].count * points[1].count;
  return count.rank() == 0
             ? count
             : Tensor(count.builder(), among(count.builder(), count, 0, 3));
}

/// torchvision.roi_align(input [N,C,H,W], rois, spatial_scale, pooled_height,
/// pooled_width, sampling_ratio, aligned). If not aligned, pixels lie at whole
/// coordinates, and regions are at least one pixel large.
static Value roiAlign(TorchvisionRoiAlignOp op, TorchBuilder &b) {
  Tensor own(b, op.getInput()), x = own.as(computedDtype(own.dtype()));
  auto regions = regionsOf(op, b, x.dtype());
  auto ratio = ratioOf(b, op.getSamplingRatio());
  std::optional<bool> isAligned = matchBool(op.getAligned());
  if (!regions || !ratio)
    return {};
  if (!isAligned)
    return b.fail("expected a bool `aligned` that is known while compiling");
  auto points = [&](int dim) {
    Tensor begin = regions->begin[dim];
    // XLA rounds a product and a sum once, so that an empty region would have a
    // length.
    Tensor end = regions->end[dim];
    Tensor length = where(begin == end, 0, end - begin);
    if (*isAligned)
      begin = begin - 0.5;
    else
      length = max(length, 1);
    return pointsOf(b, begin, length, regions->bins[dim], *ratio,
                    b.size(x, dim + 2));
  };
  Points both[2] = {points(0), points(1)};
  Tensor sums = sumOfPoints(channelsLast(x), among(b, regions->image, 0, 2),
                            *regions, both);
  return channelsSecond(sums / max(countOf(both), 1)).as(own.dtype());
}

/// torchvision.ps_roi_align(input [N, C * rows * columns, H, W], rois,
/// spatial_scale, pooled_height, pooled_width, sampling_ratio): each bin takes
/// its own C channels.
static Decompositions::Values roiAlignByPosition(TorchvisionPsRoiAlignOp op,
                                                 TorchBuilder &b) {
  Tensor own(b, op.getInput()), x = own.as(computedDtype(own.dtype()));
  auto regions = regionsOf(op, b, x.dtype());
  auto ratio = ratioOf(b, op.getSamplingRatio());
  if (!regions || !ratio)
    return {{}, {}};
  auto points = [&](int dim) {
    Tensor begin = regions->begin[dim];
    return pointsOf(b, begin - 0.5, regions->end[dim] - begin,
                    regions->bins[dim], *ratio, b.size(x, dim + 2));
  };
  Points both[2] = {points(0), points(1)};
  Value zero = b.constant(0);
  auto bin = [&](int dim) -> Value {
    return among(b, range(b, zero, b.constant(regions->bins[dim])), 1 + dim,
                 1 - dim);
  };
  Tensor image = channelsLast(channelsOfBins(x, regions->bins));
  Tensor sums = sumOfPoints(
      image, {among(b, regions->image, 0, 2), bin(0), bin(1)}, *regions, both);
  Tensor result = channelsSecond(sums / countOf(both)).as(own.dtype());
  return {result, channelNumbers(b, result, regions->bins)};
}

void populateRegionAlign(Decompositions &decompositions) {
  decompositions.add(roiAlign, roiAlignByPosition);
}

} // namespace isthmus::decompose_torch
