//===- Gradient.cpp - Gradients of convolutions, poolings and norms -------===//
//
// A masked-out gradient has no uses; it is null.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The sum over the dims, which are removed.
static Value summed(Tensor x, ArrayRef<int64_t> dims) {
  return x.builder().squeeze(sumOver(x, dims), dims);
}

static SmallVector<int64_t> allButChannels(int64_t rank) {
  SmallVector<int64_t> dims = allDims(rank);
  dims.erase(dims.begin() + 1);
  return dims;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {

/// The arguments of a convolution, known at compile time.
struct Convolution {
  SmallVector<int64_t> strides, paddings, dilations;
  int64_t groups;
};

} // namespace

static Value convolve(TorchBuilder &b, Value x, Value weight,
                      const Convolution &of, bool isTransposed,
                      ArrayRef<int64_t> outputPaddings) {
  return b.create<AtenConvolutionOp>(
      x, weight, b.none(), b.ints(of.strides), b.ints(of.paddings),
      b.ints(of.dilations), b.constantBool(isTransposed),
      b.ints(outputPaddings), b.constant(of.groups));
}

static bool areKnown(ArrayRef<int64_t> sizes) {
  return llvm::none_of(sizes, ShapedType::isDynamic);
}

/// The gradient of x [N,C,...] for y = convolution(x, weight): the transposed
/// convolution of y's gradient, padded where strides skipped elements of x.
static Value gradientOfInput(TorchBuilder &b, Tensor gradient, Tensor input,
                             Tensor weight, const Convolution &of) {
  SmallVector<int64_t> left;
  for (auto [i, stride] : llvm::enumerate(of.strides)) {
    int64_t size = input.sizes()[2 + i], kernel = weight.sizes()[2 + i],
            pooled = gradient.sizes()[2 + i];
    left.push_back(size - (pooled - 1) * stride + 2 * of.paddings[i] -
                   of.dilations[i] * (kernel - 1) - 1);
  }
  return convolve(b, gradient, weight, of, /*isTransposed=*/true, left);
}

/// What windows spread over x and its padding, without the padding: for sizes
/// known at run time. The strides skip at most stride - 1 elements after the
/// last window; these get 0.
static Value cutPadding(TorchBuilder &b, Value spread, Tensor input,
                        ArrayRef<int64_t> strides, ArrayRef<int64_t> paddings) {
  SmallVector<int64_t> skipped;
  for (int64_t stride : llvm::reverse(strides)) // from the last dim
    skipped.append({0, stride - 1});
  spread =
      b.create<AtenConstantPadNdOp>(spread, b.ints(skipped), b.constant(0));
  int64_t dims = strides.size();
  for (auto [i, padding] : llvm::enumerate(paddings)) {
    Value start = b.constant(padding),
          size = b.size(input, input.rank() - dims + i);
    spread = b.slice(spread, 2 + i, start, b.addInt(start, size));
  }
  return spread;
}

/// The gradient of an x of sizes known at run time: that of the padded x first.
static Value gradientOfDynamicInput(TorchBuilder &b, Tensor gradient,
                                    Tensor input, Tensor weight,
                                    const Convolution &of) {
  SmallVector<int64_t> none(of.strides.size(), 0);
  Value padded =
      convolve(b, gradient, weight, {of.strides, none, of.dilations, of.groups},
               /*isTransposed=*/true, none);
  return cutPadding(b, padded, input, of.strides, of.paddings);
}

/// The gradient of x for a transposed convolution: a convolution. Output
/// padding of a stride or more makes its result longer than x.
static Value gradientOfTransposedInput(TorchBuilder &b, Tensor gradient,
                                       Tensor input, Tensor weight,
                                       const Convolution &of,
                                       ArrayRef<int64_t> outputPaddings) {
  SmallVector<int64_t> none(of.strides.size(), 0);
  Value result =
      convolve(b, gradient, weight, of, /*isTransposed=*/false, none);
  for (auto [i, padding] : llvm::enumerate(outputPaddings))
    if (padding >= of.strides[i])
      result = b.slice(result, 2 + i, b.constant(0), b.size(input, 2 + i));
  return result;
}

/// The gradient of the weight [O,C/g,...] for y = convolution(x, weight): a
/// convolution of x by y's gradient, where images become channels, and strides
/// and dilations are swapped.
static Value gradientOfWeight(TorchBuilder &b, Tensor gradient, Tensor input,
                              ArrayRef<int64_t> kernel, const Convolution &of) {
  SmallVector<Value> sizes = b.sizes(input);
  Value groups = b.constant(of.groups);
  Value perGroup = b.floorDivInt(sizes[1], groups);
  SmallVector<Value> spatial(ArrayRef(sizes).drop_front(2));
  SmallVector<Value> split = {sizes[0], groups, perGroup},
                     joined = {perGroup, b.mulInt(groups, sizes[0])};
  split.append(spatial);
  joined.append(spatial);
  SmallVector<int64_t> order = allDims(split.size());
  std::swap(order[0], order[2]);
  Value images = b.view(b.permute(b.view(input, split), order), joined);
  SmallVector<int64_t> swapped = allDims(gradient.rank());
  std::swap(swapped[0], swapped[1]);
  SmallVector<int64_t> none(of.strides.size(), 0);
  Value weight = convolve(b, images, b.permute(gradient, swapped),
                          {of.dilations, of.paddings, of.strides, of.groups},
                          /*isTransposed=*/false, none);
  for (auto [i, size] : llvm::enumerate(kernel))
    weight = b.slice(weight, 2 + i, b.constant(0), b.constant(size));
  return b.permute(weight, swapped);
}

static Decompositions::Values convolutionBackward(AtenConvolutionBackwardOp op,
                                                  TorchBuilder &b) {
  auto strides = boundedInts(b, op.getStride(), "stride"),
       paddings = boundedInts(b, op.getPadding(), "padding"),
       dilations = boundedInts(b, op.getDilation(), "dilation"),
       outputPaddings = boundedInts(b, op.getOutputPadding(), "output_padding");
  std::optional<bool> isTransposed = matchBool(op.getTransposed());
  std::optional<int64_t> groups = matchInt(op.getGroups());
  Tensor gradient(b, op.getGradOutput()), input(b, op.getInput()),
      weight(b, op.getWeight());
  ArrayRef<int64_t> kernel = weight.sizes().drop_front(2);
  if (!strides || !paddings || !dilations || !outputPaddings)
    return {{}, {}, {}};
  // One number is for all dims.
  for (SmallVector<int64_t> *numbers :
       {&*strides, &*paddings, &*dilations, &*outputPaddings})
    if (numbers->size() == 1)
      numbers->assign(kernel.size(), numbers->front());
  if (!isTransposed || !groups || !areKnown(kernel))
    return {b.fail("expected arguments and a kernel size that are known while "
                   "compiling"),
            {},
            {}};
  Convolution of{*strides, *paddings, *dilations, *groups};
  bool hasSizes = areKnown(input.sizes().drop_front(2)) &&
                  areKnown(gradient.sizes().drop_front(2));
  auto ofInput = hasSizes ? gradientOfInput : gradientOfDynamicInput;
  Decompositions::Values results(3);
  if (!op.getResult0().use_empty())
    results[0] = *isTransposed
                     ? gradientOfTransposedInput(b, gradient, input, weight, of,
                                                 *outputPaddings)
                     : ofInput(b, gradient, input, weight, of);
  // For a transposed convolution, the gradient takes the role of the input.
  if (!op.getResult1().use_empty())
    results[1] = *isTransposed
                     ? gradientOfWeight(b, input, gradient, kernel, of)
                     : gradientOfWeight(b, gradient, input, kernel, of);
  if (!op.getResult2().use_empty())
    results[2] = summed(gradient, allButChannels(gradient.rank()));
  return results;
}

//===----------------------------------------------------------------------===//
// Poolings
//===----------------------------------------------------------------------===//

/// The divisors of the windows of avg_pool2d, as [h,w], and of avg_pool3d.
static Value windowCounts(TorchBuilder &b, ArrayRef<int64_t> sizes,
                          ArrayRef<int64_t> pooled, ArrayRef<int64_t> kernel,
                          ArrayRef<int64_t> strides, ArrayRef<int64_t> paddings,
                          bool countsPadding, Type dtype) {
  auto along = [&](int64_t dim, int64_t place) {
    int64_t start = place * strides[dim] - paddings[dim];
    int64_t end = std::min(start + kernel[dim], sizes[dim] + paddings[dim]);
    if (!countsPadding) {
      start = std::max<int64_t>(start, 0);
      end = std::min(end, sizes[dim]);
    }
    return end - start;
  };
  SmallVector<double> counts = {1};
  for (auto [dim, windows] : llvm::enumerate(pooled)) {
    SmallVector<double> outer = std::exchange(counts, {});
    for (double count : outer)
      for (int64_t place : llvm::seq(windows))
        counts.push_back(count * static_cast<double>(along(dim, place)));
  }
  return reals(b, counts, pooled, dtype);
}

/// The same for sizes known at run time: the product over the dims of
/// min(start + kernel, size) - max(start, 0), where the padding belongs to the
/// size too if it counts.
static Value dynamicWindowCounts(TorchBuilder &b, ArrayRef<Value> sizes,
                                 ArrayRef<Value> pooled,
                                 ArrayRef<int64_t> kernel,
                                 ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> paddings, bool countsPadding,
                                 Type dtype) {
  std::optional<Tensor> counts;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    int64_t border = countsPadding ? paddings[dim] : 0;
    Value end = b.addInt(size, b.constant(border));
    Tensor place = range(b, b.constant(0), pooled[dim]);
    Tensor start = place * strides[dim] - paddings[dim];
    Tensor behind = min(start + kernel[dim], scalar(b, end, place.dtype()));
    Tensor along = (behind - max(start, -border)).as(dtype);
    // [h] * [w] as [h,1] * [w]
    for (size_t i = dim + 1; i < sizes.size(); ++i)
      along = {b, b.unsqueeze(along, along.rank())};
    counts = counts ? *counts * along : along;
  }
  return *counts;
}

/// The gradient of each window is distributed over its elements: a transposed
/// convolution of each plane with ones.
template <size_t dims, typename Op>
static Value avgPoolBackward(Op op, TorchBuilder &b) {
  Tensor self(b, op.getSelf()),
      gradient = Tensor(b, op.getGradOutput()).widened();
  auto perDim = [&](Value list, StringRef what) {
    auto ints = boundedInts(b, list, what);
    if (ints && ints->size() == 1)
      ints->assign(dims, ints->front());
    return ints;
  };
  auto kernel = perDim(op.getKernelSize(), "kernel_size"),
       strides = perDim(op.getStride(), "stride"),
       paddings = perDim(op.getPadding(), "padding");
  std::optional<bool> countsPadding = matchBool(op.getCountIncludePad());
  ArrayRef<int64_t> sizes = self.sizes().take_back(dims),
                    pooled = gradient.sizes().take_back(dims);
  bool hasSizes = areKnown(sizes) && areKnown(pooled);
  if (!kernel || !strides || !paddings)
    return {};
  if (!countsPadding)
    return b.fail("expected arguments that are known while compiling");
  uint64_t windows = 1;
  for (int64_t size : pooled)
    windows = llvm::SaturatingMultiply<uint64_t>(windows, size);
  if (hasSizes && windows > maxLiteral)
    return b.fail("expected at most " + Twine(maxLiteral) + " windows, got " +
                  Twine(windows));
  if (strides->empty())
    strides = kernel;
  // No window reaches beyond the padding, but in ceil_mode a kernel may be
  // larger. One window takes no step.
  for (size_t i = 0; hasSizes && i < dims; ++i) {
    (*kernel)[i] = std::min((*kernel)[i], sizes[i] + 2 * (*paddings)[i]);
    if (pooled[i] == 1)
      (*strides)[i] = 1;
  }
  Tensor counts = scalar(b, b.constant(1), gradient.dtype());
  if (!isNone(op.getDivisorOverride()))
    counts = scalar(b, op.getDivisorOverride(), gradient.dtype());
  else if (hasSizes)
    counts = {b, windowCounts(b, sizes, pooled, *kernel, *strides, *paddings,
                              *countsPadding, gradient.dtype())};
  else
    counts = {b, dynamicWindowCounts(
                     b, ArrayRef(b.sizes(self)).take_back(dims),
                     ArrayRef(b.sizes(gradient)).take_back(dims), *kernel,
                     *strides, *paddings, *countsPadding, gradient.dtype())};
  Value one = b.constant(1);
  SmallVector<Value> places = {b.constant(-1), one}, window = {one, one};
  llvm::append_range(places, ArrayRef(b.sizes(gradient)).take_back(dims));
  for (int64_t size : *kernel)
    window.push_back(b.constant(size));
  Value planes = b.view(gradient / counts, places),
        ones = filled(b, window, 1, gradient.dtype());
  SmallVector<int64_t> none(dims, 0), each(dims, 1);
  Convolution of{*strides, none, each, 1};
  Value spread = convolve(b, planes, ones, of, /*isTransposed=*/true, none);
  if (!hasSizes) {
    spread = cutPadding(b, spread, self, *strides, *paddings);
    return b.convert(b.view(spread, b.sizes(self)), self.dtype());
  }
  // Crops the padding, and adds zeros for elements that no window covers.
  SmallVector<int64_t> cropped;
  for (int64_t dim : llvm::reverse(llvm::seq<int64_t>(dims))) {
    int64_t reached = (pooled[dim] - 1) * (*strides)[dim] + (*kernel)[dim];
    cropped.push_back(-(*paddings)[dim]);
    cropped.push_back(sizes[dim] + (*paddings)[dim] - reached);
  }
  spread =
      b.create<AtenConstantPadNdOp>(spread, b.ints(cropped), b.constant(0));
  return b.convert(b.view(spread, b.sizes(self)), self.dtype());
}

/// The gradient of each window is added to the element that was its maximum.
template <size_t dims, typename Op>
static Value maxPoolBackward(Op op, TorchBuilder &b) {
  Tensor self(b, op.getSelf()), gradient(b, op.getGradOutput());
  SmallVector<Value> sizes = b.sizes(self), pooled = b.sizes(gradient);
  Value planes = b.product(ArrayRef(sizes).drop_back(dims));
  auto flat = [&](Value x, ArrayRef<Value> of) {
    return b.view(x, {planes, b.product(of.take_back(dims))});
  };
  Tensor nothing = filled(
      b, {planes, b.product(ArrayRef(sizes).take_back(dims))}, 0, self.dtype());
  Value result = nothing.apply<AtenScatterReduceTwoOp>(
      b.constant(1), flat(op.getIndices(), pooled), flat(gradient, pooled),
      b.constantStr("sum"), b.constantBool(true));
  return b.view(result, sizes);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// For y = (x - mean) * inverse over the dims, the gradient of x from that of
/// y: (g - mean(g) - y * mean(g * y)) * inverse.
static Tensor gradientOfNorm(Tensor g, Tensor y, Tensor inverse,
                             ArrayRef<int64_t> dims) {
  return (g - meanOver(g, dims) - y * meanOver(g * y, dims)) * inverse;
}

/// The gradients of x, weight and bias, given those of x * weight + bias and of
/// x: the latter two are sums over the dims that the parameters do not have.
template <typename Op>
static Decompositions::Values ofNorm(Op op, TorchBuilder &b, Tensor gradient,
                                     Tensor y, Value ofInput,
                                     ArrayRef<int64_t> dims) {
  auto as = [&](Value value, Value of) {
    return b.convert(value, tensorType(of).getDtype());
  };
  Value parameter = isNone(op.getWeight()) ? op.getInput() : op.getWeight();
  Decompositions::Values results(3);
  if (!op.getResult0().use_empty())
    results[0] = as(ofInput, op.getInput());
  if (!op.getResult1().use_empty())
    results[1] = as(summed(gradient * y, dims), parameter);
  if (!op.getResult2().use_empty())
    results[2] = as(summed(gradient, dims), parameter);
  return results;
}

/// In training, the statistics depend on the input; else they are the running
/// ones.
static Decompositions::Values
batchNormBackward(AtenNativeBatchNormBackwardOp op, TorchBuilder &b) {
  std::optional<bool> training = matchBool(op.getTrain());
  Value mean = training == true ? op.getSaveMean() : op.getRunningMean(),
        spread = training == true ? op.getSaveInvstd() : op.getRunningVar();
  if (!training || isNone(mean) || isNone(spread))
    return {b.fail("expected statistics, and to know while compiling which to "
                   "use"),
            {},
            {}};
  Tensor gradient = Tensor(b, op.getGradOut()).widened(),
         x = Tensor(b, op.getInput()).widened();
  Value channels = b.size(x, 1);
  auto perChannel = [&](Value row) {
    return Tensor(b, alongFirst(b, row, channels, x.rank() - 1)).widened();
  };
  Tensor inverse = perChannel(spread);
  if (!*training)
    inverse = rsqrt(inverse + scalar(b, op.getEps(), inverse.dtype()));
  Tensor y = (x - perChannel(mean)) * inverse, scaled = gradient;
  if (!isNone(op.getWeight()))
    scaled = gradient * perChannel(op.getWeight());
  SmallVector<int64_t> dims = allButChannels(x.rank());
  Tensor ofInput =
      *training ? gradientOfNorm(scaled, y, inverse, dims) : scaled * inverse;
  return ofNorm(op, b, gradient, y, ofInput, dims);
}

static Decompositions::Values
layerNormBackward(AtenNativeLayerNormBackwardOp op, TorchBuilder &b) {
  Tensor gradient = Tensor(b, op.getGradOut()).widened(),
         x = Tensor(b, op.getInput()).widened(),
         inverse = Tensor(b, op.getRstd()).widened();
  auto shape = matchList(op.getNormalizedShape());
  if (!shape)
    return {b.fail("expected the number of normalized dims to be known while "
                   "compiling"),
            {},
            {}};
  int64_t outer = x.rank() - static_cast<int64_t>(shape->size());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq(outer, x.rank()));
  Tensor y = (x - Tensor(b, op.getMean()).widened()) * inverse,
         scaled = gradient;
  if (!isNone(op.getWeight()))
    scaled = gradient * Tensor(b, op.getWeight()).widened();
  return ofNorm(op, b, gradient, y, gradientOfNorm(scaled, y, inverse, dims),
                allDims(outer));
}

static Decompositions::Values
groupNormBackward(AtenNativeGroupNormBackwardOp op, TorchBuilder &b) {
  Tensor gradient = Tensor(b, op.getGradOut()).widened(),
         x = Tensor(b, op.getInput()).widened();
  SmallVector<Value> sizes = b.sizes(x);
  SmallVector<Value> rows = {sizes[0], op.getGroup(), b.constant(-1)};
  auto statistic = [&](Value value) { // [N,group,1]
    return Tensor(b, b.unsqueeze(value, 2)).widened();
  };
  Tensor inverse = statistic(op.getRstd());
  Tensor y = (Tensor(b, b.view(x, rows)) - statistic(op.getMean())) * inverse;
  Tensor scaled = gradient;
  if (!isNone(op.getWeight())) {
    Value weight = alongFirst(b, op.getWeight(), sizes[1], x.rank() - 1);
    scaled = gradient * Tensor(b, weight).widened();
  }
  Tensor ofInput = gradientOfNorm({b, b.view(scaled, rows)}, y, inverse, {2});
  return ofNorm(op, b, gradient, {b, b.view(y, sizes)}, b.view(ofInput, sizes),
                allButChannels(x.rank()));
}

/// For w = g v / |v|, the gradients of v and g from that of w: with the sum s
/// of the products of that with v, g / |v| (dw - v s / |v|^2) and s / |v|.
static Decompositions::Values
weightNormBackward(Aten_WeightNormInterfaceBackwardOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return {b.fail(kConstantDim), {}};
  Tensor gradient = Tensor(b, op.getGradW()).widened(),
         v = Tensor(b, op.getSavedV()).widened(),
         g = Tensor(b, op.getSavedG()).widened(),
         length = Tensor(b, op.getSavedNorms()).widened();
  SmallVector<int64_t> others = allDims(v.rank());
  llvm::erase(others, normalDim(*dim, v.rank()));
  Tensor sum = sumOver(gradient * v, others);
  Tensor ofV = g / length * (gradient - v * (sum / (length * length)));
  return {ofV.as(tensorType(op.getSavedV()).getDtype()),
          (sum / length).as(tensorType(op.getSavedG()).getDtype())};
}

//===----------------------------------------------------------------------===//
// Embeddings
//===----------------------------------------------------------------------===//

/// The gradient of a row of the weight is the sum of the gradients of its uses,
/// or, if scaled by frequency, their mean. It is zero for the padding row.
static Value embeddingBackward(AtenEmbeddingDenseBackwardOp op,
                               TorchBuilder &b) {
  Tensor gradient(b, op.getGradOutput());
  std::optional<bool> isMean = matchBool(op.getScaleGradByFreq());
  if (!isMean)
    return b.fail("expected scale_grad_by_freq to be known while compiling");
  Value rest = b.constant(-1), width = b.size(gradient, gradient.rank() - 1);
  Tensor index(b, b.view(op.getIndices(), rest));
  Tensor rows(b, b.view(gradient, {rest, width}));
  Tensor isPadding = index == scalar(b, op.getPaddingIdx(), index.dtype());
  rows = where({b, b.unsqueeze(isPadding, 1)}, 0, rows);
  Value spread = b.expand(b.unsqueeze(index, 1), b.sizes(rows));
  return filled(b, {op.getNumWeights(), width}, 0, gradient.dtype())
      .apply<AtenScatterReduceTwoOp>(b.constant(0), spread, rows,
                                     b.constantStr(*isMean ? "mean" : "sum"),
                                     b.constantBool(!*isMean));
}

void populateGradient(Decompositions &decompositions) {
  decompositions.add(avgPoolBackward<2, AtenAvgPool2dBackwardOp>,
                     avgPoolBackward<3, AtenAvgPool3dBackwardOp>,
                     batchNormBackward, convolutionBackward, embeddingBackward,
                     groupNormBackward, layerNormBackward,
                     maxPoolBackward<2, AtenAdaptiveMaxPool2dBackwardOp>,
                     maxPoolBackward<3, AtenAdaptiveMaxPool3dBackwardOp>,
                     maxPoolBackward<2, AtenFractionalMaxPool2dBackwardOp>,
                     maxPoolBackward<3, AtenFractionalMaxPool3dBackwardOp>,
                     maxPoolBackward<2, AtenMaxPool2dWithIndicesBackwardOp>,
                     maxPoolBackward<3, AtenMaxPool3dWithIndicesBackwardOp>,
                     weightNormBackward);
}

} // namespace isthmus::decompose_torch
