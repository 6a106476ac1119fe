//===- Conv.cpp - ONNX convolutions to ATen -------------------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// The sizes of a weight's kernel dims; declines when they are not known.
FailureOr<SmallVector<int64_t>> kernelOf(NodeBuilder &b, Value weight) {
  torch::ValueTensorType type = torch::tensorType(weight);
  if (type.getRank() < 3 ||
      llvm::any_of(type.getSizes().drop_front(2), ShapedType::isDynamic))
    return b.decline() << "expected a weight of rank 3 or more with kernel "
                          "sizes known while "
                          "compiling, got "
                       << type;
  return SmallVector<int64_t>(type.getSizes().drop_front(2));
}

Value convolve(NodeBuilder &b, Value x, Value weight, Value bias,
               const Window &window, int64_t groups) {
  SmallVector<int64_t> zeros(window.rank(), 0);
  SmallVector<int64_t> pads = zeros;
  // ATen pads both sides alike.
  if (auto symmetric = window.symmetricPads())
    pads = *symmetric;
  else
    x = window.pad(b, x, number(b, 0, dtypeOf(x)));
  return b.create<torch::AtenConvolutionOp>(
      x, weight, bias, b.ints(window.strides), b.ints(pads),
      b.ints(window.dilations), b.constantBool(false), b.ints(zeros),
      b.constant(groups));
}

/// Conv-22: cross-correlation of [N, C, ...] with [M, C / group, ...], plus B.
FailureOr<Value> lowerConv(onnx::ConvOp op, onnx::ConvOp::Adaptor in,
                           NodeBuilder &b) {
  FailureOr<SmallVector<int64_t>> kernel = kernelOf(b, in.getW());
  if (failed(kernel))
    return failure();
  FailureOr<Window> window =
      windowOf(b, in.getX(), WindowAttributes::of(op), *kernel);
  if (failed(window))
    return failure();
  return convolve(b, in.getX(), in.getW(), in.getB(), *window, op.getGroup());
}

/// ConvInteger-10: Conv of x - x_zero_point and w - w_zero_point in 32-bit
/// integers. The zero point of w may be one per output channel.
FailureOr<Value> lowerConvInteger(onnx::ConvIntegerOp op,
                                  onnx::ConvIntegerOp::Adaptor in,
                                  NodeBuilder &b) {
  FailureOr<SmallVector<int64_t>> kernel = kernelOf(b, in.getW());
  if (failed(kernel))
    return failure();
  FailureOr<Window> window =
      windowOf(b, in.getX(), WindowAttributes::of(op), *kernel);
  if (failed(window))
    return failure();
  Type wide = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  auto centred = [&](Value tensor, Value zeroPoint) {
    tensor = b.convert(tensor, wide);
    if (!isPresent(zeroPoint))
      return tensor;
    zeroPoint = b.convert(zeroPoint, wide);
    if (rankOf(zeroPoint) == 1)
      zeroPoint = alongAxis(b, zeroPoint, 0, rankOf(tensor));
    return b.sub(tensor, zeroPoint);
  };
  return convolve(b, centred(in.getX(), in.getXZeroPoint()),
                  centred(in.getW(), in.getWZeroPoint()), b.none(), *window,
                  op.getGroup());
}

/// The pads of a transposed convolution, which crop its result. An explicit
/// output_shape (or auto_pad, which asks for size * stride) fixes their sum:
/// stride * (size - 1) + output_padding + reach - output_shape.
LogicalResult cropsOf(NodeBuilder &b, onnx::ConvTransposeOp op, Value x,
                      ArrayRef<int64_t> extra, Window &window) {
  StringRef autoPad = op.getAutoPad();
  bool isSame = autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER";
  SmallVector<int64_t> outputShape = intsOf(op.getOutputShape());
  if (outputShape.empty() && !isSame)
    return success(); // windowOf read them from `pads`
  if (!outputShape.empty() &&
      static_cast<int64_t>(outputShape.size()) != window.rank())
    return b.decline() << "expected " << window.rank()
                       << " numbers in output_shape, got "
                       << outputShape.size();
  window.begin.clear();
  window.end.clear();
  for (int64_t dim = 0; dim < window.rank(); ++dim) {
    Value size = b.size(x, dim + 2), stride = b.constant(window.strides[dim]);
    Value wanted = outputShape.empty() ? b.mulInt(size, stride)
                                       : b.constant(outputShape[dim]);
    Value whole = b.addInt(b.mulInt(b.subInt(size, b.constant(1)), stride),
                           b.constant(extra[dim] + window.reach(dim)));
    Value total = b.subInt(whole, wanted);
    Value less = b.floorDivInt(total, b.constant(2)),
          more = b.subInt(total, less);
    window.begin.push_back(autoPad == "SAME_UPPER" ? less : more);
    window.end.push_back(autoPad == "SAME_UPPER" ? more : less);
  }
  return success();
}

/// ConvTranspose-22: the gradient of Conv with respect to its input; `pads`
/// crop the result and output_padding adds to its end.
FailureOr<Value> lowerConvTranspose(onnx::ConvTransposeOp op,
                                    onnx::ConvTransposeOp::Adaptor in,
                                    NodeBuilder &b) {
  FailureOr<SmallVector<int64_t>> kernel = kernelOf(b, in.getW());
  if (failed(kernel))
    return failure();
  FailureOr<Window> window =
      windowOf(b, in.getX(), WindowAttributes::of(op), *kernel);
  if (failed(window))
    return failure();
  SmallVector<int64_t> zeros(window->rank(), 0);
  SmallVector<int64_t> extra = intsOf(op.getOutputPadding(), zeros);
  if (extra.size() != zeros.size())
    return b.decline() << "expected " << zeros.size()
                       << " numbers in output_padding, got " << extra.size();
  if (failed(cropsOf(b, op, in.getX(), extra, *window)))
    return failure();
  std::optional<SmallVector<int64_t>> symmetric = window->symmetricPads();
  if (symmetric &&
      llvm::any_of(*symmetric, [](int64_t pad) { return pad < 0; }))
    symmetric = std::nullopt;
  Value y = b.create<torch::AtenConvolutionOp>(
      in.getX(), in.getW(), in.getB(), b.ints(window->strides),
      b.ints(symmetric.value_or(zeros)), b.ints(window->dilations),
      b.constantBool(true), b.ints(extra), b.constant(op.getGroup()));
  if (symmetric)
    return y;
  auto negated = [&](ArrayRef<Value> pads) {
    return llvm::map_to_vector(
        pads, [&](Value pad) { return b.subInt(b.constant(0), pad); });
  };
  return padLastDims(b, y, negated(window->begin), negated(window->end),
                     number(b, 0, dtypeOf(y)));
}

} // namespace

void onnx_to_torch::populateConv(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerConv);
  lowerings.add(lowerConvInteger);
  lowerings.add(lowerConvTranspose);
}
