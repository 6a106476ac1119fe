//===- RegionPooling.cpp - Maxima and means of regions --------------------===//
//
// The corners of a region are rounded to pixels. Its bins are whole pixels,
// which neighbours may share. Sources: torchvision/csrc/ops/cpu/roi_pool*,
// ps_roi_pool*.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Regions.h"
#include "isthmus/Dialect/Torch/DetectionComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {

/// The bins along one dim.
struct Bins {
  Tensor isInside; // [K, bins, size]: whether a pixel lies in a bin
  Tensor count;    // [K, bins] floats: pixels of a bin, 0 or less if empty
};

} // namespace

/// The nearest whole number; of two, the one further from 0.
static Tensor nearest(Tensor x) {
  Tensor whole = x.apply<AtenTruncOp>();
  Tensor away = where(x < 0, -1, x.number(1));
  return where(abs(x - whole) >= 0.5, whole + away, whole);
}

/// The bins of all regions along dim `dim` of an image [N,C,H,W]. A region ends
/// `beyond` pixels after its rounded corner; bins stay `cut` pixels inside of
/// the image.
static Bins binsOf(const Regions &regions, int dim, Tensor image, double beyond,
                   double cut) {
  TorchBuilder &b = image.builder();
  int64_t bins = regions.bins[dim];
  Tensor begin(b, b.unsqueeze(nearest(regions.begin[dim]), 1));
  Tensor end(b, b.unsqueeze(nearest(regions.end[dim]), 1));
  Tensor width = max(end - begin + beyond, 1) / static_cast<double>(bins);
  Value size = b.size(image, dim + 2);
  Tensor last = scalar(b, size, begin.dtype()) - cut;
  auto kept = [&](Tensor x) { return min(max(x + begin, 0), last); };
  Tensor number = counted(b, bins, begin.dtype());
  Tensor from = kept(floor(number * width));
  Tensor to = kept(-floor(-(number + 1) * width));
  Tensor pixel = range(b, b.constant(0), size).as(begin.dtype());
  auto column = [&](Tensor x) -> Tensor { return {b, b.unsqueeze(x, 2)}; };
  return {(pixel >= column(from)) & (pixel < column(to)), to - from};
}

/// A tensor [K, ...] with dims of size 1 before its other dims, by position.
static Tensor spread(Tensor x, ArrayRef<int64_t> positions) {
  Value result = x;
  for (int64_t position : positions)
    result = x.builder().unsqueeze(result, position);
  return {x.builder(), result};
}

/// Whether bins have no pixels, [K, 1, rows, columns].
static Tensor areEmpty(const Bins &rows, const Bins &columns) {
  return spread(
      (spread(rows.count, {2}) <= 0) | (spread(columns.count, {1}) <= 0), {1});
}

/// The largest element of the last dim for which a condition holds, and where.
static std::pair<Tensor, Tensor> largestWhere(Tensor condition, Tensor x) {
  TorchBuilder &b = x.builder();
  auto both = b.create<AtenMaxDimOp>(where(condition, x, -infinity),
                                     b.constant(-1), b.constantBool(false));
  return {{b, both->getResult(0)}, {b, both->getResult(1)}};
}

/// torchvision.roi_pool(input [N,C,H,W], rois, spatial_scale, pooled_height,
/// pooled_width): the largest element of each bin, and its position in H * W;
/// 0 and -1 for an empty bin.
static Decompositions::Values roiPool(TorchvisionRoiPoolOp op,
                                      TorchBuilder &b) {
  Tensor own(b, op.getInput()), x = own.as(computedDtype(own.dtype()));
  auto regions = regionsOf(op, b, x.dtype());
  if (!regions)
    return {{}, {}};
  Bins rows = binsOf(*regions, 0, x, /*beyond=*/1, /*cut=*/0);
  Bins columns = binsOf(*regions, 1, x, /*beyond=*/1, /*cut=*/0);
  Tensor image = x.apply<AtenIndexSelectOp>(b.constant(0), regions->image);
  auto transposed = [&](Tensor x) -> Tensor {
    return {b, b.permute(x, {0, 1, 3, 2})};
  };
  // Of each row of pixels: [K, C, H, columns].
  auto [perRow, columnAt] =
      largestWhere(spread(columns.isInside, {1, 1}), spread(image, {3}));
  // Of each bin: [K, C, rows, columns].
  auto [perBin, rowAt] = largestWhere(spread(rows.isInside, {2, 1}),
                                      spread(transposed(perRow), {2}));
  Tensor column = transposed(transposed(columnAt).apply<AtenGatherOp>(
      b.constant(3), transposed(rowAt), b.constantBool(false)));
  Tensor position = rowAt * scalar(b, b.size(x, 3), rowAt.dtype()) + column;
  Tensor isEmpty = areEmpty(rows, columns);
  Type index = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  return {where(isEmpty, 0, perBin).as(own.dtype()),
          where(isEmpty, -1, position).as(index)};
}

/// torchvision.ps_roi_pool(input [N, C * rows * columns, H, W], rois,
/// spatial_scale, pooled_height, pooled_width): the mean of each bin in its own
/// C channels; 0 for an empty bin.
static Decompositions::Values roiPoolByPosition(TorchvisionPsRoiPoolOp op,
                                                TorchBuilder &b) {
  Tensor own(b, op.getInput()), x = own.as(computedDtype(own.dtype()));
  auto regions = regionsOf(op, b, x.dtype());
  if (!regions)
    return {{}, {}};
  // torchvision leaves out the last row and the last column of the image.
  Bins rows = binsOf(*regions, 0, x, /*beyond=*/0, /*cut=*/1);
  Bins columns = binsOf(*regions, 1, x, /*beyond=*/0, /*cut=*/1);
  Tensor image = channelsOfBins(x, regions->bins)
                     .apply<AtenIndexSelectOp>(b.constant(0), regions->image);
  // Sums over the columns of [K, C, rows, columns, H, W], then over the rows.
  auto sumOf = [&](Tensor elements, Tensor isInside) -> Tensor {
    return {b, b.sum(where(isInside, elements, 0), elements.rank() - 1,
                     /*keepdim=*/false)};
  };
  Tensor sums = sumOf(image, spread(columns.isInside, {1, 1, 4}));
  sums = sumOf(sums, spread(rows.isInside, {1, 3}));
  Tensor area =
      spread(spread(rows.count, {2}) * spread(columns.count, {1}), {1});
  Tensor isEmpty = areEmpty(rows, columns);
  Tensor result = where(isEmpty, 0, sums / area).as(own.dtype());
  return {result, channelNumbers(b, result, regions->bins)};
}

void populateRegionPooling(Decompositions &decompositions) {
  decompositions.add(roiPool, roiPoolByPosition);
}

} // namespace isthmus::decompose_torch
