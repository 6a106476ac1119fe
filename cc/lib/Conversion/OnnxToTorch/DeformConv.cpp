//===- DeformConv.cpp - ONNX DeformConv to ATen ---------------------------===//

#include "Families.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/DetectionComposites.h"

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
  Value offset = in.getOffset();
  bool hasMask = isPresent(in.getMask());
  Value bias = isPresent(in.getB())
                   ? in.getB()
                   : filled(b, {b.size(weight, 0)}, b.constant(0), dtypeOf(x));
  auto pair = [&](ArrayRef<int64_t> both) {
    return std::pair(b.constant(both[0]), b.constant(both[1]));
  };
  auto [rowStride, columnStride] = pair(window->strides);
  auto [rowDilation, columnDilation] = pair(window->dilations);
  // The padding behind follows from the offset's sizes.
  return b
      .create<torch::TorchvisionDeformConv2dOp>(
          x, weight, offset, hasMask ? in.getMask() : offset, bias, rowStride,
          columnStride, window->begin[0], window->begin[1], rowDilation,
          columnDilation, b.constant(groups), b.constant(shares),
          b.constantBool(hasMask))
      .getResult();
}

} // namespace

void onnx_to_torch::populateDeformConv(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerDeformConv);
}
