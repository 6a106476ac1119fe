//===- Pooling.cpp - Pooling to a given size ------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/GradientOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

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

/// The means that reduce `in` elements to `out`, as a matrix [in,out]. Element
/// i is the mean of the elements floor(i * in / out) to ceil((i + 1) * in /
/// out) - 1.
static Value means(TorchBuilder &b, int64_t in, int64_t out) {
  SmallVector<float> weights(in * out, 0.0f);
  for (int64_t i = 0; i < out; ++i) {
    int64_t start = i * in / out,
            end = llvm::divideCeilSigned((i + 1) * in, out);
    for (int64_t element = start; element < end; ++element)
      weights[element * out + i] = 1.0f / static_cast<float>(end - start);
  }
  auto type =
      RankedTensorType::get({in, out}, Float32Type::get(b.getContext()));
  return b.literal(DenseElementsAttr::get(type, ArrayRef(weights)));
}

/// A product with a matrix along one dim.
static Tensor productAlong(Tensor x, int64_t dim, Value matrix) {
  TorchBuilder &b = x.builder();
  SmallVector<int64_t> order = allDims(x.rank());
  std::swap(order[dim], order.back());
  Tensor toLast(b, b.permute(x, order));
  return {b, b.permute(toLast.apply<AtenMatmulOp>(matrix), order)};
}

/// adaptive_avg_pool2d(x [...,H,W], [h,w]): means of equal windows where h
/// divides H, otherwise of windows that overlap, as a product along each dim.
template <typename AvgPoolOp, typename Op>
static Value adaptiveAvgPool(Op op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  std::optional<SmallVector<int64_t>> output = matchInts(op.getOutputSize());
  if (!output)
    return b.fail("expected an output size that is known while compiling");
  int64_t first = x.rank() - static_cast<int64_t>(output->size());
  if (llvm::all_of(*output, [](int64_t size) { return size == 1; }))
    return meanOver(x, llvm::to_vector(llvm::seq(first, x.rank())))
        .as(own.dtype());

  ArrayRef<int64_t> input = x.sizes().drop_front(first);
  if (llvm::any_of(input, ShapedType::isDynamic))
    return b.fail("expected an input whose pooled dims have known sizes");
  SmallVector<int64_t> windows;
  bool isEven = true;
  for (auto [in, out] : llvm::zip_equal(input, *output)) {
    isEven &= out > 0 && in % out == 0;
    windows.push_back(isEven ? in / out : 1);
  }
  if (isEven) {
    SmallVector<Value> arguments = {
        b.ints(windows), b.ints(windows),
        b.ints(SmallVector<int64_t>(windows.size(), 0)), b.constantBool(false),
        b.constantBool(true)};
    if constexpr (std::is_same_v<AvgPoolOp, AtenAvgPool1dOp>)
      return b.create<AvgPoolOp>(own, arguments[0], arguments[1], arguments[2],
                                 arguments[3], arguments[4]);
    else
      return b.create<AvgPoolOp>(own, arguments[0], arguments[1], arguments[2],
                                 arguments[3], arguments[4], b.none());
  }
  for (auto [i, in] : llvm::enumerate(input)) {
    int64_t out = (*output)[i];
    if (!checkTable(b, llvm::SaturatingMultiply<uint64_t>(in, out), in, out))
      return {};
    x = productAlong(x, first + i, means(b, in, out));
  }
  return x.as(own.dtype());
}

/// The gradient of an adaptive average: the gradient of each mean is
/// distributed equally over its elements.
static Value adaptiveAvgPoolBackward(Aten_AdaptiveAvgPool2dBackwardOp op,
                                     TorchBuilder &b) {
  Tensor own(b, op.getGradOutput()), x = own.widened();
  int64_t first = x.rank() - 2;
  ArrayRef<int64_t> input = tensorType(op.getSelf()).getSizes().take_back(2),
                    output = own.sizes().take_back(2);
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

/// adaptive_max_pool2d(x [...,H,W], [h,w]) with positions in H*W. Windows have
/// the bounds of `means`; a shorter one repeats its last element, which changes
/// neither the maximum nor its first position.
template <typename Op>
static Decompositions::Values adaptiveMaxPool(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  std::optional<SmallVector<int64_t>> output = matchInts(op.getOutputSize());
  int64_t pooled = output ? static_cast<int64_t>(output->size()) : 0;
  if (!output || x.rank() < pooled ||
      llvm::any_of(x.sizes().take_back(pooled), ShapedType::isDynamic))
    return {b.fail("expected an output size and pooled dims that are known "
                   "while compiling"),
            {}};
  int64_t first = x.rank() - pooled;
  SmallVector<int64_t> input(x.sizes().drop_front(first));

  // Windows have at most in / out + 2 elements.
  uint64_t entries = 1;
  for (auto [in, out] : llvm::zip_equal(input, *output)) {
    uint64_t all = llvm::SaturatingMultiplyAdd<uint64_t>(2, out, in);
    entries = llvm::SaturatingMultiply<uint64_t>(entries, all);
    if (!checkTable(b, entries, in, out))
      return {Value(), {}};
  }

  // The positions of all windows, [h*w, elements of a window].
  SmallVector<int64_t> longest;
  for (auto [in, out] : llvm::zip_equal(input, *output)) {
    int64_t most = 1;
    for (int64_t i = 0; i < out; ++i)
      most = std::max(most,
                      llvm::divideCeilSigned((i + 1) * in, out) - i * in / out);
    longest.push_back(most);
  }
  SmallVector<int64_t> places = {0};
  int64_t windows = 1, elements = 1;
  SmallVector<int64_t> next;
  for (auto [dim, in] : llvm::enumerate(input)) {
    int64_t out = (*output)[dim], length = longest[dim];
    next.clear();
    for (int64_t window = 0; window < windows; ++window)
      for (int64_t i = 0; i < out; ++i)
        for (int64_t element = 0; element < elements; ++element)
          for (int64_t k = 0; k < length; ++k) {
            int64_t end = llvm::divideCeilSigned((i + 1) * in, out);
            next.push_back(places[window * elements + element] * in +
                           std::min(i * in / out + k, end - 1));
          }
    places = next;
    windows *= out;
    elements *= length;
  }

  SmallVector<Value> outer(b.sizes(x));
  outer.resize(first);
  auto shaped = [&](Value tensor, ArrayRef<int64_t> inner) {
    SmallVector<Value> sizes = outer;
    for (int64_t size : inner)
      sizes.push_back(b.constant(size));
    return b.view(tensor, sizes);
  };
  auto table = [&](ArrayRef<int64_t> values, ArrayRef<int64_t> sizes) {
    auto type = RankedTensorType::get(sizes, b.getBuilder().getI64Type());
    return b.literal(DenseElementsAttr::get(type, values));
  };
  int64_t area = 1;
  for (int64_t size : input)
    area *= size;
  Value taken = b.create<AtenIndexSelectOp>(
      shaped(x, area), b.constant(first),
      table(places, static_cast<int64_t>(places.size())));
  auto best =
      b.create<AtenMaxDimOp>(shaped(taken, {windows, elements}),
                             b.constant(first + 1), b.constantBool(false));
  Value values = shaped(best.getValues(), *output);
  if (op->getResult(1).use_empty())
    return {values, {}};
  // Element k of window w is number w * elements + k of the table.
  SmallVector<int64_t> starts;
  for (int64_t window = 0; window < windows; ++window)
    starts.push_back(window * elements);
  Tensor number =
      Tensor(b, best.getIndices()) + Tensor(b, table(starts, windows));
  Value found = b.create<AtenIndexSelectOp>(
      table(places, static_cast<int64_t>(places.size())), b.constant(0),
      b.view(number, b.constant(-1)));
  return {values, shaped(found, *output)};
}

void populatePooling(Decompositions &decompositions) {
  decompositions.add(adaptiveAvgPool<AtenAvgPool1dOp, AtenAdaptiveAvgPool1dOp>,
                     adaptiveAvgPool<AtenAvgPool2dOp, Aten_AdaptiveAvgPool2dOp>,
                     adaptiveAvgPool<AtenAvgPool2dOp, AtenAdaptiveAvgPool2dOp>,
                     adaptiveAvgPool<AtenAvgPool3dOp, Aten_AdaptiveAvgPool3dOp>,
                     adaptiveAvgPool<AtenAvgPool3dOp, AtenAdaptiveAvgPool3dOp>,
                     adaptiveAvgPoolBackward,
                     adaptiveMaxPool<AtenAdaptiveMaxPool1dOp>,
                     adaptiveMaxPool<AtenAdaptiveMaxPool2dOp>,
                     adaptiveMaxPool<AtenAdaptiveMaxPool3dOp>, maxPool3d);
}

} // namespace isthmus::decompose_torch
