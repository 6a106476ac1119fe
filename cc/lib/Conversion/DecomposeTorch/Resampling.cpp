//===- Resampling.cpp - Interpolation between elements, and gradients -----===//
//
// Along a dim, each element of the result is a weighted sum of a few elements
// of the input, its taps. The positions and weights of the taps are tensors
// with one number per element of the result; if the sizes are known, they fold
// to constants. As in PyTorch's kernels, coordinates are f32 unless the input
// is f64. The gradient is the adjoint: each element's gradient, times the
// weight of a tap, is added to the tap.
//
//===----------------------------------------------------------------------===//

#include "Resampling.h"
#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ResamplingComposites.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Along one dim
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
constexpr bool isFiltering(Mode mode) {
  return mode == Mode::FilteredLinear || mode == Mode::FilteredCubic;
}

/// One of PyTorch's kernels.
struct Kernel {
  Mode mode;
  bool alignsCorners, isGradient;
};

/// A dim to resize. The ratio maps positions in the result to positions in the
/// input.
struct Axis {
  int64_t dim;
  Value size, resized;
  Tensor ratio;
};

/// For each element of the result, a position in the dim, and the weight of the
/// element there, as it broadcasts to the result. No weight is 1.
struct Tap {
  Tensor places;
  std::optional<Tensor> weights;
};

} // namespace

/// Positions in the input from which the elements of the result are sampled:
/// aligned at corners, or at centers, which are half an element from the
/// border.
static Tensor sources(TorchBuilder &b, const Axis &axis, Kernel kernel) {
  Tensor place = range(b, b.constant(0), axis.resized).as(axis.ratio.dtype());
  if (kernel.mode == Mode::Nearest || kernel.alignsCorners)
    return place * axis.ratio;
  if (kernel.mode == Mode::NearestExact)
    return (place + 0.5) * axis.ratio;
  Tensor source = (place + 0.5) * axis.ratio - 0.5;
  return kernel.mode == Mode::Linear ? max(source, 0) : source;
}

/// Whole coordinates as positions, which are clamped to the dim.
static Tensor clamped(TorchBuilder &b, const Axis &axis, Tensor places) {
  Tensor last = scalar(b, b.subInt(axis.size, b.constant(1)), places.dtype());
  return min(max(places, 0), last).as(indexDtype(b));
}

/// The taps of a result of the rank and dtype of `like`.
static SmallVector<Tap> tapsOf(Tensor like, const Axis &axis, Kernel kernel) {
  TorchBuilder &b = like.builder();
  Tensor source = sources(b, axis, kernel), whole = floor(source);
  auto at = [&](Tensor places) { return clamped(b, axis, places); };
  if (isNearest(kernel.mode))
    return {{at(whole), std::nullopt}};
  Value aligned =
      alongFirst(b, source - whole, axis.resized, like.rank() - axis.dim);
  Tensor fraction = Tensor(b, aligned).as(like.dtype());
  if (kernel.mode == Mode::Linear)
    return {{at(whole), 1 - fraction}, {at(whole + 1), fraction}};
  SmallVector<Tap> taps;
  for (auto [tap, weights] : llvm::enumerate(cubicWeights(fraction)))
    taps.push_back({at(whole + (static_cast<double>(tap) - 1)), weights});
  return taps;
}

/// The weights of a dim's elements [size,resized] in filtered modes. When
/// downsampling, taps are wider by the ratio, and their weights are normalized
/// to a sum of 1 (antialias).
static Tensor filterOf(TorchBuilder &b, const Axis &axis, Mode mode) {
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
  return weights / sumOver(weights, {0});
}

/// True if a size is known to stay.
static bool stays(Value size, Value resized) {
  std::optional<int64_t> known = matchInt(size);
  return known && known == matchInt(resized);
}

static Tensor resized(Tensor x, const Axis &axis, Kernel kernel) {
  TorchBuilder &b = x.builder();
  bool filters = isFiltering(kernel.mode);
  if ((kernel.mode == Mode::Linear || filters) &&
      stays(axis.size, axis.resized))
    return x;
  if (filters)
    return productAlong(x, axis.dim,
                        filterOf(b, axis, kernel.mode).as(x.dtype()));
  std::optional<Tensor> sum;
  for (auto [places, weights] : tapsOf(x, axis, kernel)) {
    Tensor term = x.apply<AtenIndexSelectOp>(b.constant(axis.dim), places);
    if (weights)
      term = term * *weights;
    sum = sum ? *sum + term : term;
  }
  return *sum;
}

/// The gradient of x for resized(x).
static Tensor gradientOfResized(Tensor gradient, const Axis &axis,
                                Kernel kernel) {
  TorchBuilder &b = gradient.builder();
  if (isFiltering(kernel.mode)) {
    Tensor weights = filterOf(b, axis, kernel.mode).as(gradient.dtype());
    return productAlong(gradient, axis.dim, b.permute(weights, {1, 0}));
  }
  if (kernel.mode == Mode::Linear && stays(axis.size, axis.resized))
    return gradient;
  SmallVector<Value> sizes = b.sizes(gradient);
  sizes[axis.dim] = axis.size;
  Tensor sum = filled(b, sizes, 0, gradient.dtype());
  for (auto [places, weights] : tapsOf(gradient, axis, kernel))
    sum = sum.apply<AtenIndexAddOp>(b.constant(axis.dim), places,
                                    weights ? gradient * *weights : gradient,
                                    b.constant(1));
  return sum;
}

//===----------------------------------------------------------------------===//
// Images [N,C,...]: each of the other dims
//===----------------------------------------------------------------------===//

/// A size, times a factor, rounded down.
static Value scaledSize(TorchBuilder &b, Value size, Value factor) {
  std::optional<double> by = matchNumber(factor);
  if (by && *by == std::floor(*by) && std::abs(*by) < 0x1p63)
    return b.mulInt(size, b.constant(static_cast<int64_t>(*by)));
  return b.fold<AtenFloorFloatOp>(
      b.fold<AtenMulFloatOp>(b.fold<AtenFloatScalarOp>(size), factor));
}

/// Whether a kernel ignores the factor of a dim whose size stays. One of a
/// nearest mode also does so where a size doubles; those that are not gradients
/// do it in two dims only.
static bool ignoresFactor(Kernel kernel, int64_t rank) {
  if (kernel.mode == Mode::Nearest)
    return kernel.isGradient || rank == 4;
  return kernel.mode == Mode::Linear ||
         (isFiltering(kernel.mode) && !kernel.isGradient);
}

/// A dim of x. The ratio is (size - 1) / (resized - 1) between corners, 1 /
/// factor if that is given, else size / resized.
static Axis axisOf(Tensor x, int64_t dim, Value size, Value resized,
                   Value factor, Kernel kernel) {
  // As in PyTorch's kernels, coordinates have the dtype in which it computes.
  Type dtype = computedDtype(x.dtype());
  TorchBuilder &b = x.builder();
  Tensor from = scalar(b, size, dtype), to = scalar(b, resized, dtype);
  if (kernel.alignsCorners) {
    Tensor gaps = to - 1;
    return {dim, size, resized, where(gaps > 0, (from - 1) / max(gaps, 1), 0)};
  }
  if (!factor)
    return {dim, size, resized, from / to};
  std::optional<double> known = matchNumber(factor);
  Tensor ratio = known ? Tensor(b, b.scalarTensor(1 / *known, dtype))
                       : 1 / scalar(b, factor, dtype);
  if (ignoresFactor(kernel, x.rank())) {
    if (kernel.mode == Mode::Nearest)
      ratio = where(to == from * 2, 0.5, ratio);
    ratio = where(to == from, 1, ratio);
  }
  return {dim, size, resized, ratio};
}

/// upsample(x [N,C,...]): resizes the dims after the channels to the given
/// sizes, or scales each by a factor.
static Value upsampled(TorchBuilder &b, Value input,
                       std::optional<SmallVector<Value>> sizes,
                       std::optional<SmallVector<Value>> factors,
                       Kernel kernel) {
  Tensor own(b, input), x = own;
  if (!isNearest(kernel.mode)) {
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
    x = resized(x, axisOf(x, dim, size, target, factor, kernel), kernel);
  }
  return x.as(own.dtype());
}

/// The last operands of an op: a factor, or none, for each resized dim.
static SmallVector<Value> factorsOf(Operation *op) {
  int64_t dims = tensorType(op->getOperand(0)).getRank() - 2;
  return SmallVector<Value>(op->getOperands().take_back(dims));
}

/// The kernel of an op. Nothing after a failure.
template <Mode mode, typename Op>
static std::optional<Kernel> kernelOf(Op op, TorchBuilder &b,
                                      bool isGradient = false) {
  std::optional<bool> alignsCorners = false;
  if constexpr (!isNearest(mode))
    alignsCorners = matchBool(op.getAlignCorners());
  if (!alignsCorners) {
    b.fail("expected align_corners to be known while compiling");
    return std::nullopt;
  }
  return Kernel{mode, *alignsCorners, isGradient};
}

template <Mode mode, typename Op>
static Value upsample(Op op, TorchBuilder &b) {
  auto kernel = kernelOf<mode>(op, b);
  if (!kernel)
    return {};
  return upsampled(b, op.getInput(), matchList(op.getOutputSize()),
                   matchList(op.getScaleFactors()), *kernel);
}

/// The same with a factor, or none, for each dim; the sizes are always given.
template <Mode mode, typename Op>
static Value upsamplePerDim(Op op, TorchBuilder &b) {
  auto kernel = kernelOf<mode>(op, b);
  if (!kernel)
    return {};
  auto sizes = matchList(op.getOutputSize());
  if (!sizes)
    return b.fail(kListOfSizes);
  return upsampled(b, op.getSelf(), sizes, factorsOf(op), *kernel);
}

/// The gradient of x [N,C,...] for upsample(x): output_size is that of its dims
/// after the channels, input_size that of all dims of x.
template <Mode mode, typename Op>
static Value upsampleBackward(Op op, TorchBuilder &b) {
  auto kernel = kernelOf<mode>(op, b, /*isGradient=*/true);
  if (!kernel)
    return {};
  auto resized = matchList(op.getOutputSize()),
       sizes = matchList(op.getInputSize());
  if (!resized || !sizes)
    return b.fail("expected lists of sizes whose lengths are known");
  Tensor own(b, op.getGradOutput());
  if (!isFloatingPoint(own.dtype()))
    return b.fail("expected a gradient of floating-point numbers");
  // PyTorch's kernel of this gradient ignores factors if all sizes stay.
  if (mode == Mode::Cubic &&
      llvm::equal(ArrayRef(*sizes).drop_front(2), *resized, stays))
    return own;
  Tensor gradient = own.widened();
  SmallVector<Value> factors = factorsOf(op);
  for (int64_t dim = 2; dim < own.rank(); ++dim) {
    Value factor = factors[dim - 2], size = b.size(own, dim);
    auto known = matchInt(size), given = matchInt((*resized)[dim - 2]);
    if (known && given && *known != *given)
      return b.fail("expected a gradient of size " + Twine(*given) +
                    " in dim " + Twine(dim) + ", got " + Twine(*known));
    Axis axis = axisOf(gradient, dim, (*sizes)[dim], size,
                       isNone(factor) ? Value() : factor, *kernel);
    gradient = gradientOfResized(gradient, axis, *kernel);
  }
  return gradient.as(own.dtype());
}

void populateResampling(Decompositions &decompositions) {
  decompositions.add(
      upsampleBackward<Mode::Cubic, AtenUpsampleBicubic2dBackwardOp>,
      upsampleBackward<Mode::Linear, AtenUpsampleBilinear2dBackwardOp>,
      upsampleBackward<Mode::Linear, AtenUpsampleLinear1dBackwardOp>,
      upsampleBackward<Mode::Linear, AtenUpsampleTrilinear3dBackwardOp>,
      upsampleBackward<Mode::Nearest, AtenUpsampleNearest1dBackwardOp>,
      upsampleBackward<Mode::Nearest, AtenUpsampleNearest2dBackwardOp>,
      upsampleBackward<Mode::Nearest, AtenUpsampleNearest3dBackwardOp>,
      upsampleBackward<Mode::NearestExact,
                       Aten_UpsampleNearestExact1dBackwardOp>,
      upsampleBackward<Mode::NearestExact,
                       Aten_UpsampleNearestExact2dBackwardOp>,
      upsampleBackward<Mode::NearestExact,
                       Aten_UpsampleNearestExact3dBackwardOp>,
      upsampleBackward<Mode::FilteredCubic, Aten_UpsampleBicubic2dAaBackwardOp>,
      upsampleBackward<Mode::FilteredLinear,
                       Aten_UpsampleBilinear2dAaBackwardOp>,
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
