//===- Convolution.cpp - Convolutions with a fixed number of dims ---------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The convolution that `build` makes of an input with a batch dim: an input
/// without one is a batch of one.
template <typename Op>
static Value
overBatch(Op op, TorchBuilder &b,
          llvm::function_ref<Value(Value input, int64_t spatial)> build) {
  Value input = op.getInput();
  int64_t rank = tensorType(op.getWeight()).getRank();
  bool isSingle = tensorType(input).getRank() < rank;
  Value result = build(isSingle ? b.unsqueeze(input, 0) : input, rank - 2);
  return result && isSingle ? b.squeeze(result, 0) : result;
}

/// A convolution of channels whose number is known only at run time, each with
/// a filter of its own: a sum over the elements k of the filters,
///   result[n, c, o] = bias[c] + sum over k of
///       input[n, c, o * stride + k * dilation - padding] * weight[c, 0, k]
/// Null if the filters are not of this kind, or large.
template <typename Op>
static Value ofEachChannel(Op op, TorchBuilder &b, Value input,
                           int64_t spatial) {
  constexpr int64_t mostElements = 64;
  if (spatial < 1)
    return {};
  Value filters = op.getWeight();
  ArrayRef<int64_t> sizes = tensorType(filters).getSizes();
  auto window = ConvolutionArguments::read(op->getOperands(),
                                           {/*stride=*/3, /*padding=*/4,
                                            /*dilation=*/5, /*groups=*/{},
                                            /*outputPadding=*/{}},
                                           spatial);
  if (!window || sizes[1] != 1)
    return {};
  ArrayRef<int64_t> kernel = sizes.drop_front(2);
  int64_t elements = 1;
  for (int64_t size : kernel)
    elements = StaticSizes().mul(elements, size);
  auto areFrom = [](int64_t least, ArrayRef<int64_t> numbers) {
    return llvm::all_of(numbers, [=](int64_t number) {
      return number >= least && llvm::isInt<32>(number);
    });
  };
  if (elements < 1 || elements > mostElements || !areFrom(1, window->stride) ||
      !areFrom(1, window->dilation) || !areFrom(0, window->padding))
    return {};
  RuntimeAssertOp::create(b.getBuilder(), b.getLoc(),
                          b.eqInt(b.size(filters, 0), b.size(input, 1)),
                          "expected a filter for each channel");

  SmallVector<int64_t> amounts;
  for (int64_t amount : llvm::reverse(window->padding))
    amounts.append({amount, amount});
  Tensor x(
      b, b.create<AtenConstantPadNdOp>(input, b.ints(amounts), b.constant(0)));
  SmallVector<int64_t> order = allDims(2 + spatial);
  std::swap(order[0], order[1]); // [1, C, k...], which broadcasts over batches
  x = x.widened();
  Tensor weight = Tensor(b, b.permute(filters, order)).as(x.dtype());
  std::optional<Tensor> sum;
  for (int64_t element = 0; element < elements; ++element) {
    Value part = x, factor = weight;
    int64_t rest = element;
    for (int64_t i = spatial - 1; i >= 0; --i) {
      int64_t k = rest % kernel[i], behind = kernel[i] - 1 - k;
      rest /= kernel[i];
      part =
          b.slice(part, 2 + i, b.constant(k * window->dilation[i]),
                  behind ? b.constant(-behind * window->dilation[i]) : Value(),
                  window->stride[i]);
      factor = b.slice(factor, 2 + i, b.constant(k), b.constant(k + 1));
    }
    Tensor product = Tensor(b, part) * Tensor(b, factor);
    sum = sum ? *sum + product : product;
  }
  if (!isNone(op.getBias())) {
    Value bias = op.getBias();
    for (int64_t i = 0; i < spatial; ++i)
      bias = b.unsqueeze(bias, 1 + i);
    sum = *sum + Tensor(b, bias).as(x.dtype());
  }
  return sum->as(tensorType(op).getDtype());
}

/// aten.conv1d, conv2d and conv3d become aten.convolution, whose operands
/// determine the number of dims.
template <typename Op>
static Value convolution(Op op, TorchBuilder &b) {
  return overBatch(op, b, [&](Value input, int64_t spatial) -> Value {
    if (!matchInt(op.getGroups()))
      if (Value result = ofEachChannel(op, b, input, spatial))
        return result;
    return b.create<AtenConvolutionOp>(
        input, op.getWeight(), op.getBias(), op.getStride(), op.getPadding(),
        op.getDilation(), b.constantBool(false),
        b.ints(SmallVector<int64_t>(spatial, 0)), op.getGroups());
  });
}

/// The other operands of aten._convolution choose among libraries.
static Value anyConvolution(Aten_ConvolutionOp op, TorchBuilder &b) {
  return b.create<AtenConvolutionOp>(
      op.getInput(), op.getWeight(), op.getBias(), op.getStride(),
      op.getPadding(), op.getDilation(), op.getTransposed(),
      op.getOutputPadding(), op.getGroups());
}

template <typename Op>
static Value transposed(Op op, TorchBuilder &b) {
  return overBatch(op, b, [&](Value input, int64_t) -> Value {
    return b.create<AtenConvolutionOp>(input, op.getWeight(), op.getBias(),
                                       op.getStride(), op.getPadding(),
                                       op.getDilation(), b.constantBool(true),
                                       op.getOutputPadding(), op.getGroups());
  });
}

/// Named padding: "valid" means none; "same" preserves the sizes and, if the
/// total is odd, has one more element at the end.
template <typename Op>
static Value padded(Op op, TorchBuilder &b, Value input, int64_t spatial) {
  std::optional<StringRef> padding = matchStr(op.getPadding());
  auto dilations = boundedInts(b, op.getDilation(), "dilation");
  ArrayRef<int64_t> kernel =
      tensorType(op.getWeight()).getSizes().drop_front(2);
  if (!dilations)
    return {};
  if (!padding || llvm::any_of(kernel, ShapedType::isDynamic))
    return b.fail("expected padding and kernel sizes that are known while "
                  "compiling");
  if (dilations->size() == 1)
    dilations->assign(spatial, dilations->front());
  SmallVector<int64_t> symmetric(spatial, 0), more;
  bool isEven = true;
  if (*padding == "same")
    for (int64_t dim = spatial - 1; dim >= 0; --dim) {
      int64_t total = StaticSizes().mul((*dilations)[dim], kernel[dim] - 1);
      if (ShapedType::isDynamic(total))
        return b.fail("expected padding of 64 bits, got that of a kernel of " +
                      Twine(kernel[dim]) + " elements");
      symmetric[dim] = total / 2;
      isEven &= total % 2 == 0;
      more.append({0, total % 2});
    }
  if (!isEven)
    input = b.create<AtenConstantPadNdOp>(input, b.ints(more), b.constant(0));
  SmallVector<int64_t> none(spatial, 0);
  return b.create<AtenConvolutionOp>(
      input, op.getWeight(), op.getBias(), op.getStride(), b.ints(symmetric),
      b.ints(*dilations), b.constantBool(false), b.ints(none), op.getGroups());
}
template <typename Op>
static Value withNamedPadding(Op op, TorchBuilder &b) {
  return overBatch(op, b, [&](Value input, int64_t spatial) {
    return padded(op, b, input, spatial);
  });
}

void populateConvolution(Decompositions &decompositions) {
  decompositions.add(
      anyConvolution, withNamedPadding<Aten_ConvolutionModeOp>,
      withNamedPadding<AtenConv1dPaddingOp>,
      withNamedPadding<AtenConv2dPaddingOp>,
      withNamedPadding<AtenConv3dPaddingOp>, convolution<AtenConv1dOp>,
      convolution<AtenConv2dOp>, convolution<AtenConv3dOp>,
      transposed<AtenConvTranspose1dOp>, transposed<AtenConvTranspose2dInputOp>,
      transposed<AtenConvTranspose3dInputOp>);
}

} // namespace isthmus::decompose_torch
