//===- Convolution.cpp - ATen convolution to TOSA -------------------------===//
//
// One spatial dim becomes two with a height of 1. Groups become a depthwise
// convolution if each has one input channel (of three dims: one for each plane
// of the kernel), otherwise separate convolutions whose results are
// concatenated. The transposes to and from channels-last cancel between layers
// afterwards. Integers are convolved as bytes, each part of the input with each
// part of the weight.
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"
#include "Families.h"
#include "Windows.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// The common operands and attributes of all forms of a convolution. The
/// tensors are still channels-first.
struct Convolution {
  Value input, weight, bias;
  /// The zero points of the input and of the weight.
  int64_t inputZero = 0, weightZero = 0;
  SmallVector<Window> windows;
  SmallVector<int64_t> outputSizes;
  int64_t groups;

  SmallVector<int64_t> pads() const {
    SmallVector<int64_t> all;
    for (const Window &window : windows)
      all.append({window.before, window.after});
    return all;
  }
  SmallVector<int64_t> strides() const {
    return llvm::map_to_vector(
        windows, [](const Window &window) { return window.stride; });
  }
  SmallVector<int64_t> dilations() const {
    return llvm::map_to_vector(
        windows, [](const Window &window) { return window.dilation; });
  }
};

/// A convolution op over channels-last tensors. The bias has the result's
/// element type.
template <typename Op, typename... Attributes>
Value build(const Convolution &conv, TosaBuilder &b, RankedTensorType type,
            Value x, Value weight, Value bias, Attributes... attributes) {
  Type element = TosaBuilder::elementOf(x);
  Type accumulator = type.getElementType().isInteger() ? b.i32() : b.f32();
  return Op::create(b.getBuilder(), b.getLoc(), type, x, weight, bias,
                    b.zeroPoint(element, conv.inputZero),
                    b.zeroPoint(element, conv.weightZero), attributes...,
                    TypeAttr::get(accumulator),
                    /*local_bound=*/b.getBuilder().getBoolAttr(false));
}

/// The part of a dim that belongs to group `index`.
Value group(Value x, int64_t dim, int64_t index, int64_t groups,
            TosaBuilder &b) {
  int64_t size = TosaBuilder::sizesOf(x)[dim] / groups;
  return b.slice(x, dim, index * size, size);
}

/// Concatenates the convolutions of all groups. `x` is channels-last.
template <typename Each>
Value overGroups(Value x, const Convolution &conv, TosaBuilder &b, Each each) {
  SmallVector<Value> parts;
  for (int64_t index = 0; index < conv.groups; ++index)
    parts.push_back(
        each(group(x, TosaBuilder::rankOf(x) - 1, index, conv.groups, b),
             group(conv.weight, 0, index, conv.groups, b),
             group(conv.bias, 0, index, conv.groups, b)));
  return b.concat(parts, TosaBuilder::rankOf(x) - 1);
}

/// Type of a channels-last result with `channels` channels.
RankedTensorType resultType(const Convolution &conv, int64_t channels,
                            TosaBuilder &b) {
  SmallVector<int64_t> sizes = {conv.outputSizes[0]};
  llvm::append_range(sizes, ArrayRef(conv.outputSizes).drop_front(2));
  sizes.push_back(channels);
  return b.tensor(sizes, TosaBuilder::elementOf(conv.bias));
}

/// A convolution with paddings, strides and dilations, and `channels` output
/// channels.
template <typename Op>
Value build(const Convolution &conv, TosaBuilder &b, int64_t channels, Value x,
            Value weight, Value bias) {
  return build<Op>(conv, b, resultType(conv, channels, b), x, weight, bias,
                   b.getBuilder().getDenseI64ArrayAttr(conv.pads()),
                   b.getBuilder().getDenseI64ArrayAttr(conv.strides()),
                   b.getBuilder().getDenseI64ArrayAttr(conv.dilations()));
}

Value depthwise2D(Value x, const Convolution &conv, TosaBuilder &b) {
  // [C*M,1,KH,KW] -> [C,M,KH,KW] -> [KH,KW,C,M]
  ArrayRef<int64_t> sizes = TosaBuilder::sizesOf(conv.weight);
  Value weight = b.reshape(
      conv.weight, {conv.groups, sizes[0] / conv.groups, sizes[2], sizes[3]});
  weight = b.transpose(weight, {2, 3, 0, 1});
  return build<tosa::DepthwiseConv2DOp>(conv, b, sizes[0], x, weight,
                                        conv.bias);
}

/// A depthwise convolution of three dims, which TOSA lacks: the sum over the
/// planes of the kernel, y[d] = sum of k: plane k * x[d * stride + k *
/// dilation], where the depths are a part of the batch.
Value depthwise3D(Value x, const Convolution &conv, TosaBuilder &b) {
  const Window &depth = conv.windows.front();
  SmallVector<int64_t> before(5, 0), after(5, 0);
  before[1] = depth.before;
  after[1] = depth.after;
  x = b.pad(x, before, after,
            b.splat(conv.inputZero, TosaBuilder::elementOf(x), {1}));

  SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
  int64_t depths = conv.outputSizes[2];
  int64_t batch = ShapedType::isDynamic(sizes[0]) ? ShapedType::kDynamic
                                                  : sizes[0] * depths;
  ArrayRef<int64_t> filter = TosaBuilder::sizesOf(conv.weight);
  Convolution plane = conv;
  plane.windows.erase(plane.windows.begin());
  plane.outputSizes = {batch, conv.outputSizes[1], conv.outputSizes[3],
                       conv.outputSizes[4]};
  Value sum;
  for (int64_t k = 0; k < depth.kernel; ++k) {
    Value planes =
        b.stridedSlice(x, 1, k * depth.dilation, depths, depth.stride);
    plane.weight = b.reshape(b.slice(conv.weight, 2, k, 1),
                             {filter[0], 1, filter[3], filter[4]});
    Value part = depthwise2D(
        b.reshape(planes, {batch, sizes[2], sizes[3], sizes[4]}), plane, b);
    sum = sum ? b.add(sum, part) : part;
    plane.bias = b.splat(0, TosaBuilder::elementOf(conv.bias), {filter[0]});
  }
  return b.reshape(sum, resultType(conv, filter[0], b).getShape());
}

/// A convolution of groups of one input channel. That of three dims is computed
/// in f32 where TOSA rounds each plane to the element type.
Value depthwise(Value x, const Convolution &conv, TosaBuilder &b) {
  if (conv.windows.size() != 3)
    return depthwise2D(x, conv, b);
  Type element = TosaBuilder::elementOf(x);
  if (!isa<FloatType>(element) || element.isF32())
    return depthwise3D(x, conv, b);
  Convolution wide = conv;
  wide.weight = b.cast(conv.weight, b.f32());
  wide.bias = b.cast(conv.bias, b.f32());
  return b.cast(depthwise3D(b.cast(x, b.f32()), wide, b),
                TosaBuilder::elementOf(conv.bias));
}

template <typename Op>
Value grouped(Value x, const Convolution &conv, TosaBuilder &b) {
  int64_t channels = TosaBuilder::sizesOf(conv.weight)[0] / conv.groups;
  return overGroups(x, conv, b, [&](Value input, Value weight, Value bias) {
    return build<Op>(conv, b, channels, input, channelsLast(weight, b), bias);
  });
}

/// A tensor with step - 1 elements of value `zero` between its elements along
/// `dim`.
Value spread(Value x, int64_t dim, int64_t step, int64_t zero, TosaBuilder &b) {
  if (step == 1)
    return x;
  // [..,K,..] -> [..,K,1,..], padded to [..,K,S,..] -> [..,K*S,..], cut after
  // the last element.
  SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x)), rows(sizes);
  rows.insert(rows.begin() + dim + 1, 1);
  SmallVector<int64_t> before(rows.size(), 0), after(rows.size(), 0);
  after[dim + 1] = step - 1;
  Value between = b.splat(zero, TosaBuilder::elementOf(x), {1});
  Value padded = b.pad(b.reshape(x, rows), before, after, between);
  sizes[dim] *= step;
  return b.slice(b.reshape(padded, sizes), dim, 0, sizes[dim] - step + 1);
}

/// tosa.transpose_conv2d: (input - 1) * stride + out_pad + kernel, where
/// out_pad may be as low as 1 - kernel; any further cropping is done by a
/// slice.
Value transposed(Value x, const Convolution &conv, TosaBuilder &b) {
  Value weight = conv.weight;
  SmallVector<int64_t> pads, starts;
  for (auto [dim, window] : llvm::enumerate(conv.windows)) {
    weight = spread(weight, dim + 2, window.dilation, conv.weightZero, b);
    int64_t least = 1 - window.reach();
    pads.append(
        {std::max(-window.before, least), std::max(window.after, least)});
    starts.push_back(pads[2 * dim] + window.before);
  }
  int64_t channels = TosaBuilder::sizesOf(weight)[1];
  SmallVector<int64_t> sizes = {TosaBuilder::sizesOf(x)[0]};
  for (auto [dim, window] : llvm::enumerate(conv.windows))
    sizes.push_back((TosaBuilder::sizesOf(x)[dim + 1] - 1) * window.stride +
                    pads[2 * dim] + pads[2 * dim + 1] + window.reach());
  sizes.push_back(channels);

  Convolution whole = conv;
  whole.weight = weight;
  Value result =
      overGroups(x, whole, b, [&](Value input, Value part, Value bias) {
        // [in,out,KH,KW] -> [out,KH,KW,in]
        return build<tosa::TransposeConv2DOp>(
            conv, b, b.tensor(sizes, TosaBuilder::elementOf(bias)), input,
            b.transpose(part, {1, 2, 3, 0}), bias,
            b.getBuilder().getDenseI64ArrayAttr(pads),
            b.getBuilder().getDenseI64ArrayAttr(conv.strides()));
      });
  SmallVector<int64_t> from = {0}, kept(TosaBuilder::sizesOf(result));
  llvm::append_range(from, starts);
  from.push_back(0);
  for (size_t dim = 0; dim < conv.windows.size(); ++dim)
    kept[dim + 1] = conv.outputSizes[dim + 2];
  return b.slice(result, from, kept);
}

/// Makes a transposed convolution a convolution: of the mirrored kernel with
/// the input `x`, which gets stride - 1 zeros between its elements and an edge
/// of zeros that the kernel overlaps with one tap.
Convolution mirrored(Value &x, const Convolution &conv, TosaBuilder &b) {
  Convolution plain = conv;
  for (auto [i, window] : llvm::enumerate(plain.windows)) {
    int64_t dim = i + 1, edge = window.reach() - 1;
    plain.weight =
        tosa::ReverseOp::create(b.getBuilder(), b.getLoc(),
                                plain.weight.getType(), plain.weight, i + 2);
    x = spread(x, dim, window.stride, conv.inputZero, b);
    window.stride = 1;
    window.before = edge - window.before;
    window.after = edge + window.after;
    // TOSA has no negative padding.
    int64_t cropped = std::max<int64_t>(-window.before, 0),
            rest = std::max<int64_t>(-window.after, 0);
    x = b.slice(x, dim, cropped, TosaBuilder::sizesOf(x)[dim] - cropped - rest);
    window.before += cropped;
    window.after += rest;
  }
  return plain;
}

/// A transposed convolution of three dims, which TOSA lacks.
Value transposed3D(Value x, const Convolution &conv, TosaBuilder &b) {
  Convolution plain = mirrored(x, conv, b);
  int64_t channels = TosaBuilder::sizesOf(conv.weight)[1];
  return overGroups(x, plain, b, [&](Value input, Value weight, Value bias) {
    // [in,out,KD,KH,KW] -> [out,KD,KH,KW,in]
    return build<tosa::Conv3DOp>(plain, b, channels, input,
                                 b.transpose(weight, {1, 2, 3, 4, 0}), bias);
  });
}

/// A transposed convolution of groups of one input channel, as one depthwise
/// convolution instead of one transposed convolution for each channel.
Value transposedDepthwise(Value x, const Convolution &conv, TosaBuilder &b) {
  Convolution plain = mirrored(x, conv, b);
  // [C,M,...] -> [C*M,1,...]
  SmallVector<int64_t> filter(TosaBuilder::sizesOf(plain.weight));
  filter[0] *= filter[1];
  filter[1] = 1;
  plain.weight = b.reshape(plain.weight, filter);
  return depthwise(x, plain, b);
}

/// Adds a spatial dim of size 1 before the only one.
void addHeight(Convolution &conv, TosaBuilder &b) {
  for (Value *tensor : {&conv.input, &conv.weight}) {
    ArrayRef<int64_t> sizes = TosaBuilder::sizesOf(*tensor);
    *tensor = b.reshape(*tensor, {sizes[0], sizes[1], 1, sizes[2]});
  }
  conv.windows.insert(conv.windows.begin(), Window{/*kernel=*/1});
  conv.outputSizes.insert(conv.outputSizes.begin() + 2, 1);
}

/// Whether each group has one input channel. Of three dims, the planes of the
/// kernel must not be more than the groups: each is a convolution.
bool isDepthwise(const Convolution &conv, bool isTransposed) {
  ArrayRef<int64_t> filter = TosaBuilder::sizesOf(conv.weight);
  bool hasOneChannel = isTransposed ? filter[0] == conv.groups : filter[1] == 1;
  return conv.groups > 1 && hasOneChannel &&
         (conv.windows.size() != 3 ||
          conv.windows.front().kernel <= conv.groups);
}

FailureOr<Value> convolve(torch::AtenConvolutionOp op, Convolution conv,
                          bool isTransposed, TosaBuilder &b) {
  if (conv.windows.size() == 1)
    addHeight(conv, b);
  if (isTransposed) {
    if (llvm::is_contained(TosaBuilder::sizesOf(conv.input).drop_front(1),
                           ShapedType::kDynamic))
      return declineDynamic(op.getInput(), b);
    Value x = channelsLast(conv.input, b);
    return channelsFirst(isDepthwise(conv, /*isTransposed=*/true)
                             ? transposedDepthwise(x, conv, b)
                         : conv.windows.size() == 3 ? transposed3D(x, conv, b)
                                                    : transposed(x, conv, b),
                         b);
  }
  Value x = channelsLast(conv.input, b);
  if (failed(fit(x, conv.windows, ArrayRef(conv.outputSizes).drop_front(2), b)))
    return declineDynamic(op.getInput(), b);
  bool is3D = conv.windows.size() == 3;
  bool hasOpenDims = llvm::is_contained(TosaBuilder::sizesOf(x).drop_front(),
                                        ShapedType::kDynamic);
  if (isDepthwise(conv, /*isTransposed=*/false) && !(is3D && hasOpenDims))
    return channelsFirst(depthwise(x, conv, b), b);
  return channelsFirst(is3D ? grouped<tosa::Conv3DOp>(x, conv, b)
                            : grouped<tosa::Conv2DOp>(x, conv, b),
                       b);
}

UnsupportedOps::Reason declineDtype(TosaBuilder &b, Type dtype) {
  return b.decline() << "TOSA convolves floats and quantized i8, got " << dtype;
}

FailureOr<Convolution> readArguments(torch::AtenConvolutionOp op,
                                     torch::AtenConvolutionOp::Adaptor in,
                                     TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  if (torch::isBoolean(dtype))
    return declineDtype(b, dtype);
  Convolution conv;
  conv.input = promoted(b, op.getInput(), in.getInput(), dtype);
  conv.weight = promoted(b, op.getWeight(), in.getWeight(), dtype);
  ArrayRef<int64_t> filter = TosaBuilder::sizesOf(conv.weight);
  int64_t spatial = filter.size() - 2;
  auto arguments = torch::ConvolutionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantWindow;
  if (llvm::is_contained(filter, ShapedType::kDynamic))
    return b.decline() << "expected a weight of known sizes, got "
                       << op.getWeight().getType()
                       << "; make sizes known with --specialize";
  int64_t groups = arguments->groups;
  if (groups < 1 || groups > filter[0])
    return b.decline() << "expected between 1 and " << filter[0]
                       << " groups, got " << groups;
  conv.groups = groups;
  conv.outputSizes.assign(resultSizes(op).begin(), resultSizes(op).end());
  for (int64_t dim = 0; dim < spatial; ++dim) {
    Window window{filter[dim + 2], arguments->stride[dim],
                  arguments->padding[dim], arguments->padding[dim],
                  arguments->dilation[dim]};
    // For a transposed convolution: the number of elements cropped from the
    // end of the output.
    if (arguments->isTransposed)
      window.after = arguments->outputPadding[dim] - window.before;
    conv.windows.push_back(window);
  }
  int64_t channels = arguments->isTransposed ? filter[1] * groups : filter[0];
  conv.bias = torch::isNone(op.getBias())
                  ? b.splat(0, TosaBuilder::elementOf(conv.input), {channels})
                  : promoted(b, op.getBias(), in.getBias(), dtype);
  return conv;
}

FailureOr<Value> lowerConvolution(torch::AtenConvolutionOp op,
                                  torch::AtenConvolutionOp::Adaptor in,
                                  TosaBuilder &b) {
  FailureOr<Convolution> read = readArguments(op, in, b);
  if (failed(read))
    return failure();
  bool isTransposed = *torch::matchBool(op.getTransposed());
  Type dtype = dtypeOf(op.getResult());
  if (torch::isFloatingPoint(dtype))
    return convolve(op, *read, isTransposed, b);
  SmallVector<Bytes, 2> inputs = asBytes(b, read->input),
                        weights = asBytes(b, read->weight);
  if (inputs.empty() || weights.empty())
    return declineDtype(b, dtype);
  Value sum;
  for (const Bytes &input : inputs)
    for (const Bytes &weight : weights) {
      Convolution part = *read;
      part.input = input.x;
      part.inputZero = input.zeroPoint;
      part.weight = weight.x;
      part.weightZero = weight.zeroPoint;
      if (sum)
        part.bias = b.splat(0, b.i32(), TosaBuilder::sizesOf(read->bias));
      FailureOr<Value> result = convolve(op, part, isTransposed, b);
      if (failed(result))
        return failure();
      sum = sum ? b.add(sum, *result) : *result;
    }
  return b.store(sum, dtype);
}

} // namespace

void torch_to_tosa::populateConvolution(TosaLowerings &lowerings) {
  lowerings.add(lowerConvolution);
}
