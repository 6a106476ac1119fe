//===- Convolution.cpp - Convolutions to linalg's named ops ---------------===//
//
// The input is padded by tensor.pad, the result is initialized with the bias,
// and a named op of linalg computes the convolution. Forms without a named op
// become a linalg.generic of the same structure. Products of f16 and bf16 are
// accumulated in f32.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// A transposed convolution is a convolution over the input with `stride - 1`
/// zeros between its elements, with the flipped filter:
///   filter[f, c, k] = weight[c, f, kernel - 1 - k] in each group
struct Transposition {
  LinalgBuilder &b;
  const ConvolutionArguments &window;

  Value filter(Value weight) {
    Sizes sizes = b.sizes.of(weight), turned = sizes;
    Size outputs = sizes[1],
         inputs = b.sizes.floorDiv(sizes[0], b.sizes.constant(window.groups));
    turned[0] = b.sizes.mul(outputs, b.sizes.constant(window.groups));
    turned[1] = inputs;
    Value outputsPerGroup = b.sizes.toIndex(outputs),
          inputsPerGroup = b.sizes.toIndex(inputs);
    SmallVector<Value> last;
    for (Size kernel : ArrayRef(sizes).drop_front(2))
      last.push_back(b.sizes.toIndex(b.sizes.sub(kernel, b.sizes.constant(1))));
    return b.pointwise(
        {}, turned, typeOf(weight).getElementType(),
        [&](OpBuilder &body, Location loc, ValueRange) -> Value {
          Value f = b.index(body, 0), c = b.index(body, 1);
          Value group = arith::DivUIOp::create(body, loc, f, outputsPerGroup);
          Value first = arith::MulIOp::create(body, loc, group, inputsPerGroup);
          SmallVector<Value> at = {
              arith::AddIOp::create(body, loc, first, c),
              arith::RemUIOp::create(body, loc, f, outputsPerGroup)};
          for (auto [dim, end] : llvm::enumerate(last))
            at.push_back(
                arith::SubIOp::create(body, loc, end, b.index(body, 2 + dim)));
          return tensor::ExtractOp::create(body, loc, weight, at);
        });
  }

  Value input(Value input, Value filter, Value zero) {
    Size one = b.sizes.constant(1), none = b.sizes.constant(0);
    Sizes own = b.sizes.of(input), spread = own, steps(own.size(), one),
          low(own.size(), none);
    Sizes high = low;
    for (int64_t i = 0; i < window.spatial(); ++i) {
      int64_t dim = 2 + i;
      steps[dim] = b.sizes.constant(window.stride[i]);
      spread[dim] =
          b.sizes.add(b.sizes.mul(b.sizes.sub(own[dim], one), steps[dim]), one);
      // dilation * (kernel - 1) - padding on both sides, output padding at the
      // end.
      Size reach = b.sizes.mul(b.sizes.constant(window.dilation[i]),
                               b.sizes.sub(b.sizes.of(filter, dim), one));
      low[dim] = b.sizes.sub(reach, b.sizes.constant(window.padding[i]));
      high[dim] =
          b.sizes.add(low[dim], b.sizes.constant(window.outputPadding[i]));
    }
    if (llvm::all_of(window.stride, [](int64_t stride) { return stride == 1; }))
      return b.pad(input, low, high, zero);
    // One insertion, of which padding beyond the kernel's reach is cut off:
    // IREE 3.13 forgets the steps of an insertion that is padded.
    Sizes whole = spread, first = low, cut = low, kept = spread;
    bool isCut = false;
    for (size_t dim = 2; dim < whole.size(); ++dim) {
      first[dim] = b.sizes.max(low[dim], none);
      Size last = b.sizes.max(high[dim], none);
      whole[dim] = b.sizes.add(b.sizes.add(first[dim], spread[dim]), last);
      kept[dim] = b.sizes.add(b.sizes.add(low[dim], spread[dim]), high[dim]);
      cut[dim] = b.sizes.sub(first[dim], low[dim]);
      isCut |=
          !isKnown(cut[dim], 0) || !isKnown(b.sizes.sub(last, high[dim]), 0);
    }
    input = b.create<tensor::InsertSliceOp>(input, b.filled(whole, zero), first,
                                            own, steps);
    return isCut ? b.slice(input, cut, kept) : input;
  }
};

/// The bias of each channel, broadcast to the result.
Value biased(LinalgBuilder &b, Value bias, ArrayRef<Size> sizes) {
  Sizes aligned(sizes.size() - 1, b.sizes.constant(1));
  aligned.front() = b.sizes.of(bias, 0);
  return b.broadcastTo(b.reshape(bias, aligned), sizes);
}

template <typename Op>
Value named(LinalgBuilder &b, const ConvolutionArguments &window, Value input,
            Value filter, Value init) {
  OpBuilder &builder = b.getBuilder();
  return b
      .create<Op>(init.getType(), ValueRange{input, filter}, init,
                  builder.getI64VectorAttr(window.stride),
                  builder.getI64VectorAttr(window.dilation))
      ->getResult(0);
}

/// Splits `dim` into groups and channels per group.
Sizes grouped(LinalgBuilder &b, Sizes sizes, int64_t dim, int64_t groups) {
  sizes[dim] = b.sizes.floorDiv(sizes[dim], b.sizes.constant(groups));
  sizes.insert(sizes.begin() + dim, b.sizes.constant(groups));
  return sizes;
}

/// result[n, g, f, o] += input[n, g, c, o * stride + k * dilation] *
/// filter[g, f, c, k]
Value groupedGeneric(LinalgBuilder &b, const ConvolutionArguments &window,
                     Value input, Value filter, Value init) {
  MLIRContext *context = b.getBuilder().getContext();
  int64_t spatial = window.spatial(), rank = 4 + 2 * spatial;
  auto dim = [&](int64_t number) { return getAffineDimExpr(number, context); };
  AffineExpr n = dim(0), g = dim(1), f = dim(2), c = dim(3 + spatial);
  SmallVector<AffineExpr> inputAt = {n, g, c}, filterAt = {g, f, c},
                          resultAt = {n, g, f};
  for (int64_t i = 0; i < spatial; ++i) {
    AffineExpr o = dim(3 + i), k = dim(4 + spatial + i);
    inputAt.push_back(o * window.stride[i] + k * window.dilation[i]);
    filterAt.push_back(k);
    resultAt.push_back(o);
  }
  SmallVector<AffineMap> maps = {AffineMap::get(rank, 0, inputAt, context),
                                 AffineMap::get(rank, 0, filterAt, context),
                                 AffineMap::get(rank, 0, resultAt, context)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), 3 + spatial, utils::IteratorType::parallel);
  Type own = typeOf(input).getElementType(),
       sum = typeOf(init).getElementType();
  return b
      .create<linalg::GenericOp>(
          init.getType(), ValueRange{input, filter}, init, maps, iterators,
          [&](OpBuilder &body, Location loc, ValueRange x) {
            Elements e(body, loc, sum);
            Value product = e.mul(e.convert(x[0], own), e.convert(x[1], own));
            linalg::YieldOp::create(body, loc, e.add(x[2], product));
          })
      .getResult(0);
}

Value convolve(LinalgBuilder &b, const ConvolutionArguments &window,
               Value input, Value filter, Value init) {
  int64_t spatial = window.spatial();
  if (window.groups == 1) {
    if (spatial == 1)
      return named<linalg::Conv1DNcwFcwOp>(b, window, input, filter, init);
    if (spatial == 2)
      return named<linalg::Conv2DNchwFchwOp>(b, window, input, filter, init);
    return named<linalg::Conv3DNcdhwFcdhwOp>(b, window, input, filter, init);
  }
  Sizes filterSizes = b.sizes.of(filter);
  if (isKnown(filterSizes[0], window.groups) && isKnown(filterSizes[1], 1)) {
    filterSizes.erase(filterSizes.begin() + 1);
    filter = b.reshape(filter, filterSizes);
    if (spatial == 1)
      return named<linalg::DepthwiseConv1DNcwCwOp>(b, window, input, filter,
                                                   init);
    if (spatial == 2)
      return named<linalg::DepthwiseConv2DNchwChwOp>(b, window, input, filter,
                                                     init);
    return named<linalg::DepthwiseConv3DNcdhwCdhwOp>(b, window, input, filter,
                                                     init);
  }
  Sizes sizes = b.sizes.of(init);
  input = b.reshape(input, grouped(b, b.sizes.of(input), 1, window.groups));
  filter = b.reshape(filter, grouped(b, filterSizes, 0, window.groups));
  init = b.reshape(init, grouped(b, sizes, 1, window.groups));
  Value result =
      spatial == 2
          ? named<linalg::Conv2DNgchwGfchwOp>(b, window, input, filter, init)
          : groupedGeneric(b, window, input, filter, init);
  return b.reshape(result, sizes);
}

/// convolution. Without transposition:
///   result[n, f, o] = bias[f] + sum over c, k of
///       input[n, c, o * stride + k * dilation - padding] * weight[f, c, k]
FailureOr<Value> lowerConvolution(AtenConvolutionOp op,
                                  AtenConvolutionOp::Adaptor in,
                                  LinalgBuilder &b) {
  auto window = ConvolutionArguments::read(op);
  if (!window)
    return b.decline() << kConstantWindow;
  if (window->spatial() < 1 || window->spatial() > 3)
    return b.decline() << "expected 1, 2 or 3 spatial dims, got "
                       << window->spatial();
  Type dtype = dtypeOf(op.getResult());
  if (isComplex(dtype) || isBoolean(dtype))
    return b.decline() << "expected numbers, got " << dtype;

  Value input = in.getInput(), filter = in.getWeight();
  Value zero = b.elements(dtype).zero();
  if (window->isTransposed) {
    Transposition transposition{b, *window};
    filter = transposition.filter(filter);
    input = transposition.input(input, filter, zero);
    window->stride.assign(window->spatial(), 1);
  } else {
    Sizes low(2, b.sizes.constant(0));
    for (int64_t padding : window->padding)
      low.push_back(b.sizes.constant(padding));
    input = b.pad(input, low, low, zero);
  }

  b.checkSame(
      b.sizes.of(input, 1),
      b.sizes.mul(b.sizes.of(filter, 1), b.sizes.constant(window->groups)),
      "as many channels as the filter is for");

  Sizes sizes = {b.sizes.of(input, 0), b.sizes.of(filter, 0)};
  for (int64_t i = 0; i < window->spatial(); ++i) {
    Size kernel = b.sizes.of(filter, 2 + i);
    b.checkAtMost(b.sizes.constant(1), kernel, "a filter with elements");
    sizes.push_back(windowedSize(b.sizes, b.sizes.of(input, 2 + i), kernel, 0,
                                 0, window->dilation[i], window->stride[i]));
  }
  refine(sizes, op.getResult(), b);
  Type sum = wide(dtype);
  Value init =
      torch::isNone(op.getBias())
          ? b.filled(sizes, b.elements(sum).zero())
          : biased(b, b.convert(in.getBias(), dtypeOf(op.getBias()), sum),
                   sizes);
  return b.convert(convolve(b, *window, input, filter, init), sum, dtype);
}

} // namespace

void torch_to_linalg::populateConvolution(LinalgLowerings &lowerings) {
  lowerings.add(lowerConvolution);
}
