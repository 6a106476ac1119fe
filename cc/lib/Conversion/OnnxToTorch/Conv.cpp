//===- Conv.cpp - ONNX convolutions to ATen -------------------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "NamedActivation.h"
#include "Quantization.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Onnx/Quantization.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// The sizes of a weight's kernel dims; declines if they are unknown.
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
  // ATen pads both sides equally.
  if (auto symmetric = window.symmetricPads())
    pads = *symmetric;
  else
    x = window.pad(b, x, number(b, 0, dtypeOf(x)));
  return b.create<torch::AtenConvolutionOp>(
      x, weight, bias, b.ints(window.strides), b.ints(pads),
      b.ints(window.dilations), b.constantBool(false), b.ints(zeros),
      b.constant(groups));
}

/// The windows of a convolution of x with w.
template <typename Op>
FailureOr<Window> windowOfConv(Op op, Value x, Value w, NodeBuilder &b) {
  FailureOr<SmallVector<int64_t>> kernel = kernelOf(b, w);
  if (failed(kernel))
    return failure();
  return windowOf(b, x, WindowAttributes::of(op), *kernel);
}

/// Cross-correlation of x [N, C, ...] with w [M, C / group, ...], plus a bias.
template <typename Op>
FailureOr<Value> correlate(Op op, Value x, Value w, Value bias,
                           NodeBuilder &b) {
  FailureOr<Window> window = windowOfConv(op, x, w, b);
  if (failed(window))
    return failure();
  return convolve(b, x, w, bias, *window, op.getGroup());
}

/// Conv-22
FailureOr<Value> lowerConv(onnx::ConvOp op, onnx::ConvOp::Adaptor in,
                           NodeBuilder &b) {
  return correlate(op, in.getX(), in.getW(), in.getB(), b);
}

/// An activation whose parameters are in one list. For Clip it holds the
/// bounds.
FailureOr<Value> activate(NodeBuilder &b, Value x, StringRef name,
                          ArrayRef<double> parameters) {
  auto expect = [&](size_t count) -> LogicalResult {
    if (parameters.size() == count)
      return success();
    return b.decline() << "expected " << count << " activation_params of "
                       << name << ", got " << parameters.size();
  };
  if (name == "Clip") {
    if (failed(expect(2)))
      return failure();
    return Value(b.create<torch::AtenClampOp>(x, b.constantFloat(parameters[0]),
                                              b.constantFloat(parameters[1])));
  }
  FailureOr<const ActivationKind *> kind = findActivation(b, name);
  if (failed(kind))
    return failure();
  bool hasAlpha = (*kind)->alpha.has_value(),
       hasBeta = (*kind)->beta.has_value();
  if (failed(expect(hasAlpha + hasBeta)))
    return failure();
  return (*kind)->apply(b, x, hasAlpha ? parameters.front() : 0,
                        hasBeta ? parameters.back() : 0);
}

/// activation(y + z), each of them if the node has it.
template <typename Op>
FailureOr<Value> finishFused(Op op, FailureOr<Value> y, Value z,
                             NodeBuilder &b) {
  if (failed(y) || b.hasFailed())
    return failure();
  if (isPresent(z))
    y = b.add(*y, z);
  StringRef name = op.getActivation().value_or("");
  if (name.empty())
    return y;
  return activate(b, *y, name, floatsOf(op.getActivationParams()));
}

/// onnxruntime's FusedConv: activation(Conv(X, W, B) + Z)
FailureOr<Value> lowerFusedConv(onnx::MicrosoftFusedConvOp op,
                                onnx::MicrosoftFusedConvOp::Adaptor in,
                                NodeBuilder &b) {
  return finishFused(op, correlate(op, in.getX(), in.getW(), in.getB(), b),
                     in.getZ(), b);
}

/// What `compute` makes of x [N, ..., C] as [N, C, ...], as [N, ..., C] again.
FailureOr<Value>
onChannelsFirst(NodeBuilder &b, Value x,
                llvm::function_ref<FailureOr<Value>(Value)> compute) {
  FailureOr<Value> y = compute(channelsFirst(b, x));
  if (failed(y) || b.hasFailed())
    return failure();
  return channelsLast(b, *y);
}

/// Conv of x [N, ..., C] with w [M, C / group, ...].
template <typename Op>
FailureOr<Value> correlateNhwc(Op op, Value x, Value w, Value bias,
                               NodeBuilder &b) {
  return onChannelsFirst(
      b, x, [&](Value first) { return correlate(op, first, w, bias, b); });
}

/// onnxruntime's NhwcConv: Conv of X [N, H, W, C] with W [M, kH, kW, C /
/// group], as its tools write the weight.
FailureOr<Value> lowerNhwcConv(onnx::MicrosoftNhwcConvOp op,
                               onnx::MicrosoftNhwcConvOp::Adaptor in,
                               NodeBuilder &b) {
  return correlateNhwc(op, in.getX(), channelsFirst(b, in.getW()), in.getB(),
                       b);
}

/// onnxruntime's NhwcFusedConv: FusedConv of X and Z [N, H, W, C], with the
/// weight of Conv.
FailureOr<Value> lowerNhwcFusedConv(onnx::MicrosoftNhwcFusedConvOp op,
                                    onnx::MicrosoftNhwcFusedConvOp::Adaptor in,
                                    NodeBuilder &b) {
  return finishFused(op, correlateNhwc(op, in.getX(), in.getW(), in.getB(), b),
                     in.getZ(), b);
}

/// Conv of x - x_zero_point and w - w_zero_point in 32-bit integers. The zero
/// point of w may be one per output channel.
template <typename Op>
FailureOr<Value> convolveIntegers(Op op, Value x, Value xZeroPoint, Value w,
                                  Value wZeroPoint, Value bias,
                                  NodeBuilder &b) {
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
  return correlate(op, centred(x, xZeroPoint), centred(w, wZeroPoint), bias, b);
}

/// ConvInteger-10
FailureOr<Value> lowerConvInteger(onnx::ConvIntegerOp op,
                                  onnx::ConvIntegerOp::Adaptor in,
                                  NodeBuilder &b) {
  return convolveIntegers(op, in.getX(), in.getXZeroPoint(), in.getW(),
                          in.getWZeroPoint(), b.none(), b);
}

/// The convolution of two quantized tensors, quantized. The scale of w may be
/// one per output channel; B is scaled as the products are.
template <typename Op>
FailureOr<Value> convolveQuantized(Op op, Value x, typename Op::Adaptor in,
                                   NodeBuilder &b) {
  FailureOr<Value> sum = convolveIntegers(op, x, in.getXZeroPoint(), in.getW(),
                                          in.getWZeroPoint(), in.getB(), b);
  if (failed(sum) || b.hasFailed())
    return failure();
  Value perChannel = in.getWScale();
  if (rankOf(perChannel) == 1)
    perChannel = alongAxis(b, perChannel, 1, rankOf(*sum));
  Type f32 = Float32Type::get(b.getContext());
  Value scaled = b.mul(b.convert(*sum, f32), b.mul(in.getXScale(), perChannel));
  return quantize(b, scaled, in.getYScale(), in.getYZeroPoint(),
                  dtypeOf(in.getYZeroPoint()));
}

/// QLinearConv-10
FailureOr<Value> lowerQLinearConv(onnx::QLinearConvOp op,
                                  onnx::QLinearConvOp::Adaptor in,
                                  NodeBuilder &b) {
  return convolveQuantized(op, in.getX(), in, b);
}

/// onnxruntime's QLinearConv: under channels_last of x and y [N, ..., C].
FailureOr<Value>
lowerMicrosoftQLinearConv(onnx::MicrosoftQLinearConvOp op,
                          onnx::MicrosoftQLinearConvOp::Adaptor in,
                          NodeBuilder &b) {
  if (!op.getChannelsLast())
    return convolveQuantized(op, in.getX(), in, b);
  return onChannelsFirst(b, in.getX(), [&](Value first) {
    return convolveQuantized(op, first, in, b);
  });
}

/// A depthwise convolution of input [N, C, T], which is preceded by the
/// past_state of (k - 1) * dilation elements, or zeros; the second result holds
/// the last elements of them.
template <typename Op>
FailureOr<SmallVector<Value>> convolveCausally(Op op, typename Op::Adaptor in,
                                               int64_t dilation,
                                               NodeBuilder &b) {
  Value input = in.getInput();
  StringRef activation = op.getActivation();
  bool isSwish = activation == "silu" || activation == "swish";
  if (!isSwish && activation != "none")
    return b.decline() << "expected activation to be none, silu or swish, got '"
                       << activation << "'";
  FailureOr<SmallVector<int64_t>> kernel = kernelOf(b, in.getWeight());
  if (failed(kernel))
    return failure();
  int64_t channels = rankOf(input) == 3 ? sizeOf(input, 1) : 0;
  if (ShapedType::isDynamic(channels) || channels < 1 || kernel->size() != 1)
    return b.decline() << "expected an input of rank 3 with channels known "
                          "while compiling, got "
                       << input.getType();
  if (dilation < 1)
    return b.decline() << "expected a dilation of 1 or more, got " << dilation;
  if (failed(checkMagnitude(b, "dilation", dilation)))
    return failure();
  Window window;
  window.kernel = *kernel;
  window.strides = {1};
  window.dilations = {dilation};
  window.begin = window.end = window.overflow = {b.constant(0)};
  Value past = b.constant(window.reach(0) - 1), seen;
  if (isPresent(in.getPastState()))
    seen = b.cat({in.getPastState(), input}, 2);
  else
    seen = padLastDims(b, input, past, b.constant(0), b.constantFloat(0));
  Value y = convolve(b, seen, in.getWeight(), in.getBias(), window, channels);
  if (isSwish)
    y = b.create<torch::AtenSiluOp>(y);
  Value state = b.slice(seen, 2, b.subInt(b.size(seen, 2), past));
  return SmallVector<Value>{y, state};
}

/// CausalConvWithState-27
FailureOr<SmallVector<Value>>
lowerCausalConvWithState(onnx::CausalConvWithStateOp op,
                         onnx::CausalConvWithStateOp::Adaptor in,
                         NodeBuilder &b) {
  return convolveCausally(op, in, /*dilation=*/1, b);
}

/// onnxruntime's CausalConvWithState, of one spatial dim.
FailureOr<SmallVector<Value>> lowerMicrosoftCausalConvWithState(
    onnx::MicrosoftCausalConvWithStateOp op,
    onnx::MicrosoftCausalConvWithStateOp::Adaptor in, NodeBuilder &b) {
  if (op.getNdim() != 1 || op.getStateWindow() || op.getChannelsLast())
    return b.decline() << "expected ndim 1, state_window 0 and channels_last "
                          "0, got "
                       << op.getNdim() << ", " << op.getStateWindow() << " and "
                       << op.getChannelsLast();
  return convolveCausally(op, in, op.getDilation(), b);
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
    int64_t stride = window.strides[dim],
            added = extra[dim] + window.reach(dim);
    Value total = b.constant(added - stride);
    if (!outputShape.empty())
      total =
          b.addInt(b.mulInt(b.subInt(b.size(x, dim + 2), b.constant(1)),
                            b.constant(stride)),
                   b.subInt(b.constant(added), b.constant(outputShape[dim])));
    Value less = b.floorDivInt(total, b.constant(2)),
          more = b.subInt(total, less);
    window.begin.push_back(autoPad == "SAME_UPPER" ? less : more);
    window.end.push_back(autoPad == "SAME_UPPER" ? more : less);
  }
  return success();
}

/// True if a pad is known to be 0 or more.
bool onlyCrops(Value pad) {
  std::optional<int64_t> known = torch::matchInt(pad);
  return known && *known >= 0;
}

/// The gradient of a convolution with respect to its input. The padding of the
/// window crops the result, and `extra` adds to its end; elements that negative
/// padding adds are the bias alone.
Value transposedConvolution(NodeBuilder &b, Value x, Value w, Value bias,
                            const Window &window, ArrayRef<int64_t> extra,
                            int64_t groups) {
  SmallVector<int64_t> zeros(window.rank(), 0);
  std::optional<SmallVector<int64_t>> symmetric = window.symmetricPads();
  if (symmetric &&
      llvm::any_of(*symmetric, [](int64_t pad) { return pad < 0; }))
    symmetric = std::nullopt;
  bool addsBias = isPresent(bias) && !symmetric &&
                  !(llvm::all_of(window.begin, onlyCrops) &&
                    llvm::all_of(window.end, onlyCrops));
  Value y = b.create<torch::AtenConvolutionOp>(
      x, w, addsBias ? b.none() : bias, b.ints(window.strides),
      b.ints(symmetric.value_or(zeros)), b.ints(window.dilations),
      b.constantBool(true), b.ints(extra), b.constant(groups));
  if (symmetric)
    return y;
  auto negated = [&](ArrayRef<Value> pads) {
    return llvm::map_to_vector(
        pads, [&](Value pad) { return b.subInt(b.constant(0), pad); });
  };
  y = padLastDims(b, y, negated(window.begin), negated(window.end),
                  number(b, 0, dtypeOf(y)));
  return addsBias ? b.add(y, alongAxis(b, bias, 1, rankOf(y))) : y;
}

/// output_padding, a number for each spatial dim.
template <typename Op>
FailureOr<SmallVector<int64_t>> outputPaddingOf(NodeBuilder &b, Op op,
                                                const Window &window) {
  size_t rank = window.rank();
  SmallVector<int64_t> extra =
      intsOf(op.getOutputPadding(), SmallVector<int64_t>(rank, 0));
  if (extra.size() != rank)
    return b.decline() << "expected " << rank
                       << " numbers in output_padding, got " << extra.size();
  if (failed(checkMagnitude(b, "output_padding", extra)))
    return failure();
  return extra;
}

/// ConvTranspose-22: the gradient of Conv with respect to its input; `pads`
/// crop the result and output_padding adds to its end.
FailureOr<Value> lowerConvTranspose(onnx::ConvTransposeOp op,
                                    onnx::ConvTransposeOp::Adaptor in,
                                    NodeBuilder &b) {
  FailureOr<Window> window = windowOfConv(op, in.getX(), in.getW(), b);
  if (failed(window))
    return failure();
  FailureOr<SmallVector<int64_t>> extra = outputPaddingOf(b, op, *window);
  if (failed(extra) || failed(cropsOf(b, op, in.getX(), *extra, *window)))
    return failure();
  return transposedConvolution(b, in.getX(), in.getW(), in.getB(), *window,
                               *extra, op.getGroup());
}

/// ConvTransposeWithDynamicPads: ConvTranspose whose pads are an input
FailureOr<Value> lowerConvTransposeWithDynamicPads(
    onnx::MicrosoftConvTransposeWithDynamicPadsOp op,
    onnx::MicrosoftConvTransposeWithDynamicPadsOp::Adaptor in, NodeBuilder &b) {
  if (op.getAutoPad() != "NOTSET")
    return b.decline() << "expected auto_pad to be NOTSET, got '"
                       << op.getAutoPad() << "'";
  FailureOr<SmallVector<int64_t>> kernel = kernelOf(b, in.getW());
  if (failed(kernel))
    return failure();
  WindowAttributes attributes = {
      op.getKernelShape(), op.getStrides(), op.getDilations(),
      std::nullopt,        "NOTSET",        /*ceilMode=*/false};
  FailureOr<Window> window = windowOf(b, in.getX(), attributes, *kernel);
  if (failed(window))
    return failure();
  FailureOr<SmallVector<int64_t>> extra = outputPaddingOf(b, op, *window);
  if (failed(extra))
    return failure();
  if (isPresent(in.getPads())) {
    FailureOr<SmallVector<Value>> pads = b.ints(in.getPads());
    size_t rank = window->rank();
    if (failed(pads) || pads->size() != 2 * rank)
      return b.decline() << "expected " << 2 * rank << " numbers in Pads, got "
                         << in.getPads().getType();
    window->begin.assign(pads->begin(), pads->begin() + rank);
    window->end.assign(pads->begin() + rank, pads->end());
  }
  return transposedConvolution(b, in.getX(), in.getW(), in.getB(), *window,
                               *extra, op.getGroup());
}

/// Col2Im-18: the sum of the overlapping blocks of an image, one column each.
/// That is a transposed convolution whose filter k is one at tap k.
FailureOr<Value> lowerCol2Im(onnx::Col2ImOp op, onnx::Col2ImOp::Adaptor in,
                             NodeBuilder &b) {
  Value columns = in.getInput();
  FailureOr<SmallVector<int64_t>> block =
      knownInts(b, in.getBlockShape(), "block_shape");
  FailureOr<SmallVector<Value>> image = b.ints(in.getImageShape());
  if (failed(block))
    return failure();
  int64_t rank = block->size();
  if (failed(image) || static_cast<int64_t>(image->size()) != rank ||
      rankOf(columns) != 3 || rank > 3)
    return b.decline() << "expected an input of rank 3 and an image_shape of "
                       << rank << " sizes, at most 3, got " << columns.getType()
                       << " and " << in.getImageShape().getType();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  Window window;
  window.kernel = *block;
  window.strides = intsOf(op.getStrides(), ones);
  window.dilations = intsOf(op.getDilations(), ones);
  SmallVector<int64_t> pads = intsOf(op.getPads(), zeros);
  constexpr int64_t most = 1 << 16;
  for (ArrayRef<int64_t> list :
       {window.kernel, window.strides, window.dilations})
    if (static_cast<int64_t>(list.size()) != rank ||
        llvm::any_of(list, [](int64_t n) { return n < 1 || n > most; }))
      return b.decline() << "expected " << rank << " numbers in [1, " << most
                         << "] in block_shape, strides and dilations";
  if (static_cast<int64_t>(pads.size()) != 2 * rank)
    return b.decline() << "expected " << 2 * rank << " numbers in pads, got "
                       << pads.size();
  if (failed(checkMagnitude(b, "pads", pads)))
    return failure();
  int64_t taps = 1;
  for (int64_t size : *block)
    taps *= size;

  Value one = b.constant(1), batch = b.size(columns, 0);
  Value channels = b.floorDivInt(b.size(columns, 1), b.constant(taps));
  SmallVector<Value> blocks = {b.mulInt(batch, channels), b.constant(taps)};
  SmallVector<Value> begin, end, result = {batch, channels};
  for (int64_t dim = 0; dim < rank; ++dim) {
    // (image + pads - reach) / stride + 1 blocks, which reach that far.
    Value reach = b.constant(window.reach(dim));
    Value padded =
        b.addInt((*image)[dim], b.constant(pads[dim] + pads[dim + rank]));
    Value stride = b.constant(window.strides[dim]);
    Value last = b.floorDivInt(b.subInt(padded, reach), stride);
    blocks.push_back(b.addInt(last, one));
    Value whole = b.addInt(b.mulInt(last, stride), reach);
    begin.push_back(b.constant(-pads[dim]));
    end.push_back(
        b.subInt(b.addInt((*image)[dim], b.constant(pads[dim])), whole));
    result.push_back((*image)[dim]);
  }
  // filter[k][0][tap] = (k == tap)
  Type dtype = dtypeOf(columns);
  SmallVector<Value> filter = {b.constant(taps), one};
  for (int64_t size : *block)
    filter.push_back(b.constant(size));
  Value numbers = iota(b, b.constant(0), b.constant(taps));
  Value isOwn = b.create<torch::AtenEqTensorOp>(alongAxis(b, numbers, 0, 2),
                                                alongAxis(b, numbers, 1, 2));
  Value y = b.create<torch::AtenConvolutionOp>(
      b.view(columns, blocks), b.view(b.convert(isOwn, dtype), filter),
      b.none(), b.ints(window.strides),
      b.ints(ArrayRef(zeros).take_front(rank)), b.ints(window.dilations),
      b.constantBool(true), b.ints(ArrayRef(zeros).take_front(rank)), one);
  return b.view(padLastDims(b, y, begin, end, number(b, 0, dtype)), result);
}

} // namespace

void onnx_to_torch::populateConv(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerCausalConvWithState);
  lowerings.add(lowerCol2Im);
  lowerings.add(lowerConv);
  lowerings.add(lowerConvInteger);
  lowerings.add(lowerConvTranspose);
  lowerings.add(lowerConvTransposeWithDynamicPads);
  lowerings.add(lowerFusedConv);
  lowerings.add(lowerMicrosoftCausalConvWithState);
  lowerings.add(lowerMicrosoftQLinearConv);
  lowerings.add(lowerNhwcConv);
  lowerings.add(lowerNhwcFusedConv);
  lowerings.add(lowerQLinearConv);
}
