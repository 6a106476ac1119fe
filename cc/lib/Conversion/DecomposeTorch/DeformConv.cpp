//===- DeformConv.cpp - Convolutions whose taps are moved -----------------===//

#include "Decompositions.h"
#include "Sampling.h"
#include "isthmus/Dialect/Torch/DetectionComposites.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// 0, step, 2 * step ... as floats of a dtype, minus `begin`.
static Tensor places(TorchBuilder &b, Value count, Value step, Value begin,
                     Type dtype) {
  Tensor number = range(b, b.constant(0), count);
  Type index = number.dtype();
  return (number * scalar(b, step, index) - scalar(b, begin, index)).as(dtype);
}

/// torchvision.deform_conv2d(input [N,C,H,W], weight [out,C/groups,kh,kw],
/// offset [N,shares*kh*kw*2,h,w], mask [N,shares*kh*kw,h,w], bias [out], ...):
/// a convolution whose taps lie where `offset` (y, x) moves them, each
/// interpolated between elements and weighted by `mask`. Channels share offsets
/// in `offset_groups` groups. Source: torchvision/csrc/ops/cpu/deform_conv2d*.
static Value deformConv(TorchvisionDeformConv2dOp op, TorchBuilder &b) {
  Tensor own(b, op.getInput()), weight(b, op.getWeight());
  auto shares = matchInt(op.getOffsetGroups()),
       groups = matchInt(op.getGroups());
  auto hasMask = matchBool(op.getUseMask());
  ArrayRef<int64_t> kernel = weight.sizes().drop_front(2);
  if (!shares || !groups || *shares < 1 || *groups < 1 || !hasMask ||
      ShapedType::isDynamicShape(kernel) ||
      ShapedType::isDynamic(weight.sizes()[0]) ||
      weight.sizes()[0] % *groups != 0)
    return b.fail("expected a weight of known sizes, and groups that divide "
                  "its outputs and are known while compiling");
  Type wide = computedDtype(own.dtype());
  Tensor x = own.as(wide);
  Value one = b.constant(1);
  Value height = b.constant(kernel[0]), width = b.constant(kernel[1]);
  Value taps = b.mulInt(height, width);
  Value batch = b.size(x, 0), channels = b.size(x, 1);
  Value rows = b.size(op.getOffset(), 2), columns = b.size(op.getOffset(), 3);
  Value share = op.getOffsetGroups();

  // Places are [N, shares, taps, rows, columns].
  Tensor offsets =
      Tensor(b, b.view(op.getOffset(),
                       {batch, share, taps, b.constant(2), rows, columns}))
          .as(wide);
  auto tapsAlong = [&](int64_t dim, Value stride, Value pad, Value dilation) {
    Tensor start = places(b, dim == 0 ? rows : columns, stride, pad, wide);
    Tensor reach =
        places(b, dim == 0 ? height : width, dilation, b.constant(0), wide);
    // [taps], the rows of the kernel one after the other
    Value perTap = b.expand(dim == 0 ? b.unsqueeze(reach, 1) : Value(reach),
                            {height, width});
    Tensor regular = Tensor(b, b.view(perTap, {taps, one, one})) +
                     Tensor(b, dim == 0 ? b.unsqueeze(start, 1) : Value(start));
    Tensor offset =
        offsets.apply<AtenSelectIntOp>(b.constant(3), b.constant(dim));
    return tapsWithin(offset + regular, b.size(x, dim + 2));
  };
  LinearTaps y = tapsAlong(0, op.getStrideH(), op.getPadH(), op.getDilationH());
  LinearTaps xs =
      tapsAlong(1, op.getStrideW(), op.getPadW(), op.getDilationW());
  Tensor image(b, b.view(x, {batch, share, b.floorDivInt(channels, share),
                             b.size(x, 2), b.size(x, 3)}));
  image = {b, b.permute(image, {0, 1, 3, 4, 2})};
  auto along = [&](Value count, int64_t before) -> Value {
    SmallVector<Value> sizes(5, one);
    sizes[before] = count;
    return b.view(range(b, b.constant(0), count), sizes);
  };
  Tensor elements = sample(image, {along(batch, 0), along(share, 1)}, y, xs);
  if (*hasMask)
    elements = elements * Tensor(b, b.view(op.getMask(), {batch, share, taps,
                                                          rows, columns, one}))
                              .as(wide);

  // A product per group: [outputs, channels * taps] * [channels * taps, places]
  Value parts = op.getGroups(), outputs = b.constant(weight.sizes()[0]);
  Value perGroup = b.mulInt(b.floorDivInt(channels, parts), taps);
  Value inputs = b.view(b.permute(elements, {0, 1, 5, 2, 3, 4}),
                        {batch, parts, perGroup, b.mulInt(rows, columns)});
  Tensor matrices(b,
                  b.view(weight.as(wide), {parts, b.floorDivInt(outputs, parts),
                                           b.mulInt(b.size(weight, 1), taps)}));
  Tensor product(b, b.view(matrices.apply<AtenMatmulOp>(inputs),
                           {batch, outputs, rows, columns}));
  Tensor bias(b, b.view(Tensor(b, op.getBias()).as(wide), {outputs, one, one}));
  return (product + bias).as(own.dtype());
}

void populateDeformConv(Decompositions &decompositions) {
  decompositions.add(deformConv);
}

} // namespace isthmus::decompose_torch
