//===- CropAndResize.cpp - onnxruntime's CropAndResize to ATen ------------===//

#include "Families.h"
#include "Sampling.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Positions [regions, count] in a dim of `size` elements: from `begin` to
/// `end`, shares of the distance from the first element to the last; a single
/// one lies in the middle.
Value positionsBetween(NodeBuilder &b, Value begin, Value end, Value count,
                       Value size) {
  Value steps = b.convert(iota(b, b.constant(0), count), dtypeOf(begin));
  // A single step is at 1 / 2 of the way, others at n / (count - 1).
  Value isSingle =
      b.subInt(b.constant(1), b.minInt(lastOf(b, count), b.constant(1)));
  Value twice = b.create<torch::AtenAddScalarOp>(scaled(b, steps, 2), isSingle,
                                                 b.constant(1));
  Value divisor =
      b.mulInt(b.constant(2), b.maxInt(lastOf(b, count), b.constant(1)));
  Value shares = b.create<torch::AtenDivScalarOp>(twice, divisor);
  Value inside =
      b.mul(b.unsqueeze(b.sub(end, begin), 1), b.unsqueeze(shares, 0));
  Value places = b.add(b.unsqueeze(begin, 1), inside);
  return b.create<torch::AtenMulScalarOp>(places, lastOf(b, size));
}

/// CropAndResize: each region (y1, x1, y2, x2) of an image, in shares of its
/// sides, scaled to crop_size. Outside of the image all is
/// extrapolation_value.
FailureOr<Value> lowerCropAndResize(onnx::MicrosoftCropAndResizeOp op,
                                    onnx::MicrosoftCropAndResizeOp::Adaptor in,
                                    NodeBuilder &b) {
  bool isNearest = op.getMode() == "nearest";
  if (!isNearest && op.getMode() != "bilinear")
    return b.decline() << "expected mode to be bilinear or nearest, got '"
                       << op.getMode() << "'";
  Value x = in.getX();
  FailureOr<SmallVector<Value>> crop = b.ints(in.getCropSize());
  if (failed(crop) || crop->size() != 2)
    return b.decline() << "expected crop_size of 2 sizes, got "
                       << in.getCropSize().getType();
  Type dtype = dtypeOf(x), wide = wideDtype(dtype);
  Value rois = b.convert(in.getRois(), wide);
  auto corner = [&](int64_t index) -> Value {
    return b.create<torch::AtenSelectIntOp>(rois, b.constant(1),
                                            b.constant(index));
  };
  Taps taps[2];
  Value isInside;
  for (int64_t dim : {0, 1}) {
    Value size = b.size(x, dim + 2);
    // Places are [regions, rows, columns].
    Value position = b.unsqueeze(
        positionsBetween(b, corner(dim), corner(dim + 2), (*crop)[dim], size),
        2 - dim);
    Value isWithin = b.create<torch::AtenLogicalAndOp>(
        b.create<torch::AtenGeScalarOp>(position, b.constant(0)),
        b.create<torch::AtenLeScalarOp>(position, lastOf(b, size)));
    isInside =
        isInside ? Value(b.create<torch::AtenLogicalAndOp>(isInside, isWithin))
                 : isWithin;
    if (isNearest) {
      Value half = b.create<torch::AtenFloorOp>(addNumber(b, position, 0.5));
      taps[dim] = {tapAt(b, half, size, Value(), /*isZeroOutside=*/false)};
    } else {
      taps[dim] = linearTaps(b, position, size, /*isZeroOutside=*/false);
    }
  }
  Value images = b.view(b.convert(in.getBatchIndices(), int64Dtype(b)),
                        {b.constant(-1), b.constant(1), b.constant(1)});
  Value image = moveToEnd(b, b.convert(x, wide), 1);
  Value sampled = sample(b, image, images, taps);
  Value outside =
      b.scalarTensor(op.getExtrapolationValue().convertToDouble(), wide);
  Value result = b.where(b.unsqueeze(isInside, 3), sampled, outside);
  return b.convert(moveFromEnd(b, result, 1), dtype);
}

} // namespace

void onnx_to_torch::populateCropAndResize(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerCropAndResize);
}
