//===- Pooling.cpp - Pooling to a given size ------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnOps.h"

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
    if constexpr (std::is_same_v<AvgPoolOp, AtenAvgPool2dOp>)
      return b.create<AvgPoolOp>(own, arguments[0], arguments[1], arguments[2],
                                 arguments[3], arguments[4], b.none());
    else
      return b.create<AvgPoolOp>(own, arguments[0], arguments[1], arguments[2],
                                 arguments[3], arguments[4]);
  }
  int64_t last = x.rank() - 1;
  for (int64_t dim = first; dim <= last; ++dim) {
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, x.rank()));
    std::swap(order[dim], order[last]);
    Tensor toLast(b, b.permute(x, order));
    Tensor pooled = toLast.apply<AtenMatmulOp>(
        means(b, input[dim - first], (*output)[dim - first]));
    x = {b, b.permute(pooled, order)};
  }
  return x.as(own.dtype());
}

void populatePooling(Decompositions &decompositions) {
  decompositions.add(adaptiveAvgPool<AtenAvgPool1dOp, AtenAdaptiveAvgPool1dOp>,
                     adaptiveAvgPool<AtenAvgPool2dOp, AtenAdaptiveAvgPool2dOp>);
}

} // namespace isthmus::decompose_torch
