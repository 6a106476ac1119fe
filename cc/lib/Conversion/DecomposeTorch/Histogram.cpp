//===- Histogram.cpp - Counts of elements in bins -------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// Bounds as rank-0 tensors.
using Bounds = std::pair<Tensor, Tensor>;

/// The bounds, moved apart by `margin` on both sides if they are equal.
static Bounds apart(Bounds bounds, double margin) {
  auto [first, last] = bounds;
  Tensor isPoint = first == last;
  return {where(isPoint, first - margin, first),
          where(isPoint, last + margin, last)};
}

/// The bounds of x [n], or 0 and 1 if it has no elements.
static Bounds boundsOf(Tensor x) {
  TorchBuilder &b = x.builder();
  int64_t count = x.sizes()[0];
  if (count == 0)
    return {x.number(0), x.number(1)};
  Tensor last(b, b.squeeze(largestOver(x, 0), 0)),
      first(b, b.squeeze(-largestOver(-x, 0), 0));
  if (!ShapedType::isDynamic(count))
    return {first, last};
  // The largest of no elements is the least number.
  Tensor isEmpty = first > last;
  return {where(isEmpty, 0, first), where(isEmpty, 1, last)};
}

/// histc(x, bins, min, max): the number of elements in each of equal bins,
/// where the bin of an element is (x - min) * bins / (max - min), rounded down;
/// the last bin includes its upper bound. If the bounds are equal, those of x
/// are used. Like PyTorch, half types round each step.
static Value histc(AtenHistcOp op, TorchBuilder &b) {
  Tensor x(b, b.view(op.getSelf(), b.constant(-1)));
  std::optional<double> low = matchNumber(op.getMin()),
                        high = matchNumber(op.getMax());
  if (!low || !high)
    return b.fail("expected bounds that are known while compiling");
  auto [first, last] = *low == *high ? apart(boundsOf(x), 1)
                                     : Bounds(x.number(*low), x.number(*high));
  Tensor bins = scalar(b, op.getBins(), x.dtype());
  Tensor bin =
      ((x - first) * bins / (last - first)).apply<AtenFloorOp>().widened();
  // Rounding can also put an element below the upper bound there.
  bin = min(bin, scalar(b, op.getBins(), bin.dtype()) - 1);
  Tensor each = range(b, b.constant(0), op.getBins()).as(bin.dtype());
  Tensor isInside = (x >= first) & (x <= last);
  Tensor isIn = (bin == Tensor(b, b.unsqueeze(each, 1))) & isInside;
  return b.convert(b.sum(isIn, 1, /*keepdim=*/false), x.dtype());
}

/// The weights of the elements of x in each bin. Bin i has those from edges[i]
/// to below edges[i + 1], and the last one its upper edge as well. As a
/// density, the sum of the bins times their widths is 1.
static Value histogramBetween(TorchBuilder &b, Tensor x, Tensor edges,
                              Value weights, Value isDensity) {
  std::optional<bool> density = matchBool(isDensity);
  if (!density)
    return b.fail("expected to know while compiling whether the result is a "
                  "density");
  Value zero = b.constant(0), one = b.constant(1);
  Value bins = b.subInt(b.size(edges, 0), one);
  Tensor lower(b, b.slice(edges, 0, zero, bins)),
      upper(b, b.slice(edges, 0, one));
  Tensor place = range(b, zero, bins);
  Tensor isLast = place == scalar(b, b.subInt(bins, one), place.dtype());
  Tensor element(b, b.unsqueeze(x, 1));
  Tensor isBelow = (element < upper) | (isLast & (element == upper));
  Tensor isIn = (element >= lower) & isBelow;
  Tensor each =
      isNone(weights)
          ? isIn.as(x.dtype())
          : where(isIn, Tensor(b, b.view(weights, {b.size(x, 0), one})), 0);
  Tensor sums(b, b.sum(each, 0, /*keepdim=*/false));
  if (*density)
    sums =
        sums / (upper - lower) / Tensor(b, b.sum(sums, 0, /*keepdim=*/false));
  return sums;
}

/// histogram(x, bins, range, weight, density): equal bins between two bounds,
/// and their edges. Without a range, the bounds are those of x.
static Decompositions::Values histogram(AtenHistogramBinCtOp op,
                                        TorchBuilder &b) {
  Tensor x(b, b.view(op.getSelf(), b.constant(-1)));
  std::optional<Bounds> range;
  if (!isNone(op.getRange())) {
    auto list = matchList(op.getRange());
    if (!list || list->size() != 2)
      return {b.fail("expected a range of two numbers"), {}};
    range = Bounds(scalar(b, list->front(), x.dtype()),
                   scalar(b, list->back(), x.dtype()));
  }
  auto [first, last] = apart(range ? *range : boundsOf(x), 0.5);
  Tensor edges(b, b.create<AtenLinspaceTensorTensorOp>(
                      first, last, b.addInt(op.getBins(), b.constant(1)),
                      b.dtype(x.dtype()), b.none(), b.none(), b.none()));
  return {histogramBetween(b, x, edges, op.getWeight(), op.getDensity()),
          edges};
}

/// histogram(x, edges, weight, density)
static Decompositions::Values histogramOfEdges(AtenHistogramBinsTensorOp op,
                                               TorchBuilder &b) {
  Tensor x(b, b.view(op.getSelf(), b.constant(-1)));
  return {histogramBetween(b, x, {b, op.getBins()}, op.getWeight(),
                           op.getDensity()),
          op.getBins()};
}

void populateHistogram(Decompositions &decompositions) {
  decompositions.add(histc, histogram, histogramOfEdges);
}

} // namespace isthmus::decompose_torch
