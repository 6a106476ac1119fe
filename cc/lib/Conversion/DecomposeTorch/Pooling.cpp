//===- Pooling.cpp - Pooling to a given size ------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnComposites.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The first element of window i of those that pool `in` elements to `out`, and
/// the one behind its last: floor(i * in / out) and ceil((i + 1) * in / out).
static std::pair<int64_t, int64_t> boundsOf(int64_t i, int64_t in,
                                            int64_t out) {
  return {i * in / out, llvm::divideCeilSigned((i + 1) * in, out)};
}

/// The windows that pool a dim.
struct AdaptiveWindows {
  /// The positions of their elements, window by window. Each has as many as the
  /// longest one: a shorter window repeats its last element.
  Value places;
  /// How many elements a window has, [out].
  Value lengths;
  Value count, longest;
};

/// Declines to pool `in` elements to `out` if the required table would be too
/// large.
static bool checkTable(TorchBuilder &b, uint64_t elements, int64_t in,
                       int64_t out) {
  if (out >= 0 && elements <= maxLiteral)
    return true;
  b.fail("expected sizes of 0 or more and a table of at most " +
         Twine(maxLiteral) + " elements between them, got " + Twine(in) +
         " pooled to " + Twine(out));
  return false;
}

/// The windows of known sizes, as literals.
static std::optional<AdaptiveWindows> knownWindows(TorchBuilder &b, int64_t in,
                                                   int64_t out) {
  // A window has at most in / out + 2 elements.
  if (!checkTable(b, llvm::SaturatingMultiplyAdd<uint64_t>(2, out, in), in,
                  out))
    return std::nullopt;
  SmallVector<int64_t> lengths, places;
  int64_t longest = 1;
  for (int64_t i = 0; i < out; ++i) {
    auto [start, end] = boundsOf(i, in, out);
    lengths.push_back(end - start);
    longest = std::max(longest, end - start);
  }
  for (int64_t i = 0; i < out; ++i) {
    auto [start, end] = boundsOf(i, in, out);
    for (int64_t k = 0; k < longest; ++k)
      places.push_back(std::min(start + k, end - 1));
  }
  return AdaptiveWindows{integers(b, places, out * longest),
                         integers(b, lengths, out), b.constant(out),
                         b.constant(longest)};
}

/// The windows of sizes that are known only at run time.
static AdaptiveWindows computedWindows(TorchBuilder &b, Value in, Value out) {
  Value zero = b.constant(0), one = b.constant(1);
  // No window needs no quotient.
  Value divisor = b.maxInt(out, one);
  Value longest = b.addInt(b.floorDivInt(in, divisor), b.constant(2));
  Tensor window = range(b, zero, out);
  Type dtype = window.dtype();
  Tensor each = scalar(b, divisor, dtype), all = scalar(b, in, dtype);
  auto quotient = [&](Tensor number) {
    return number.apply<AtenDivTensorModeOp>(each, b.constantStr("floor"));
  };
  Tensor start = quotient(window * all);
  Tensor end = quotient((window + 1) * all + each - 1);
  Tensor places =
      min(Tensor(b, b.unsqueeze(start, 1)) + range(b, zero, longest),
          Tensor(b, b.unsqueeze(end - 1, 1)));
  return {b.view(places, b.constant(-1)), end - start, out, longest};
}

static std::optional<AdaptiveWindows> adaptiveWindows(TorchBuilder &b, Value in,
                                                      Value out) {
  std::optional<int64_t> knownIn = matchInt(in), knownOut = matchInt(out);
  return knownIn && knownOut ? knownWindows(b, *knownIn, *knownOut)
                             : std::optional(computedWindows(b, in, out));
}

/// The elements of all windows along a dim, which becomes the dims [count,
/// longest].
static Tensor takeWindows(Tensor x, int64_t dim,
                          const AdaptiveWindows &windows) {
  TorchBuilder &b = x.builder();
  SmallVector<Value> sizes = b.sizes(x);
  sizes[dim] = windows.longest;
  sizes.insert(sizes.begin() + dim, windows.count);
  Value taken = x.apply<AtenIndexSelectOp>(b.constant(dim), windows.places);
  return {b, b.view(taken, sizes)};
}

/// The means of windows along a dim.
static Tensor meansAlong(Tensor x, int64_t dim,
                         const AdaptiveWindows &windows) {
  TorchBuilder &b = x.builder();
  int64_t behind = x.rank() - dim; // dims from that of a window's elements on
  Value count =
      alongFirst(b, windows.lengths, windows.count, behind + 1); // [out,1,...]
  Tensor number = range(b, b.constant(0), windows.longest);
  Tensor place(b, alongFirst(b, number, windows.longest, behind));
  Tensor inside =
      where(place < Tensor(b, count), takeWindows(x, dim, windows), 0);
  Tensor sum = sumOver(inside, dim + 1) / Tensor(b, count).as(x.dtype());
  return {b, b.squeeze(sum, dim + 1)};
}

/// adaptive_avg_pool2d(x [...,H,W], [h,w]): means of equal windows where h
/// divides H, otherwise of windows that overlap, along each dim.
template <typename AvgPoolOp, typename Op>
static Value adaptiveAvgPool(Op op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  auto output = matchList(op.getOutputSize());
  if (!output || x.rank() < static_cast<int64_t>(output->size()))
    return b.fail("expected an output size of known length");
  int64_t first = x.rank() - static_cast<int64_t>(output->size());
  if (llvm::all_of(*output, [](Value size) { return matchInt(size) == 1; }))
    return meanOver(x, llvm::to_vector(llvm::seq(first, x.rank())))
        .as(own.dtype());

  SmallVector<int64_t> equal;
  for (auto [in, out] : llvm::zip_equal(x.sizes().drop_front(first), *output)) {
    std::optional<int64_t> count = matchInt(out);
    if (count && *count > 0 && !ShapedType::isDynamic(in) && in % *count == 0)
      equal.push_back(in / *count);
  }
  if (equal.size() == output->size()) {
    SmallVector<Value> arguments = {
        b.ints(equal), b.ints(equal),
        b.ints(SmallVector<int64_t>(equal.size(), 0)), b.constantBool(false),
        b.constantBool(true)};
    if constexpr (std::is_same_v<AvgPoolOp, AtenAvgPool1dOp>)
      return b.create<AvgPoolOp>(own, arguments[0], arguments[1], arguments[2],
                                 arguments[3], arguments[4]);
    else
      return b.create<AvgPoolOp>(own, arguments[0], arguments[1], arguments[2],
                                 arguments[3], arguments[4], b.none());
  }
  for (auto [i, out] : llvm::enumerate(*output)) {
    auto windows = adaptiveWindows(b, b.size(own, first + i), out);
    if (!windows)
      return {};
    x = meansAlong(x, first + i, *windows);
  }
  return x.as(own.dtype());
}

/// The means that reduce `in` elements to `out`, as a matrix [in,out].
static Value means(TorchBuilder &b, int64_t in, int64_t out) {
  SmallVector<float> weights(in * out, 0.0f);
  for (int64_t i = 0; i < out; ++i) {
    auto [start, end] = boundsOf(i, in, out);
    for (int64_t element = start; element < end; ++element)
      weights[element * out + i] = 1.0f / static_cast<float>(end - start);
  }
  auto type =
      RankedTensorType::get({in, out}, Float32Type::get(b.getContext()));
  return b.literal(DenseElementsAttr::get(type, ArrayRef(weights)));
}

/// The gradient of an adaptive average: the gradient of each mean is
/// distributed equally over its elements.
template <size_t dims, typename Op>
static Value adaptiveAvgPoolBackward(Op op, TorchBuilder &b) {
  Tensor own(b, op.getGradOutput()), x = own.widened();
  int64_t first = x.rank() - static_cast<int64_t>(dims);
  ArrayRef<int64_t> input = tensorType(op.getSelf()).getSizes().take_back(dims),
                    output = own.sizes().take_back(dims);
  for (auto [i, in] : llvm::enumerate(input)) {
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(output[i]))
      return b.fail("expected pooled dims of known sizes");
    if (!checkTable(b, llvm::SaturatingMultiply<uint64_t>(in, output[i]), in,
                    output[i]))
      return {};
    x = productAlong(x, first + i, b.permute(means(b, in, output[i]), {1, 0}));
  }
  return x.as(own.dtype());
}

/// max_pool3d_with_indices(x [N,C,D,H,W]) pools each plane, with positions in
/// the plane, then the flattened planes along the depth. The second step's
/// positions, in [D, h*w], also index the first step's positions. Both steps
/// choose the first of equal elements, and so does the result.
static Decompositions::Values maxPool3d(AtenMaxPool3dWithIndicesOp op,
                                        TorchBuilder &b) {
  Tensor own(b, op.getSelf());
  Value x = own.rank() == 4 ? b.unsqueeze(own, 0) : Value(own);
  auto window = PoolingArguments::read(op);
  if (!window)
    return {b.fail(kConstantWindow), {}};

  SmallVector<Value> sizes = b.sizes(x); // [N,C,D,H,W]
  auto pool = [&](Value planes, auto part) {
    return b.create<AtenMaxPool2dWithIndicesOp>(
        planes, b.ints(part(window->kernel, 1)),
        b.ints(part(window->stride, 1)), b.ints(part(window->padding, 0)),
        b.ints(part(window->dilation, 1)), op.getCeilMode());
  };
  Value batch = b.mulInt(sizes[0], sizes[1]);
  auto inPlane = pool(b.view(x, {batch, sizes[2], sizes[3], sizes[4]}),
                      [](ArrayRef<int64_t> all, int64_t) {
                        return SmallVector<int64_t>(all.drop_front());
                      });
  Value best = inPlane.getResult0(), places = inPlane.getResult1();
  Value height = b.size(best, 2), width = b.size(best, 3);
  Value plane = b.mulInt(height, width);
  auto alongDepth = pool(b.view(best, {sizes[0], sizes[1], sizes[2], plane}),
                         [](ArrayRef<int64_t> all, int64_t otherwise) {
                           return SmallVector<int64_t>{all.front(), otherwise};
                         });
  Tensor chosen(b, alongDepth.getResult1()); // d * plane + position in it
  Value depth = b.size(chosen, 2);
  SmallVector<Value> pooled = {sizes[0], sizes[1], depth, height, width};
  if (own.rank() == 4)
    pooled.erase(pooled.begin());
  Value values = b.view(alongDepth.getResult0(), pooled);
  if (op.getResult1().use_empty())
    return {values, {}};

  Tensor flat(b, b.view(chosen, {batch, b.constant(-1)}));
  Tensor within =
      Tensor(b, b.view(places, {batch, b.constant(-1)}))
          .apply<AtenGatherOp>(b.constant(1), flat, b.constantBool(false));
  auto number = [&](Value integer) { return scalar(b, integer, flat.dtype()); };
  Tensor layer =
      flat.apply<AtenDivTensorModeOp>(number(plane), b.constantStr("floor"));
  Tensor result = layer * number(b.mulInt(sizes[3], sizes[4])) + within;
  return {values, b.view(result, pooled)};
}

/// max_pool1d_with_indices(x [...,C,L]): in two dims, of which the first has
/// one element.
static Decompositions::Values maxPool1d(AtenMaxPool1dWithIndicesOp op,
                                        TorchBuilder &b) {
  auto window = PoolingArguments::read(op);
  if (!window)
    return {b.fail(kConstantWindow), {}};
  auto both = [&](int64_t first, ArrayRef<int64_t> second) {
    return b.ints({first, second.front()});
  };
  int64_t last = tensorType(op.getSelf()).getRank() - 1;
  auto pooled = b.create<AtenMaxPool2dWithIndicesOp>(
      b.unsqueeze(op.getSelf(), last), both(1, window->kernel),
      both(1, window->stride), both(0, window->padding),
      both(1, window->dilation), op.getCeilMode());
  return {b.squeeze(pooled.getResult0(), last),
          b.squeeze(pooled.getResult1(), last)};
}

/// max_unpool(x [...,h,w], indices, [H,W]): each element at its position in
/// H*W, 0 elsewhere.
template <typename Op>
static Value maxUnpool(Op op, TorchBuilder &b) {
  Value x = op.getSelf();
  auto output = matchList(op.getOutputSize());
  int64_t rank = tensorType(x).getRank();
  if (!output || rank <= static_cast<int64_t>(output->size()))
    return b.fail(kListOfSizes);
  int64_t outer = rank - output->size();
  SmallVector<Value> all = b.sizes(x), flat(all.begin(), all.begin() + outer);
  flat.push_back(b.constant(-1));
  SmallVector<Value> sizes(flat);
  sizes.back() = b.product(*output);
  Type dtype = tensorType(x).getDtype();
  Value nothing =
      b.create<AtenFullOp>(b.ints(sizes), b.constant(0), b.dtype(dtype),
                           b.none(), b.none(), b.none());
  Value placed = b.create<AtenScatterSrcOp>(nothing, b.constant(outer),
                                            b.view(op.getIndices(), flat),
                                            b.view(x, flat));
  sizes.pop_back();
  llvm::append_range(sizes, *output);
  return b.view(placed, sizes);
}

/// adaptive_max_pool2d(x [...,H,W], [h,w]) with positions in H*W: the maxima of
/// windows along the last dim, then of those along the dim before, and so on.
/// Each step chooses the first of equal elements, and so does the result.
template <typename Op>
static Decompositions::Values adaptiveMaxPool(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  auto output = matchList(op.getOutputSize());
  if (!output || output->empty() ||
      x.rank() < static_cast<int64_t>(output->size()))
    return {
        b.fail("expected an output size for 1 to " + Twine(x.rank()) + " dims"),
        {}};
  int64_t first = x.rank() - static_cast<int64_t>(output->size());
  bool hasPositions = !op->getResult(1).use_empty();
  Value positions, stride = b.constant(1);
  for (int64_t i = output->size() - 1; i >= 0; --i) {
    int64_t dim = first + i;
    Value in = b.size(op.getSelf(), dim);
    auto windows = adaptiveWindows(b, in, (*output)[i]);
    if (!windows)
      return {Value(), {}};
    auto best =
        b.create<AtenMaxDimOp>(takeWindows(x, dim, *windows),
                               b.constant(dim + 1), b.constantBool(false));
    x = {b, best.getValues()};
    if (!hasPositions)
      continue;
    // Element k of window w is number w * longest + k of the places.
    Tensor window = range(b, b.constant(0), windows->count);
    Tensor number = window * scalar(b, windows->longest, window.dtype());
    number = Tensor(b, best.getIndices()) +
             Tensor(b, alongFirst(b, number, windows->count, x.rank() - dim));
    SmallVector<Value> sizes = b.sizes(number);
    Tensor place(
        b, b.view(b.create<AtenIndexSelectOp>(windows->places, b.constant(0),
                                              b.view(number, b.constant(-1))),
                  sizes));
    Tensor offset = place * scalar(b, stride, place.dtype());
    positions =
        positions
            ? offset + Tensor(b, positions)
                           .template apply<AtenGatherOp>(b.constant(dim), place,
                                                         b.constantBool(false))
            : offset;
    stride = b.mulInt(stride, in);
  }
  return {x, positions};
}

void populatePooling(Decompositions &decompositions) {
  decompositions.add(
      adaptiveAvgPool<AtenAvgPool1dOp, AtenAdaptiveAvgPool1dOp>,
      adaptiveAvgPool<AtenAvgPool2dOp, Aten_AdaptiveAvgPool2dOp>,
      adaptiveAvgPool<AtenAvgPool2dOp, AtenAdaptiveAvgPool2dOp>,
      adaptiveAvgPool<AtenAvgPool3dOp, Aten_AdaptiveAvgPool3dOp>,
      adaptiveAvgPool<AtenAvgPool3dOp, AtenAdaptiveAvgPool3dOp>,
      adaptiveAvgPoolBackward<2, Aten_AdaptiveAvgPool2dBackwardOp>,
      adaptiveAvgPoolBackward<3, Aten_AdaptiveAvgPool3dBackwardOp>,
      adaptiveMaxPool<AtenAdaptiveMaxPool1dOp>,
      adaptiveMaxPool<AtenAdaptiveMaxPool2dOp>,
      adaptiveMaxPool<AtenAdaptiveMaxPool3dOp>, maxPool1d, maxPool3d,
      maxUnpool<AtenMaxUnpool2dOp>, maxUnpool<AtenMaxUnpool3dOp>);
}

} // namespace isthmus::decompose_torch
