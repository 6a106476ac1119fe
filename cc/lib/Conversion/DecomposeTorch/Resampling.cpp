//===- Resampling.cpp - Interpolation between elements of the input -------===//
//
// Along a dim, each element of the result is a weighted sum of a few elements
// of the input, its taps. The positions and weights of the taps are tensors
// with one number per element of the result; if the sizes are known, they fold
// to constants. As in PyTorch's kernels, coordinates are f32 unless the input
// is f64.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ResamplingOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static Tensor floor(Tensor x) { return x.apply<AtenFloorOp>(); }

static Type indexDtype(TorchBuilder &b) {
  return IntegerType::get(b.getContext(), 64, IntegerType::Signed);
}

static Type coordinateDtype(Tensor x) {
  return x.dtype().isF64() ? x.dtype()
                           : Type(Float32Type::get(x.builder().getContext()));
}

/// At distance t from a tap, the cubic of Keys (1981): within 1,
/// ((a + 2) t - (a + 3)) t^2 + 1, from there to 2, ((a t - 5 a) t + 8 a) t - 4
/// a. PyTorch has a = -0.75, and -0.5 where it filters.
static constexpr double keys = -0.75, keysFiltering = -0.5;
static Tensor nearCubic(Tensor t, double a = keys) {
  return (t * (a + 2) - (a + 3)) * t * t + 1;
}
static Tensor farCubic(Tensor t, double a = keys) {
  return ((t * a - 5 * a) * t + 8 * a) * t - 4 * a;
}

/// The weights of the taps at floor(x) - 1 ... floor(x) + 2 for the fraction of
/// x.
static SmallVector<Tensor> cubicWeights(Tensor fraction) {
  Tensor rest = 1 - fraction;
  return {farCubic(fraction + 1), nearCubic(fraction), nearCubic(rest),
          farCubic(rest + 1)};
}

//===----------------------------------------------------------------------===//
// Resizing: one dim at a time
//===----------------------------------------------------------------------===//

namespace {

enum class Mode {
  Nearest,
  NearestExact,
  Linear,
  Cubic,
  FilteredLinear,
  FilteredCubic,
};

constexpr bool isNearest(Mode mode) {
  return mode == Mode::Nearest || mode == Mode::NearestExact;
}

/// A dim to resize. The ratio maps positions in the result to positions in the
/// input.
struct Axis {
  int64_t dim;
  Value size, resized;
  Tensor ratio;
  bool alignsCorners;
};

} // namespace

/// Positions in the input from which the elements of the result are sampled:
/// aligned at corners, or at centers, which are half an element from the
/// border.
static Tensor sources(Tensor x, const Axis &axis, Mode mode) {
  TorchBuilder &b = x.builder();
  Tensor place = range(b, b.constant(0), axis.resized).as(axis.ratio.dtype());
  if (mode == Mode::Nearest || axis.alignsCorners)
    return place * axis.ratio;
  if (mode == Mode::NearestExact)
    return (place + 0.5) * axis.ratio;
  Tensor source = (place + 0.5) * axis.ratio - 0.5;
  return mode == Mode::Linear ? max(source, 0) : source;
}

/// The elements of a dim at the positions, which are clamped to the dim.
static Tensor taken(Tensor x, const Axis &axis, Tensor places) {
  TorchBuilder &b = x.builder();
  Tensor last = scalar(b, b.subInt(axis.size, b.constant(1)), places.dtype());
  Tensor index = min(max(places, 0), last).as(indexDtype(b));
  return x.apply<AtenIndexSelectOp>(b.constant(axis.dim), index);
}

/// Resizes the dim by a product with a weight matrix. When downsampling, taps
/// are wider by the ratio, and their weights are normalized to a sum of 1
/// (antialias).
static Tensor filtered(Tensor x, const Axis &axis, Mode mode) {
  TorchBuilder &b = x.builder();
  auto centers = [&](Value size) {
    return range(b, b.constant(0), size).as(axis.ratio.dtype()) + 0.5;
  };
  Tensor elements(b, b.unsqueeze(centers(axis.size), 1)); // [size,1]
  Tensor distance =
      abs(elements - centers(axis.resized) * axis.ratio) / max(axis.ratio, 1);
  Tensor weights = max(1 - distance, 0);
  if (mode == Mode::FilteredCubic)
    weights = where(distance <= 1, nearCubic(distance, keysFiltering),
                    where(distance <= 2, farCubic(distance, keysFiltering), 0));
  weights = weights / sumOver(weights, {0});
  SmallVector<int64_t> order = allDims(x.rank());
  std::swap(order[axis.dim], order.back());
  Value rows = b.permute(x, order);
  Value product = b.create<AtenMatmulOp>(rows, weights.as(x.dtype()));
  return {b, b.permute(product, order)};
}

static Tensor resized(Tensor x, const Axis &axis, Mode mode) {
  TorchBuilder &b = x.builder();
  bool isFiltered = mode == Mode::FilteredLinear || mode == Mode::FilteredCubic;
  // As in PyTorch's kernels, even if a factor is given.
  std::optional<int64_t> size = matchInt(axis.size);
  if ((mode == Mode::Linear || isFiltered) && size &&
      size == matchInt(axis.resized))
    return x;
  if (isFiltered)
    return filtered(x, axis, mode);
  Tensor source = sources(x, axis, mode), whole = floor(source);
  if (isNearest(mode))
    return taken(x, axis, whole);
  Value aligned =
      alongFirst(b, source - whole, axis.resized, x.rank() - axis.dim);
  Tensor fraction = Tensor(b, aligned).as(x.dtype());
  if (mode == Mode::Linear)
    return taken(x, axis, whole) * (1 - fraction) +
           taken(x, axis, whole + 1) * fraction;
  SmallVector<Tensor> weights = cubicWeights(fraction);
  Tensor sum = taken(x, axis, whole - 1) * weights.front();
  for (int64_t tap = 1; tap < 4; ++tap)
    sum = sum +
          taken(x, axis, whole + static_cast<double>(tap - 1)) * weights[tap];
  return sum;
}

/// A size, times a factor, rounded down.
static Value scaledSize(TorchBuilder &b, Value size, Value factor) {
  std::optional<double> by = matchNumber(factor);
  if (by && *by == std::floor(*by) && std::abs(*by) < 0x1p63)
    return b.mulInt(size, b.constant(static_cast<int64_t>(*by)));
  return b.fold<AtenFloorFloatOp>(
      b.fold<AtenMulFloatOp>(b.fold<AtenFloatScalarOp>(size), factor));
}

/// The distance in the input between two neighbors of the result: (size - 1) /
/// (resized - 1) between corners, 1 / factor if that is given, else size /
/// resized.
static Tensor ratioOf(TorchBuilder &b, Value size, Value resized, Value factor,
                      bool alignsCorners, Type dtype) {
  auto number = [&](Value integer) { return scalar(b, integer, dtype); };
  if (alignsCorners) {
    Tensor gaps = number(resized) - 1;
    return where(gaps > 0, (number(size) - 1) / max(gaps, 1), 0);
  }
  if (!factor)
    return number(size) / number(resized);
  if (std::optional<double> known = matchNumber(factor))
    return {b, b.scalarTensor(1 / *known, dtype)};
  return 1 / scalar(b, factor, dtype);
}

/// upsample(x [N,C,...]): resizes the dims after the channels to the given
/// sizes, or scales each by a factor.
static Value upsampled(TorchBuilder &b, Value input,
                       std::optional<SmallVector<Value>> sizes,
                       std::optional<SmallVector<Value>> factors, Mode mode,
                       bool alignsCorners) {
  Tensor own(b, input), x = own;
  if (!isNearest(mode)) {
    if (!isFloatingPoint(own.dtype()))
      return b.fail("expected floating-point numbers to interpolate");
    x = own.widened();
  }
  if (!sizes && !factors)
    return b.fail("expected sizes or scale factors");
  for (int64_t dim = 2; dim < own.rank(); ++dim) {
    Value size = b.size(x, dim),
          factor = factors && !isNone((*factors)[dim - 2]) ? (*factors)[dim - 2]
                                                           : Value(),
          target = sizes ? (*sizes)[dim - 2] : scaledSize(b, size, factor);
    Axis axis{
        dim, size, target,
        ratioOf(b, size, target, factor, alignsCorners, coordinateDtype(x)),
        alignsCorners};
    x = resized(x, axis, mode);
  }
  return x.as(own.dtype());
}

template <Mode mode, typename Op>
static Value upsample(Op op, TorchBuilder &b) {
  bool alignsCorners = false;
  if constexpr (!isNearest(mode)) {
    std::optional<bool> aligns = matchBool(op.getAlignCorners());
    if (!aligns)
      return b.fail("expected align_corners to be known while compiling");
    alignsCorners = *aligns;
  }
  return upsampled(b, op.getInput(), matchList(op.getOutputSize()),
                   matchList(op.getScaleFactors()), mode, alignsCorners);
}

/// The same with a factor, or none, for each dim; the sizes are always given.
template <Mode mode, typename Op>
static Value upsamplePerDim(Op op, TorchBuilder &b) {
  std::optional<bool> alignsCorners = false;
  if constexpr (!isNearest(mode))
    alignsCorners = matchBool(op.getAlignCorners());
  if (!alignsCorners)
    return b.fail("expected align_corners to be known while compiling");
  constexpr unsigned before = isNearest(mode) ? 2 : 3;
  SmallVector<Value> factors(op->getOperands().drop_front(before));
  auto sizes = matchList(op.getOutputSize());
  if (!sizes)
    return b.fail("expected a list of sizes whose length is known");
  return upsampled(b, op.getSelf(), sizes, factors, mode, *alignsCorners);
}

//===----------------------------------------------------------------------===//
// grid_sampler: a position in the input for each element of the result
//===----------------------------------------------------------------------===//

namespace {

/// PyTorch's enumeration of padding modes.
enum class Padding { Zeros = 0, Border = 1, Reflection = 2 };

/// A dim of the input.
struct Extent {
  Tensor size;
  Padding padding;
  bool alignsCorners;
};

} // namespace

/// x / y rounded down, and the remainder; y > 0 and x >= 0.
static std::pair<Tensor, Tensor> divided(Tensor x, Tensor y) {
  Tensor quotient = floor(x / y);
  return {quotient, x - quotient * y};
}

/// Mirrors coordinates outside of the input at its border, at the corners or
/// their centers, as often as needed.
static Tensor reflected(Tensor x, const Extent &extent) {
  Tensor size = extent.size;
  double low = extent.alignsCorners ? 0 : -0.5;
  Tensor span = extent.alignsCorners ? size - 1 : size;
  Tensor positive = max(span, 1); // a span of 0 maps all to the border
  auto [flips, rest] = divided(abs(x - low), positive);
  Tensor isEven = divided(flips, flips.number(2)).second == 0;
  Tensor mirrored = where(isEven, rest, span - rest) + low;
  return where(span > 0, mirrored, 0);
}

/// Applies the padding mode, if it maps outside coordinates into the input.
static Tensor placed(Tensor x, const Extent &extent) {
  if (extent.padding == Padding::Zeros)
    return x;
  if (extent.padding == Padding::Reflection)
    x = reflected(x, extent);
  return min(max(x, 0), extent.size - 1);
}

/// Maps [-1, 1] to [0, size - 1] between the centers of corners, or to [-0.5,
/// size - 0.5] between corners.
static Tensor denormalized(Tensor x, const Extent &extent) {
  return extent.alignsCorners ? (x + 1) * 0.5 * (extent.size - 1)
                              : ((x + 1) * extent.size - 1) * 0.5;
}

/// A tap along one dim: a whole coordinate, and its weight for each element.
using Taps = SmallVector<std::pair<Tensor, Tensor>>;

/// interpolation_mode 0 is bilinear, 1 nearest, 2 bicubic.
static Taps tapsOf(Tensor x, const Extent &extent, int64_t interpolation) {
  x = denormalized(x, extent);
  if (interpolation == 2) {
    Tensor whole = floor(x);
    Taps taps;
    for (auto [tap, weight] : llvm::enumerate(cubicWeights(x - whole)))
      taps.push_back(
          {placed(whole + (static_cast<double>(tap) - 1), extent), weight});
    return taps;
  }
  x = placed(x, extent);
  if (interpolation == 1)
    return {{x.apply<AtenRoundOp>(), x.number(1)}};
  Tensor whole = floor(x), fraction = x - whole;
  return {{whole, 1 - fraction}, {whole + 1, fraction}};
}

/// grid_sampler(x [N,C,H,W], grid [N,h,w,2]): element (i, j) of an image is
/// sampled at grid[i, j] = (column, row), from -1 to 1. In three dims, grid
/// [N,d,h,w,3] has (column, row, layer).
template <typename Op>
static Value gridSampler(Op op, TorchBuilder &b) {
  auto interpolation = matchInt(op.getInterpolationMode()),
       padding = matchInt(op.getPaddingMode());
  std::optional<bool> alignsCorners = matchBool(op.getAlignCorners());
  if (!interpolation || !padding || !alignsCorners)
    return b.fail("expected modes and align_corners that are known while "
                  "compiling");
  Tensor own(b, op.getInput()), x = own.widened();
  int64_t spatial = own.rank() - 2;
  if (spatial < 2 || spatial > 3 || (spatial == 3 && *interpolation == 2))
    return b.fail("expected images of two or three dims, and of two for a "
                  "bicubic interpolation");
  Tensor grid = Tensor(b, op.getGrid()).as(x.dtype());
  SmallVector<Value> sizes = b.sizes(grid); // [N,h,w,2]
  sizes.pop_back();
  Value channels = b.size(x, 1);
  Value count = b.product(ArrayRef(sizes).drop_front());
  // Coordinates as [N,1,h*w], images as [N,C,H*W].
  SmallVector<Extent> extents;
  SmallVector<Taps> taps;
  for (int64_t dim : llvm::seq(spatial)) {
    extents.push_back({scalar(b, b.size(x, dim + 2), x.dtype()),
                       static_cast<Padding>(*padding), *alignsCorners});
    int64_t which = spatial - 1 - dim; // the last dim comes first
    Value all =
        b.slice(grid, spatial + 1, b.constant(which), b.constant(which + 1));
    taps.push_back(tapsOf({b, b.view(all, {sizes[0], b.constant(1), count})},
                          extents.back(), *interpolation));
  }
  Tensor flat(b, b.view(x, {sizes[0], channels, b.constant(-1)}));
  Type integer = indexDtype(b);
  std::optional<Tensor> sum;
  // Each choice of one tap along each dim.
  SmallVector<size_t> choice(spatial, 0);
  for (bool isDone = false; !isDone;) {
    std::optional<Tensor> index, weight, isInside;
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      auto [place, own] = taps[dim][choice[dim]];
      Tensor inside = min(max(place, 0), extent.size - 1);
      Tensor fits = place == inside;
      index = index ? *index * extent.size.as(integer) + inside.as(integer)
                    : inside.as(integer);
      weight = weight ? *weight * own : own;
      isInside = isInside ? *isInside & fits : fits;
    }
    Value spread =
        b.expand(where(*isInside, *index, 0), {sizes[0], channels, count});
    Tensor element =
        flat.apply<AtenGatherOp>(b.constant(2), spread, b.constantBool(false));
    Tensor term = where(*isInside, element, 0) * *weight;
    sum = sum ? *sum + term : term;
    isDone = true;
    for (int64_t dim = spatial - 1; dim >= 0 && isDone; --dim) {
      choice[dim] = (choice[dim] + 1) % taps[dim].size();
      isDone = choice[dim] == 0;
    }
  }
  sizes.insert(sizes.begin() + 1, channels);
  return b.convert(b.view(*sum, sizes), own.dtype());
}

/// affine_grid_generator(theta [N,d,d+1], [N,C,sizes...], align_corners): the
/// positions, from -1 to 1, of the elements of an image, transformed by theta.
static Value affineGrid(AtenAffineGridGeneratorOp op, TorchBuilder &b) {
  auto sizes = matchList(op.getSize());
  auto alignsCorners = matchBool(op.getAlignCorners());
  Tensor theta(b, op.getTheta());
  if (!sizes || !alignsCorners || sizes->size() < 3)
    return b.fail("expected a list of sizes and align_corners that are known "
                  "while compiling");
  SmallVector<Value> inner(ArrayRef(*sizes).drop_front(2));
  int64_t spatial = inner.size();
  // Columns of coordinates, the last dim first, and of 1.
  inner.push_back(b.constant(1));
  SmallVector<Value> columns;
  for (int64_t dim = spatial - 1; dim >= 0; --dim) {
    Tensor size = scalar(b, inner[dim], theta.dtype());
    Tensor place = range(b, b.constant(0), inner[dim]).as(theta.dtype());
    Tensor position = *alignsCorners
                          ? where(size > 1, place * 2 / max(size - 1, 1) - 1, 0)
                          : (place * 2 + 1) / size - 1;
    columns.push_back(b.expand(
        alongFirst(b, position, inner[dim], spatial - dim + 1), inner));
  }
  columns.push_back(b.expand(theta.number(1), inner));
  Value rows = b.view(b.cat(columns, spatial),
                      {b.constant(-1), b.constant(spatial + 1)});
  Value batch = b.expand(b.unsqueeze(rows, 0),
                         {sizes->front(), b.size(rows, 0), b.size(rows, 1)});
  Value positions = b.create<AtenBmmOp>(batch, b.permute(theta, {0, 2, 1}));
  inner.back() = b.constant(spatial);
  inner.insert(inner.begin(), sizes->front());
  return b.view(positions, inner);
}

void populateResampling(Decompositions &decompositions) {
  decompositions.add(
      affineGrid, gridSampler<AtenGridSampler2dOp>,
      gridSampler<AtenGridSampler3dOp>, gridSampler<AtenGridSamplerOp>,
      upsamplePerDim<Mode::Cubic, AtenUpsampleBicubic2dOp>,
      upsamplePerDim<Mode::Linear, AtenUpsampleBilinear2dOp>,
      upsamplePerDim<Mode::Linear, AtenUpsampleLinear1dOp>,
      upsamplePerDim<Mode::Linear, AtenUpsampleTrilinear3dOp>,
      upsamplePerDim<Mode::Nearest, AtenUpsampleNearest1dOp>,
      upsamplePerDim<Mode::Nearest, AtenUpsampleNearest2dOp>,
      upsamplePerDim<Mode::Nearest, AtenUpsampleNearest3dOp>,
      upsamplePerDim<Mode::NearestExact, Aten_UpsampleNearestExact1dOp>,
      upsamplePerDim<Mode::NearestExact, Aten_UpsampleNearestExact2dOp>,
      upsamplePerDim<Mode::NearestExact, Aten_UpsampleNearestExact3dOp>,
      upsample<Mode::NearestExact, Aten_UpsampleNearestExact3dVecOp>,
      upsample<Mode::FilteredCubic, Aten_UpsampleBicubic2dAaVecOp>,
      upsample<Mode::FilteredLinear, Aten_UpsampleBilinear2dAaVecOp>,
      upsamplePerDim<Mode::FilteredCubic, Aten_UpsampleBicubic2dAaOp>,
      upsamplePerDim<Mode::FilteredLinear, Aten_UpsampleBilinear2dAaOp>,
      upsample<Mode::Cubic, AtenUpsampleBicubic2dVecOp>,
      upsample<Mode::Linear, AtenUpsampleBilinear2dVecOp>,
      upsample<Mode::Linear, AtenUpsampleLinear1dVecOp>,
      upsample<Mode::Linear, AtenUpsampleTrilinear3dVecOp>,
      upsample<Mode::Nearest, AtenUpsampleNearest1dVecOp>,
      upsample<Mode::Nearest, AtenUpsampleNearest2dVecOp>,
      upsample<Mode::Nearest, AtenUpsampleNearest3dVecOp>,
      upsample<Mode::NearestExact, Aten_UpsampleNearestExact1dVecOp>,
      upsample<Mode::NearestExact, Aten_UpsampleNearestExact2dVecOp>);
}

} // namespace isthmus::decompose_torch
