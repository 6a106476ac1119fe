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

/// The largest supported kernel along a dim.
constexpr int64_t maxKernel = 65536;
/// The largest supported number of terms of a sum, which are emitted one by
/// one.
constexpr int64_t maxTerms = 1024;

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

/// Adds up the taps of windows [...,taps,windows] at their positions:
/// [...,size]. Without dilation, up to `stride` consecutive taps are one term:
/// those of all windows lie beside each other.
static Value addedUp(TorchBuilder &b, Value x, int64_t size, int64_t count,
                     const Windows &windows, int64_t dim) {
  int64_t tapDim = tensorType(x).getRank() - 2, taps = windows.kernel[dim],
          dilation = windows.dilation[dim];
  int64_t step = dilation == 1 ? taps : 1, stride = step;
  if (count > 1) { // a single window has no stride
    stride = windows.stride[dim];
    step = std::min(step, stride);
  }
  int64_t terms = llvm::divideCeil(taps, step);
  if (terms > maxTerms)
    return b.fail("expected windows of at most " + Twine(maxTerms) +
                  " strides, got " + Twine(terms));
  // Zeros fill the last term, and the stride of each window.
  auto extended = [&](Value values, ArrayRef<int64_t> more) {
    return b.create<AtenConstantPadNdOp>(values, b.ints(more), b.constant(0));
  };
  if (terms * step > taps)
    x = extended(x, {0, 0, 0, terms * step - taps});
  SmallVector<int64_t> order = allDims(tapDim + 2);
  std::swap(order[tapDim], order[tapDim + 1]);
  SmallVector<Value> sizes = b.sizes(x);
  sizes.pop_back();
  sizes.back() = b.constant(count * stride);
  Value sum;
  for (int64_t first = 0; first < terms * step; first += step) {
    Value values = b.permute(
        b.slice(x, tapDim, b.constant(first), b.constant(first + step)), order);
    if (step < stride)
      values = extended(values, {0, stride - step});
    int64_t start = first * dilation - windows.padding[dim];
    Value placed =
        extended(b.view(values, sizes), {start, size - start - count * stride});
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
  if (!b.error().empty())
    return {};
  x = b.permute(x, {0, 1, 4, 2, 3}); // [N,C,W,kh,h]
  x = addedUp(b, x, (*output)[0], counts[0], *windows, 0);
  if (!b.error().empty())
    return {};
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
