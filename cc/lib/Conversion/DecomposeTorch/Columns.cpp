//===- Columns.cpp - Images of windows as columns -------------------------===//
//
// Along a dim, tap t of window w looks at element w * stride + t * dilation of
// the padded input.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
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

/// nullopt unless all is known while compiling.
template <typename Op>
static std::optional<Windows> windowsOf(Op op) {
  auto kernel = matchInts(op.getKernelSize()),
       dilation = matchInts(op.getDilation()),
       padding = matchInts(op.getPadding()), stride = matchInts(op.getStride());
  if (!kernel || !dilation || !padding || !stride)
    return std::nullopt;
  for (auto *list : {&*dilation, &*padding, &*stride})
    if (list->size() == 1)
      list->assign(2, list->front());
  return Windows{*kernel, *dilation, *padding, *stride};
}

/// The elements of the last dim `stride` apart, zeros between them.
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

/// Taps of windows [...,taps,windows] added up where they look: [...,size].
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

/// col2im(x [N,C*kh*kw,h*w], [H,W]): the image [N,C,H,W] whose windows the
/// columns are; what several of them see is added up.
static Value col2im(AtenCol2imOp op, TorchBuilder &b) {
  std::optional<Windows> windows = windowsOf(op);
  auto output = matchInts(op.getOutputSize());
  if (!windows || !output)
    return b.fail("expected window arguments and an output size that are known "
                  "while compiling");
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
  x = b.permute(x, {0, 1, 2, 4, 3, 5}); // [N,C,kh,h,kw,w]
  x = addedUp(b, x, (*output)[1], counts[1], *windows, 1);
  x = b.permute(x, {0, 1, 4, 2, 3}); // [N,C,W,kh,h]
  x = addedUp(b, x, (*output)[0], counts[0], *windows, 0);
  x = b.permute(x, {0, 1, 3, 2});
  return hasBatch ? x : b.squeeze(x, 0);
}

void populateColumns(Decompositions &decompositions) {
  decompositions.add(col2im);
}

} // namespace isthmus::decompose_torch
