//===- FractionalPooling.cpp - Pooling of windows at random places --------===//
//
// B. Graham, "Fractional max-pooling". All windows have one size. Where they
// start follows from a number in [0, 1) per plane and dim, which is an operand.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnComposites.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The first elements of `count` windows of `kernel` elements in a dim of size
/// `in`, for a sample s of each plane, [N,C,1]: floor((i + s) * alpha) -
/// floor(s * alpha) with alpha = (in - kernel) / (count - 1), and in - kernel
/// for the last one. [N,C,count] of si64.
static Tensor windowStarts(Tensor sample, Value in, int64_t kernel,
                           int64_t count) {
  TorchBuilder &b = sample.builder();
  Tensor window = range(b, b.constant(0), b.constant(count));
  Value last = b.subInt(in, b.constant(kernel));
  Tensor end = scalar(b, last, window.dtype());
  if (count == 1)
    return {b, b.expand(end, b.sizes(sample))};
  Tensor alpha =
      scalar(b, last, sample.dtype()) / static_cast<double>(count - 1);
  Tensor start = floor((window.as(sample.dtype()) + sample) * alpha) -
                 floor(sample * alpha);
  return where(window == static_cast<double>(count - 1), end,
               start.as(window.dtype()));
}

/// fractional_max_pool2d(x [N,C,H,W], [kh,kw], [h,w], samples [N,C,2]) with
/// positions in H*W: the maxima of h*w windows. The first sample is for the
/// last of two dims, but for the first of three. There may be samples for more
/// batches.
template <typename Op>
static Decompositions::Values fractionalMaxPool(Op op, TorchBuilder &b) {
  auto kernel = boundedInts(b, op.getKernelSize(), "a kernel size"),
       output = boundedInts(b, op.getOutputSize(), "an output size");
  if (!kernel || !output)
    return {Value(), {}};
  auto isPositive = [](int64_t size) { return size > 0; };
  if (!llvm::all_of(*kernel, isPositive) || !llvm::all_of(*output, isPositive))
    return {b.fail("expected a kernel and an output of 1 element or more"), {}};
  auto dims = static_cast<int64_t>(output->size());
  bool hasBatch = tensorType(op.getSelf()).getRank() == dims + 2;
  Tensor x(b, hasBatch ? op.getSelf() : b.unsqueeze(op.getSelf(), 0));
  Tensor samples(b, op.getRandomSamples());

  // The positions of the elements of all windows, [N,C,windows,elements].
  SmallVector<Value> sizes = b.sizes(x);
  samples = {b, b.slice(samples, 0, b.constant(0), sizes[0])};
  Value one = b.constant(1), windows = one, elements = one;
  Value place =
      b.expand(integers(b, 0, {1, 1, 1, 1}), {sizes[0], sizes[1], one, one});
  for (auto [dim, count] : llvm::enumerate(*output)) {
    int64_t in = x.sizes()[2 + dim], extent = (*kernel)[dim];
    if (!ShapedType::isDynamic(in) && in < extent + count - 1)
      return {b.fail("expected a dim of " + Twine(extent + count - 1) +
                     " elements or more, got " + Twine(in)),
              {}};
    Value number = b.constant(dims == 2 ? 1 - static_cast<int64_t>(dim) : dim);
    Tensor sample(b, b.slice(samples, 2, number, b.addInt(number, one)));
    Value all = b.constant(count), taps = b.constant(extent);
    // [N,C,windows,1,elements,1] * in + [N,C,1,count,1,1] + [taps]
    Tensor before(
        b, b.view(place, {sizes[0], sizes[1], windows, one, elements, one})),
        start(b, b.view(windowStarts(sample, sizes[2 + dim], extent, count),
                        {sizes[0], sizes[1], one, all, one, one}));
    Tensor next = before * scalar(b, sizes[2 + dim], before.dtype()) + start +
                  range(b, b.constant(0), taps);
    windows = b.mulInt(windows, all);
    elements = b.mulInt(elements, taps);
    place = b.view(next, {sizes[0], sizes[1], windows, elements});
  }

  auto shaped = [&](Value tensor, ArrayRef<Value> inner) {
    SmallVector<Value> to = {sizes[0], sizes[1]};
    llvm::append_range(to, inner);
    return b.view(tensor, to);
  };
  Value area = b.product(ArrayRef(sizes).drop_front(2));
  Value taken = b.create<AtenGatherOp>(
      shaped(x, area), b.constant(2),
      shaped(place, b.mulInt(windows, elements)), b.constantBool(false));
  auto best = b.create<AtenMaxDimOp>(shaped(taken, {windows, elements}),
                                     b.constant(3), b.constantBool(true));
  Value positions = b.create<AtenGatherOp>(
      place, b.constant(3), best.getIndices(), b.constantBool(false));
  SmallVector<Value> pooled = llvm::map_to_vector(
      *output, [&](int64_t size) { return b.constant(size); });
  auto result = [&](Value tensor) {
    Value full = shaped(tensor, pooled);
    return hasBatch ? full : b.squeeze(full, 0);
  };
  return {result(best.getValues()), result(positions)};
}

void populateFractionalPooling(Decompositions &decompositions) {
  decompositions.add(fractionalMaxPool<AtenFractionalMaxPool2dOp>,
                     fractionalMaxPool<AtenFractionalMaxPool3dOp>);
}

} // namespace isthmus::decompose_torch
