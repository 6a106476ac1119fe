//===- Columns.cpp - Images of windows as columns -------------------------===//
//
// Along a dim, tap t of window w reads element w * stride + t * dilation of the
// padded input.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {

/// The windows along each of the two dims of an image.
struct Windows {
  SmallVector<int64_t> kernel, dilation, padding, stride;
};

} // namespace

/// The largest supported kernel along a dim: each tap is emitted separately.
constexpr int64_t maxKernel = 1024;

/// nullopt, and a failure, unless all arguments are known at compile time and
/// the kernel is small enough.
template <typename Op>
static std::optional<Windows> windowsOf(Op op, TorchBuilder &b) {
  auto kernel = matchIntsPerDim(op.getKernelSize(), 2),
       dilation = matchIntsPerDim(op.getDilation(), 2),
       padding = matchIntsPerDim(op.getPadding(), 2),
       stride = matchIntsPerDim(op.getStride(), 2);
  if (!kernel || !dilation || !padding || !stride) {
    b.fail("expected window arguments that are known while compiling");
    return std::nullopt;
  }
  for (int64_t size : *kernel)
    if (size < 1 || size > maxKernel) {
      b.fail("expected kernels of 1 to " + Twine(maxKernel) + ", got " +
             Twine(size));
      return std::nullopt;
    }
  return Windows{*kernel, *dilation, *padding, *stride};
}

/// Inserts zeros, so that the elements of the last dim are `stride` apart.
static Value spread(TorchBuilder &b, Value x, int64_t count, int64_t stride) {
  if (stride == 1)
    return x;
  SmallVector<Value> sizes = b.sizes(x);
  int64_t last = sizes.size() - 1;
  x = b.create<AtenConstantPadNdOp>(b.unsqueeze(x, last + 1),
                                    b.ints(ArrayRef<int64_t>{0, stride - 1}),
                                    b.constant(0));
  sizes.back() = b.constant(count * stride);
  return b.slice(b.view(x, sizes), last, b.constant(0),
                 b.constant((count - 1) * stride + 1));
}

/// Adds up the taps of windows [...,taps,windows] at their positions:
/// [...,size].
static Value addedUp(TorchBuilder &b, Value x, int64_t size, int64_t count,
                     const Windows &windows, int64_t dim) {
  int64_t tapDim = tensorType(x).getRank() - 2;
  Value sum;
  for (int64_t tap = 0; tap < windows.kernel[dim]; ++tap) {
    Value values = b.squeeze(
        b.slice(x, tapDim, b.constant(tap), b.constant(tap + 1)), tapDim);
    int64_t start = tap * windows.dilation[dim] - windows.padding[dim],
            reach = (count - 1) * windows.stride[dim] + 1;
    Value placed = b.create<AtenConstantPadNdOp>(
        spread(b, values, count, windows.stride[dim]),
        b.ints(ArrayRef<int64_t>{start, size - start - reach}), b.constant(0));
    sum = sum ? b.add(sum, placed) : placed;
  }
  return sum;
}

/// col2im(x [N,C*kh*kw,h*w], [H,W]): the image [N,C,H,W] with these columns as
/// its windows; overlapping elements are summed.
static Value col2im(AtenCol2imOp op, TorchBuilder &b) {
  std::optional<Windows> windows = windowsOf(op, b);
  auto output = matchInts(op.getOutputSize());
  if (!windows || !output)
    return b.fail("expected an output size that is known while compiling");
  if (int64_t largest = *llvm::max_element(*output); largest > INT32_MAX)
    return b.fail("expected an image whose sizes 32 bits hold, got " +
                  Twine(largest));
  Value x = op.getSelf();
  bool hasBatch = tensorType(x).getRank() == 3;
  if (!hasBatch)
    x = b.unsqueeze(x, 0);
  SmallVector<int64_t> counts;
  StaticSizes a;
  for (int64_t dim = 0; dim < 2; ++dim)
    counts.push_back(windowedSize(
        a, (*output)[dim], windows->kernel[dim], windows->padding[dim],
        windows->padding[dim], windows->dilation[dim], windows->stride[dim]));
  Value batch = b.size(x, 0);
  Value channels = b.floorDivInt(
      b.size(x, 1), b.constant(windows->kernel[0] * windows->kernel[1]));
  x = b.view(x, {batch, channels, b.constant(windows->kernel[0]),
                 b.constant(windows->kernel[1]), b.constant(counts[0]),
                 b.constant(counts[1])});
  if (!b.error().empty())
    return {};
  x = b.permute(x, {0, 1, 2, 4, 3, 5}); // [N,C,kh,h,kw,w]
  x = addedUp(b, x, (*output)[1], counts[1], *windows, 1);
  x = b.permute(x, {0, 1, 4, 2, 3}); // [N,C,W,kh,h]
  x = addedUp(b, x, (*output)[0], counts[0], *windows, 0);
  x = b.permute(x, {0, 1, 3, 2});
  return hasBatch ? x : b.squeeze(x, 0);
}

/// Elements w * stride + t * dilation of a dim, for taps t and windows w: the
/// dim becomes two, [taps,windows], or [windows,taps].
static Value windowed(TorchBuilder &b, Value x, int64_t dim, int64_t taps,
                      Value windows, int64_t dilation, int64_t stride,
                      bool isTapsFirst) {
  auto places = [&](Value count, int64_t distance, int64_t at) {
    Tensor place = range(b, b.constant(0), count);
    return Tensor(b, b.unsqueeze(place * static_cast<double>(distance), at));
  };
  Value tapCount = b.constant(taps);
  Tensor index = places(tapCount, dilation, isTapsFirst ? 1 : 0) +
                 places(windows, stride, isTapsFirst ? 0 : 1);
  SmallVector<Value> sizes = b.sizes(x);
  sizes[dim] = isTapsFirst ? tapCount : windows;
  sizes.insert(sizes.begin() + dim + 1, isTapsFirst ? windows : tapCount);
  Value flat = b.view(index, b.constant(-1));
  return b.view(b.create<AtenIndexSelectOp>(x, b.constant(dim), flat), sizes);
}

/// The number of windows along a dim: floor((size - taps) / stride) + 1.
static Value windowCount(TorchBuilder &b, Value size, int64_t reach,
                         int64_t stride) {
  return b.addInt(
      b.floorDivInt(b.subInt(size, b.constant(reach)), b.constant(stride)),
      b.constant(1));
}

/// unfold(x, dim, size, step): the dim becomes windows, with their elements in
/// a new last dim. A number has one window, with it or without elements.
static Value unfold(AtenUnfoldOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDimension()),
                         size = matchInt(op.getSize()),
                         step = matchInt(op.getStep());
  if (!dim || !size || !step)
    return b.fail("expected a dim, size and step that are known while "
                  "compiling");
  Value x = op.getSelf();
  int64_t rank = tensorType(x).getRank(), normal = normalDim(*dim, rank);
  if (rank == 0)
    return b.slice(b.unsqueeze(x, 0), 0, b.constant(0), b.constant(*size));
  Value windows = windowCount(b, b.size(x, normal), *size, *step);
  x = windowed(b, x, normal, *size, windows, 1, *step, /*isTapsFirst=*/false);
  SmallVector<int64_t> order = allDims(rank + 1);
  order.erase(order.begin() + normal + 1);
  order.push_back(normal + 1);
  return b.permute(x, order);
}

/// im2col(x [N,C,H,W]): the windows as columns [N,C*kh*kw,h*w].
static Value im2col(AtenIm2colOp op, TorchBuilder &b) {
  std::optional<Windows> windows = windowsOf(op, b);
  if (!windows)
    return {};
  Value x = op.getSelf();
  bool hasBatch = tensorType(x).getRank() == 4;
  if (!hasBatch)
    x = b.unsqueeze(x, 0);
  const SmallVector<int64_t> &padding = windows->padding;
  x = b.create<AtenConstantPadNdOp>(
      x,
      b.ints(ArrayRef<int64_t>{padding[1], padding[1], padding[0], padding[0]}),
      b.constant(0));
  Value counts[2];
  for (int64_t dim : {1, 0}) { // [N,C,H,kw,w], then [N,C,kh,h,kw,w]
    counts[dim] =
        windowCount(b, b.size(x, 2 + dim),
                    windows->dilation[dim] * (windows->kernel[dim] - 1) + 1,
                    windows->stride[dim]);
    x = windowed(b, x, 2 + dim, windows->kernel[dim], counts[dim],
                 windows->dilation[dim], windows->stride[dim],
                 /*isTapsFirst=*/true);
  }
  Value taps = b.constant(windows->kernel[0] * windows->kernel[1]);
  x = b.view(b.permute(x, {0, 1, 2, 4, 3, 5}),
             {b.size(x, 0), b.mulInt(b.size(x, 1), taps),
              b.mulInt(counts[0], counts[1])});
  return hasBatch ? x : b.squeeze(x, 0);
}

void populateColumns(Decompositions &decompositions) {
  decompositions.add(col2im, im2col, unfold);
}

} // namespace isthmus::decompose_torch
