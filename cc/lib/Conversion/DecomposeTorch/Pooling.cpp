//===- Pooling.cpp - Pooling to a given size ------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/GradientOps.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The means that make `out` elements of `in`, as a matrix [in,out]. Element i
/// is the mean of the elements floor(i * in / out) to ceil((i + 1) * in / out)
/// - 1.
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
  for (auto [i, in] : llvm::enumerate(input))
    x = productAlong(x, first + i, means(b, in, (*output)[i]));
  return x.as(own.dtype());
}

/// The gradient of an adaptive average: that of each mean goes to its elements
/// in equal parts.
static Value adaptiveAvgPoolBackward(Aten_AdaptiveAvgPool2dBackwardOp op,
                                     TorchBuilder &b) {
  Tensor own(b, op.getGradOutput()), x = own.widened();
  int64_t first = x.rank() - 2;
  ArrayRef<int64_t> input = tensorType(op.getSelf()).getSizes().take_back(2),
                    output = own.sizes().take_back(2);
  for (auto [i, in] : llvm::enumerate(input)) {
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(output[i]))
      return b.fail("expected pooled dims of known sizes");
    x = productAlong(x, first + i, b.permute(means(b, in, output[i]), {1, 0}));
  }
  return x.as(own.dtype());
}

/// max_pool3d_with_indices(x [N,C,D,H,W]) pools planes, then depths: first each
/// plane, with places in it; then, of planes as rows, along the depth. The
/// second step's places, in [D, h*w], are also where the first step's lie. Of
/// equal elements the first counts, in both steps and so in all.
static Decompositions::Values maxPool3d(AtenMaxPool3dWithIndicesOp op,
                                        TorchBuilder &b) {
  Tensor own(b, op.getSelf());
  Value x = own.rank() == 4 ? b.unsqueeze(own, 0) : Value(own);
  auto window = [&](Value argument) {
    auto ints = matchInts(argument);
    if (ints && ints->size() == 1)
      ints->assign(3, ints->front());
    return ints;
  };
  auto kernel = window(op.getKernelSize()), stride = window(op.getStride()),
       padding = window(op.getPadding()), dilation = window(op.getDilation());
  if (!kernel || !stride || !padding || !dilation)
    return {b.fail("expected window arguments that are known while compiling"),
            {}};
  if (stride->empty())
    stride = kernel;

  SmallVector<Value> sizes = b.sizes(x); // [N,C,D,H,W]
  auto pool = [&](Value planes, auto part) {
    return b.create<AtenMaxPool2dWithIndicesOp>(
        planes, b.ints(part(*kernel, 1)), b.ints(part(*stride, 1)),
        b.ints(part(*padding, 0)), b.ints(part(*dilation, 1)),
        op.getCeilMode());
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
  Tensor chosen(b, alongDepth.getResult1()); // d * plane + place in the plane
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

void populatePooling(Decompositions &decompositions) {
  decompositions.add(adaptiveAvgPool<AtenAvgPool1dOp, AtenAdaptiveAvgPool1dOp>,
                     adaptiveAvgPool<AtenAvgPool2dOp, Aten_AdaptiveAvgPool2dOp>,
                     adaptiveAvgPool<AtenAvgPool2dOp, AtenAdaptiveAvgPool2dOp>,
                     adaptiveAvgPool<AtenAvgPool3dOp, Aten_AdaptiveAvgPool3dOp>,
                     adaptiveAvgPool<AtenAvgPool3dOp, AtenAdaptiveAvgPool3dOp>,
                     adaptiveAvgPoolBackward, maxPool3d);
}

} // namespace isthmus::decompose_torch
