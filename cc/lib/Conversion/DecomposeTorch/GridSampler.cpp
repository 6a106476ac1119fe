//===- GridSampler.cpp - Images at the positions of a grid, and gradients -===//
//
// Each element of the result is a weighted sum of elements of the image, its
// taps: one for each choice of a tap along each dim. Images, coordinates and
// weights are flattened, so that a tap is one position in an image.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Resampling.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ResamplingComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Coordinates along one dim
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

/// A coordinate, seen from the low border: it is a number of spans, which is
/// even or odd, and a rest away.
struct Mirrored {
  double low;
  Tensor span, isEven, rest;
};

} // namespace

/// x / y rounded down, and the remainder; y > 0 and x >= 0.
static std::pair<Tensor, Tensor> divided(Tensor x, Tensor y) {
  Tensor quotient = floor(x / y);
  return {quotient, x - quotient * y};
}

static Mirrored mirrored(Tensor x, const Extent &extent) {
  Tensor size = extent.size;
  double low = extent.alignsCorners ? 0 : -0.5;
  Tensor span = extent.alignsCorners ? size - 1 : size;
  Tensor positive = max(span, 1); // a span of 0 maps all to the border
  auto [flips, rest] = divided(abs(x - low), positive);
  Tensor isEven = divided(flips, flips.number(2)).second == 0;
  return {low, span, isEven, rest};
}

/// Mirrors coordinates outside of the input at its border, at the corners or
/// their centers, as often as needed.
static Tensor reflected(Tensor x, const Extent &extent) {
  auto [low, span, isEven, rest] = mirrored(x, extent);
  return where(span > 0, where(isEven, rest, span - rest) + low, 0);
}

/// Applies the padding mode, if it maps outside coordinates into the input.
static Tensor placed(Tensor x, const Extent &extent) {
  if (extent.padding == Padding::Zeros)
    return x;
  if (extent.padding == Padding::Reflection)
    x = reflected(x, extent);
  return min(max(x, 0), extent.size - 1);
}

/// The derivative of placed(x). It is 0 at the first and the last element,
/// where PyTorch takes the side outside.
static Tensor slopeOfPlaced(Tensor x, const Extent &extent) {
  Tensor slope = x.number(1);
  if (extent.padding == Padding::Zeros)
    return slope;
  if (extent.padding == Padding::Reflection) {
    Mirrored from = mirrored(x, extent);
    slope = where((x < from.low) == from.isEven, -1, slope);
  }
  Tensor place = placed(x, extent);
  return where((place > 0) & (place < extent.size - 1), slope, 0);
}

/// Maps [-1, 1] to [0, size - 1] between the centers of corners, or to [-0.5,
/// size - 0.5] between corners.
static Tensor denormalized(Tensor x, const Extent &extent) {
  return extent.alignsCorners ? (x + 1) * 0.5 * (extent.size - 1)
                              : ((x + 1) * extent.size - 1) * 0.5;
}

/// The derivative of denormalized(x).
static Tensor slopeOfDenormalized(const Extent &extent) {
  return (extent.alignsCorners ? extent.size - 1 : extent.size) * 0.5;
}

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

namespace {

/// PyTorch's enumeration of interpolation modes.
enum class Interpolation { Linear = 0, Nearest = 1, Cubic = 2 };

/// The taps along one dim: whole coordinates, and the weights for each element
/// of the result.
struct Taps {
  SmallVector<Tensor> places, weights;
};

/// An image [N,C,H,W] and where it is sampled. The tensors are [N,1,h*w].
struct Sampling {
  Interpolation interpolation;
  SmallVector<Value> sizes; // N, C, h, w
  Value count;              // h * w
  Tensor image;             // [N,C,H*W]
  // For each of H, W:
  SmallVector<Extent> extents;
  SmallVector<Tensor> coordinates;
  SmallVector<Taps> taps;
};

/// An index into a flattened image, for each channel, and whether it is that of
/// the tap.
struct Place {
  Value index;
  Tensor isInside;
};

} // namespace

/// The taps of a coordinate.
static Taps tapsOf(Tensor x, const Extent &extent,
                   Interpolation interpolation) {
  if (interpolation == Interpolation::Cubic) {
    Tensor whole = floor(x);
    Taps taps{{}, cubicWeights(x - whole)};
    for (double offset : {-1, 0, 1, 2})
      taps.places.push_back(placed(whole + offset, extent));
    return taps;
  }
  x = placed(x, extent);
  if (interpolation == Interpolation::Nearest)
    return {{x.apply<AtenRoundOp>()}, {x.number(1)}};
  Tensor whole = floor(x), fraction = x - whole;
  return {{whole, whole + 1}, {1 - fraction, fraction}};
}

/// The derivatives of cubicWeights(), from ((3 a + 6) t - (2 a + 6)) t and
/// (3 a t - 10 a) t + 8 a.
static SmallVector<Tensor> cubicSlopes(Tensor fraction) {
  auto near = [](Tensor t) {
    return (t * (3 * keys + 6) - (2 * keys + 6)) * t;
  };
  auto far = [](Tensor t) {
    return (t * (3 * keys) - 10 * keys) * t + 8 * keys;
  };
  Tensor rest = 1 - fraction;
  return {far(fraction + 1), near(fraction), -near(rest), -far(rest + 1)};
}

/// The derivatives of the weights of the taps of a coordinate by the number in
/// the grid.
static SmallVector<Tensor> slopesOf(Tensor x, const Extent &extent,
                                    Interpolation interpolation) {
  Tensor slope = slopeOfDenormalized(extent);
  if (interpolation == Interpolation::Cubic) { // pads each tap, not x
    SmallVector<Tensor> slopes = cubicSlopes(x - floor(x));
    for (Tensor &each : slopes)
      each = each * slope;
    return slopes;
  }
  slope = slopeOfPlaced(x, extent) * slope;
  return {-slope, slope};
}

/// The operands of a grid_sampler or its gradient. The grid is [N,h,w,2] with
/// (column, row) from -1 to 1, or [N,d,h,w,3] with (column, row, layer).
template <typename Op>
static std::optional<Sampling> samplingOf(Op op, TorchBuilder &b) {
  auto interpolation = matchInt(op.getInterpolationMode()),
       padding = matchInt(op.getPaddingMode());
  std::optional<bool> alignsCorners = matchBool(op.getAlignCorners());
  if (!interpolation || !padding || !alignsCorners) {
    b.fail("expected modes and align_corners that are known while compiling");
    return std::nullopt;
  }
  auto mode = static_cast<Interpolation>(*interpolation);
  Tensor x = Tensor(b, op.getInput()).widened();
  int64_t spatial = x.rank() - 2;
  if (spatial < 2 || spatial > 3 ||
      (spatial == 3 && mode == Interpolation::Cubic)) {
    b.fail("expected images of two or three dims, and of two for a bicubic "
           "interpolation");
    return std::nullopt;
  }
  Tensor grid = Tensor(b, op.getGrid()).as(x.dtype());
  SmallVector<Value> sizes = b.sizes(grid);
  sizes.pop_back();
  Value channels = b.size(x, 1);
  Value count = b.product(ArrayRef(sizes).drop_front());
  SmallVector<Value> inner(ArrayRef(b.sizes(x)).drop_front(2));
  Value image = b.view(x, {sizes[0], channels, b.product(inner)});
  Sampling of{mode, sizes, count, {b, image}, {}, {}, {}};
  of.sizes.insert(of.sizes.begin() + 1, channels);
  for (int64_t dim : llvm::seq(spatial)) {
    Extent extent{scalar(b, b.size(x, dim + 2), x.dtype()),
                  static_cast<Padding>(*padding), *alignsCorners};
    int64_t which = spatial - 1 - dim; // the last dim comes first
    Value all =
        b.slice(grid, spatial + 1, b.constant(which), b.constant(which + 1));
    Tensor flat(b, b.view(all, {sizes[0], b.constant(1), count}));
    of.extents.push_back(extent);
    of.coordinates.push_back(denormalized(flat, extent));
    of.taps.push_back(tapsOf(of.coordinates.back(), extent, mode));
  }
  return of;
}

/// Visits each choice of one tap along each dim.
static void forEachChoice(ArrayRef<Taps> taps,
                          llvm::function_ref<void(ArrayRef<size_t>)> visit) {
  SmallVector<size_t> choice(taps.size(), 0);
  for (bool isDone = false; !isDone;) {
    visit(choice);
    isDone = true;
    for (size_t dim = taps.size(); dim-- > 0 && isDone;) {
      choice[dim] = (choice[dim] + 1) % taps[dim].places.size();
      isDone = choice[dim] == 0;
    }
  }
}

static Place placeOf(const Sampling &of, ArrayRef<size_t> choice) {
  TorchBuilder &b = of.image.builder();
  Type integer = indexDtype(b);
  std::optional<Tensor> index, isInside;
  for (auto [dim, extent] : llvm::enumerate(of.extents)) {
    Tensor place = of.taps[dim].places[choice[dim]];
    Tensor inside = min(max(place, 0), extent.size - 1);
    Tensor fits = place == inside;
    index = index ? *index * extent.size.as(integer) + inside.as(integer)
                  : inside.as(integer);
    isInside = isInside ? *isInside & fits : fits;
  }
  Value spread = b.expand(where(*isInside, *index, 0),
                          {of.sizes[0], of.sizes[1], of.count});
  return {spread, *isInside};
}

/// The elements of the image at a choice of taps, 0 outside: [N,C,h*w].
static Tensor elementsAt(const Sampling &of, ArrayRef<size_t> choice) {
  TorchBuilder &b = of.image.builder();
  Place place = placeOf(of, choice);
  Tensor element = of.image.apply<AtenGatherOp>(b.constant(2), place.index,
                                                b.constantBool(false));
  return where(place.isInside, element, 0);
}

/// The product of the weights of a choice of taps.
static Tensor weightOf(ArrayRef<Taps> taps, ArrayRef<size_t> choice) {
  Tensor weight = taps.front().weights[choice.front()];
  for (auto [along, tap] : llvm::drop_begin(llvm::zip_equal(taps, choice)))
    weight = weight * along.weights[tap];
  return weight;
}

static void addTo(std::optional<Tensor> &sum, Tensor term) {
  sum = sum ? *sum + term : term;
}

//===----------------------------------------------------------------------===//
// grid_sampler: a position in the input for each element of the result
//===----------------------------------------------------------------------===//

/// grid_sampler(x [N,C,H,W], grid [N,h,w,2]): element (i, j) of an image is
/// sampled at grid[i, j].
template <typename Op>
static Value gridSampler(Op op, TorchBuilder &b) {
  auto of = samplingOf(op, b);
  if (!of)
    return {};
  std::optional<Tensor> sum;
  forEachChoice(of->taps, [&](ArrayRef<size_t> choice) {
    addTo(sum, elementsAt(*of, choice) * weightOf(of->taps, choice));
  });
  return b.convert(b.view(*sum, of->sizes),
                   tensorType(op.getInput()).getDtype());
}

/// The gradient of each element, times the weight of a tap, is added to the
/// tap.
static Tensor gradientOfImage(const Sampling &of, Tensor gradient) {
  TorchBuilder &b = gradient.builder();
  Tensor sum = zerosLike(of.image);
  forEachChoice(of.taps, [&](ArrayRef<size_t> choice) {
    Place place = placeOf(of, choice);
    Tensor term =
        where(place.isInside, gradient * weightOf(of.taps, choice), 0);
    sum = sum.apply<AtenScatterReduceTwoOp>(b.constant(2), place.index, term,
                                            b.constantStr("sum"),
                                            b.constantBool(true));
  });
  return sum;
}

/// The gradients of the numbers in the grid along each dim of the image,
/// [N,1,h*w]: the sum, over taps and channels, of gradient * element, times the
/// derivative of the tap's weight.
static SmallVector<Tensor> gradientsOfPositions(const Sampling &of,
                                                Tensor gradient) {
  SmallVector<SmallVector<Taps>> derived(of.extents.size(), of.taps);
  for (auto [dim, extent] : llvm::enumerate(of.extents))
    derived[dim][dim].weights =
        slopesOf(of.coordinates[dim], extent, of.interpolation);
  SmallVector<std::optional<Tensor>> sums(of.extents.size());
  forEachChoice(of.taps, [&](ArrayRef<size_t> choice) {
    Tensor product = sumOver(elementsAt(of, choice) * gradient, {1});
    for (auto [sum, taps] : llvm::zip_equal(sums, derived))
      addTo(sum, product * weightOf(taps, choice));
  });
  return llvm::map_to_vector(sums, [](auto sum) { return *sum; });
}

/// The gradient of the grid, of these sizes. That of rounded positions is 0.
static Value gradientOfGrid(const Sampling &of, Tensor gradient,
                            SmallVector<Value> sizes) {
  TorchBuilder &b = gradient.builder();
  if (of.interpolation == Interpolation::Nearest)
    return filled(b, sizes, 0, gradient.dtype());
  sizes.back() = b.constant(1);
  SmallVector<Value> columns;
  auto gradients = gradientsOfPositions(of, gradient);
  for (Tensor each : llvm::reverse(gradients))
    columns.push_back(b.view(each, sizes));
  return b.cat(columns, sizes.size() - 1);
}

/// The gradients of the image and the grid.
template <typename Op>
static Decompositions::Values gridSamplerBackward(Op op, TorchBuilder &b) {
  Decompositions::Values results(2);
  auto of = samplingOf(op, b);
  if (!of)
    return results;
  Value input = op.getInput(), grid = op.getGrid();
  Value flat =
      b.view(op.getGradOutput(), {of->sizes[0], of->sizes[1], of->count});
  Tensor gradient = Tensor(b, flat).as(of->image.dtype());
  if (!op.getResult0().use_empty())
    results[0] =
        b.convert(b.view(gradientOfImage(*of, gradient), b.sizes(input)),
                  tensorType(input).getDtype());
  if (!op.getResult1().use_empty())
    results[1] = b.convert(gradientOfGrid(*of, gradient, b.sizes(grid)),
                           tensorType(grid).getDtype());
  return results;
}

//===----------------------------------------------------------------------===//
// affine_grid_generator
//===----------------------------------------------------------------------===//

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

void populateGridSampler(Decompositions &decompositions) {
  decompositions.add(affineGrid, gridSampler<AtenGridSampler2dOp>,
                     gridSamplerBackward<AtenGridSampler2dBackwardOp>,
                     gridSampler<AtenGridSampler3dOp>,
                     gridSamplerBackward<AtenGridSampler3dBackwardOp>,
                     gridSampler<AtenGridSamplerOp>);
}

} // namespace isthmus::decompose_torch
