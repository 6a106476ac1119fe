//===- Pooling.cpp - Pooling to reduce_window -----------------------------===//

#include "Families.h"
#include "Order.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// The windows of a pooling op over the last dims of its input.
class Windows {
public:
  explicit Windows(const torch::PoolingArguments &arguments)
      : arguments(arguments) {}

  /// Reduces every window of the inputs, which are padded by their inits.
  SmallVector<Value> reduce(HloBuilder &b, ArrayRef<Value> inputs,
                            ArrayRef<Value> inits,
                            HloBuilder::Body body) const {
    int64_t rank = b.rank(inputs.front()),
            lead = rank - arguments.kernel.size();
    Sizes low(lead, 0), high(lead, 0);
    for (auto [i, pad] : llvm::enumerate(arguments.padding)) {
      low.push_back(pad);
      Size size = b.sizes.sizeOf(inputs.front(), lead + i);
      high.push_back(b.sizes.add(excess(b, size, i), pad));
    }
    return reduce(b, inputs, inits, low, high, body);
  }

  /// The number of input elements in each window, in a tensor that broadcasts
  /// to the result. Padding counts if `includesPadding`, but not the elements
  /// that ceil_mode adds beyond it.
  Value count(HloBuilder &b, Value input, Type elementType,
              bool includesPadding) const {
    int64_t rank = b.rank(input), lead = rank - arguments.kernel.size();
    Sizes shape(lead, 1), low(lead, 0), high(lead, 0);
    for (auto [i, pad] : llvm::enumerate(arguments.padding)) {
      Size size = b.sizes.sizeOf(input, lead + i);
      int64_t counted = includesPadding ? pad : 0;
      shape.push_back(b.sizes.add(size, 2 * counted));
      low.push_back(pad - counted);
      high.push_back(b.sizes.add(excess(b, size, i), pad - counted));
    }
    return reduce(b, b.full(1.0, shape, elementType),
                  b.scalar(0.0, elementType), low, high,
                  HloBuilder::binary<mhlo::AddOp>)
        .front();
  }

private:
  /// How far the last window under ceil_mode extends beyond the padding.
  Size excess(HloBuilder &b, Size size, size_t i) const {
    if (!arguments.ceilMode)
      return 0;
    SizeArithmetic &a = b.sizes;
    Size places = torch::ceilWindowedSize(
        a, size, arguments.kernel[i], arguments.padding[i],
        arguments.dilation[i], arguments.stride[i]);
    Size reach = a.add(a.mul(a.sub(places, 1), arguments.stride[i]),
                       arguments.dilation[i] * (arguments.kernel[i] - 1) + 1);
    return a.max(a.sub(reach, a.add(size, 2 * arguments.padding[i])), 0);
  }

  SmallVector<Value> reduce(HloBuilder &b, ValueRange inputs, ValueRange inits,
                            ArrayRef<Size> low, ArrayRef<Size> high,
                            HloBuilder::Body body) const {
    int64_t lead = low.size() - arguments.kernel.size();
    auto withLead = [&](Dims dims) {
      SmallVector<int64_t> all(lead, 1);
      llvm::append_range(all, dims);
      return all;
    };
    SmallVector<Value> padded(inputs);
    SmallVector<int64_t> lows(low.size(), 0), highs = lows;
    if (areKnown(high)) {
      for (size_t i = 0; i < low.size(); ++i) {
        lows[i] = low[i].getNumber();
        highs[i] = high[i].getNumber();
      }
    } else {
      for (auto [input, init] : llvm::zip_equal(padded, inits))
        input = b.pad(input, init, low, high);
    }
    return llvm::to_vector_of<Value>(b.reduceWindow(
        padded, inits, withLead(arguments.kernel), withLead(arguments.stride),
        withLead(arguments.dilation), lows, highs, body));
  }

  const torch::PoolingArguments &arguments;
};

template <typename SourceOp>
FailureOr<Value> lowerMaxPool(SourceOp op, typename SourceOp::Adaptor in,
                              HloBuilder &b) {
  auto arguments = torch::PoolingArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantWindow;
  Value self = in.getSelf();
  return Windows(*arguments)
      .reduce(b, self, b.lowest(b.elementType(self)),
              HloBuilder::binary<mhlo::MaxOp>)
      .front();
}

/// Positions are row-major indices into the plane of a channel.
FailureOr<LoweredResults>
lowerMaxPoolWithIndices(torch::AtenMaxPool2dWithIndicesOp op,
                        torch::AtenMaxPool2dWithIndicesOp::Adaptor in,
                        HloBuilder &b) {
  auto arguments = torch::PoolingArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantWindow;
  Value self = in.getSelf();
  Type index = b.getBuilder().getI64Type();
  Sizes shape = b.sizes.sizesOf(self);
  int64_t rank = shape.size();
  Value row = b.iota(shape, rank - 2, index);
  Value width = b.broadcastScalar(b.sizes.materialize(shape[rank - 1]), shape);
  Value place = b.create<mhlo::AddOp>(b.create<mhlo::MulOp>(row, width),
                                      b.iota(shape, rank - 1, index));
  return Windows(*arguments)
      .reduce(b, {self, place},
              {b.lowest(b.elementType(self)), b.highest(index)},
              [](HloBuilder &b, ValueRange args) -> SmallVector<Value> {
                return chooseFirst(b, hlo::ComparisonDirection::GT, args);
              });
}

/// The sum of a window divided by the number of counted elements.
template <typename SourceOp>
FailureOr<Value> lowerAvgPool(SourceOp op, typename SourceOp::Adaptor in,
                              HloBuilder &b) {
  auto arguments = torch::AveragingArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantWindow;
  Windows windows(*arguments);
  Type element = b.resultType().getElementType();
  Type computed = element.isF16() || element.isBF16()
                      ? Type(b.getBuilder().getF32Type())
                      : element;
  Value self = b.convert(in.getSelf(), computed);
  Value sum = windows
                  .reduce(b, self, b.scalar(0.0, computed),
                          HloBuilder::binary<mhlo::AddOp>)
                  .front();
  // Every window lies inside the input and its padding.
  bool areFull = !arguments->ceilMode;
  bool includesPadding = arguments->countIncludePad;
  Value count;
  if (arguments->divisor)
    count = b.fullLike(*arguments->divisor, sum);
  else if (areFull && (includesPadding || !arguments->isPadded()))
    count = b.fullLike(llvm::product_of(arguments->kernel), sum);
  else
    count = b.broadcastTo(windows.count(b, self, computed, includesPadding),
                          b.sizes.sizesOf(sum));
  return b.convert(b.create<mhlo::DivOp>(sum, count), element);
}

} // namespace

void torch_to_mhlo::populatePooling(HloLowerings &lowerings) {
  lowerings.add(lowerAvgPool<torch::AtenAvgPool1dOp>,
                lowerAvgPool<torch::AtenAvgPool2dOp>,
                lowerAvgPool<torch::AtenAvgPool3dOp>,
                lowerMaxPool<torch::AtenMaxPool1dOp>,
                lowerMaxPool<torch::AtenMaxPool2dOp>,
                lowerMaxPool<torch::AtenMaxPool3dOp>, lowerMaxPoolWithIndices);
}
