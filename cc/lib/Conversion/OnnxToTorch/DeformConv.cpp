//===- DeformConv.cpp - ONNX DeformConv to ATen ---------------------------===//

#include "Families.h"
#include "Sampling.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// DeformConv-22: a convolution whose taps lie where `offset` moves them, each
/// interpolated linearly and weighted by `mask`. Channels share offsets in
/// offset_group groups.
FailureOr<Value> lowerDeformConv(onnx::DeformConvOp op,
                                 onnx::DeformConvOp::Adaptor in,
                                 NodeBuilder &b) {
  Value x = in.getX(), weight = in.getW();
  torch::ValueTensorType type = torch::tensorType(weight);
  if (!type.hasStaticShape())
    return b.decline() << "expected a weight of known sizes, got " << type;
  FailureOr<Window> window = windowOf(
      b, x,
      WindowAttributes{op.getKernelShape(), op.getStrides(), op.getDilations(),
                       op.getPads(), "NOTSET", false},
      type.getSizes().drop_front(2));
  if (failed(window))
    return failure();
  Type dtype = dtypeOf(x), wide = wideDtype(b, dtype);
  int64_t shares = op.getOffsetGroup(), groups = op.getGroup();
  if (shares < 1 || groups < 1 || type.getSizes()[0] % groups != 0)
    return b.decline() << "expected group to divide " << type.getSizes()[0]
                       << " outputs and an offset_group of 1 or more, got "
                       << groups << " and " << shares;
  int64_t known = sizeOf(x, 1);
  if (!ShapedType::isDynamic(known) &&
      (known % groups || known / groups != type.getSizes()[1]))
    return b.decline() << "expected a weight for " << known << " channels in "
                       << groups << " groups, got " << type;
  if (window->kernel != SmallVector<int64_t>(type.getSizes().drop_front(2)))
    return b.decline() << "expected the kernel_shape of the weight, got "
                       << window->kernel[0] << " x " << window->kernel[1];
  int64_t taps = window->kernel[0] * window->kernel[1];
  Value batch = b.size(x, 0), channels = b.size(x, 1), one = b.constant(1);
  Value rows = b.size(in.getOffset(), 2), columns = b.size(in.getOffset(), 3);
  Value perShare = b.floorDivInt(channels, b.constant(shares));

  // Places are [batch, shares, taps, rows, columns].
  Value offsets = b.view(b.convert(in.getOffset(), wide),
                         {batch, b.constant(shares), b.constant(taps),
                          b.constant(2), rows, columns});
  SmallVector<Taps> moved;
  for (int64_t dim : {0, 1}) {
    // output * stride - pad + tap * dilation
    Value outputs = iota(b, b.constant(0), dim == 0 ? rows : columns);
    Value starts = b.create<torch::AtenSubScalarOp>(
        b.create<torch::AtenMulScalarOp>(outputs,
                                         b.constant(window->strides[dim])),
        window->begin[dim], one);
    Value reaches = b.create<torch::AtenMulScalarOp>(
        iota(b, b.constant(0), b.constant(window->kernel[dim])),
        b.constant(window->dilations[dim]));
    Value perTap = b.expand(
        alongAxis(b, reaches, dim, 2),
        {b.constant(window->kernel[0]), b.constant(window->kernel[1])});
    Value regular = b.add(b.view(perTap, {b.constant(taps), one, one}),
                          alongAxis(b, starts, dim + 1, 3));
    Value offset = b.create<torch::AtenSelectIntOp>(offsets, b.constant(3),
                                                    b.constant(dim));
    moved.push_back(linearTaps(b, b.add(offset, b.convert(regular, wide)),
                               b.size(x, dim + 2), /*isZeroOutside=*/true));
  }
  Value image = b.view(b.convert(x, wide), {batch, b.constant(shares), perShare,
                                            b.size(x, 2), b.size(x, 3)});
  Value elements = sample(
      b, moveToEnd(b, image, 2),
      {counted(b, batch, 0, 5), counted(b, b.constant(shares), 1, 5)}, moved);
  if (isPresent(in.getMask()))
    elements = b.mul(elements, b.view(b.convert(in.getMask(), wide),
                                      {batch, b.constant(shares),
                                       b.constant(taps), rows, columns, one}));

  // A product per group: [outputs, channels * taps] * [channels * taps, places]
  Value perGroup =
      b.mulInt(b.floorDivInt(channels, b.constant(groups)), b.constant(taps));
  Value inputs =
      b.view(moveFromEnd(b, elements, 2),
             {batch, b.constant(groups), perGroup, b.mulInt(rows, columns)});
  Value matrices =
      b.view(b.convert(weight, wide),
             {b.constant(groups), b.constant(type.getSizes()[0] / groups),
              b.mulInt(b.size(weight, 1), b.constant(taps))});
  Value y = b.view(b.create<torch::AtenMatmulOp>(matrices, inputs),
                   {batch, b.constant(type.getSizes()[0]), rows, columns});
  if (isPresent(in.getB()))
    y = b.add(y, alongAxis(b, b.convert(in.getB(), wide), 1, 4));
  return b.convert(y, dtype);
}

} // namespace

void onnx_to_torch::populateDeformConv(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerDeformConv);
}
