//===- Pooling.cpp - Pooling to reduce_window -----------------------------===//

#include "Families.h"
#include "Order.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// The windows of a pooling op over the last dims of its input.
class Windows {
public:
  /// Fails when an argument is not constant. A list of one number stands for
  /// all dims, an empty stride for the kernel.
  static FailureOr<Windows> match(int64_t spatialRank, Value kernel,
                                  Value stride, Value padding, Value dilation,
                                  Value ceilMode) {
    Windows w;
    std::optional<bool> ceils = torch::matchBool(ceilMode);
    if (!ceils || !matchDims(spatialRank, kernel, w.kernel) ||
        !matchDims(spatialRank, padding, w.padding) ||
        (dilation && !matchDims(spatialRank, dilation, w.dilation)))
      return failure();
    if (!dilation)
      w.dilation.assign(spatialRank, 1);
    auto strides = torch::matchInts(stride);
    if (strides && strides->empty())
      w.stride = w.kernel;
    else if (!matchDims(spatialRank, stride, w.stride))
      return failure();
    w.ceils = *ceils;
    return w;
  }

  /// Reduces every window of the inputs, which are padded by their inits.
  SmallVector<Value> reduce(HloBuilder &b, ArrayRef<Value> inputs,
                            ArrayRef<Value> inits,
                            HloBuilder::Body body) const {
    int64_t rank = b.rank(inputs.front()), lead = rank - kernel.size();
    Sizes low(lead, 0), high(lead, 0);
    for (auto [i, pad] : llvm::enumerate(padding)) {
      low.push_back(pad);
      Size size = b.sizes.sizeOf(inputs.front(), lead + i);
      high.push_back(b.sizes.add(excess(b, size, i), pad));
    }
    return reduce(b, inputs, inits, low, high, body);
  }

  /// How many elements of the input fall in each window, in a tensor that
  /// broadcasts against the result. Padding counts if `includesPadding`, but
  /// not what ceil_mode adds beyond it.
  Value count(HloBuilder &b, Value input, Type elementType,
              bool includesPadding) const {
    int64_t rank = b.rank(input), lead = rank - kernel.size();
    Sizes shape(lead, 1), low(lead, 0), high(lead, 0);
    for (auto [i, pad] : llvm::enumerate(padding)) {
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

  /// Whether every window lies inside the input and its padding, and whether
  /// there is any padding.
  bool areFull() const { return !ceils; }
  bool isPadded() const {
    return llvm::any_of(padding, [](int64_t pad) { return pad != 0; });
  }
  int64_t numElements() const { return llvm::product_of(kernel); }

private:
  static bool matchDims(int64_t spatialRank, Value list,
                        SmallVector<int64_t> &dims) {
    auto ints = torch::matchInts(list);
    if (!ints || ints->empty())
      return false;
    dims = *ints;
    if (dims.size() == 1)
      dims.assign(spatialRank, ints->front());
    return static_cast<int64_t>(dims.size()) == spatialRank;
  }

  /// By how much the last window under ceil_mode reaches beyond the padding.
  Size excess(HloBuilder &b, Size size, size_t i) const {
    if (!ceils)
      return 0;
    SizeArithmetic &a = b.sizes;
    Size places = torch::ceilWindowedSize(a, size, kernel[i], padding[i],
                                          dilation[i], stride[i]);
    Size reach = a.add(a.mul(a.sub(places, 1), stride[i]),
                       dilation[i] * (kernel[i] - 1) + 1);
    return a.max(a.sub(reach, a.add(size, 2 * padding[i])), 0);
  }

  SmallVector<Value> reduce(HloBuilder &b, ValueRange inputs, ValueRange inits,
                            ArrayRef<Size> low, ArrayRef<Size> high,
                            HloBuilder::Body body) const {
    int64_t lead = low.size() - kernel.size();
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
    return llvm::to_vector_of<Value>(
        b.reduceWindow(padded, inits, withLead(kernel), withLead(stride),
                       withLead(dilation), lows, highs, body));
  }

  SmallVector<int64_t> kernel, stride, padding, dilation;
  bool ceils = false;
};

template <typename SourceOp, int64_t spatialRank>
struct MaxPoolLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    FailureOr<Windows> windows =
        Windows::match(spatialRank, op.getKernelSize(), op.getStride(),
                       op.getPadding(), op.getDilation(), op.getCeilMode());
    if (failed(windows))
      return this->decline(op) << "expected constant window arguments";
    Value self = adaptor.getSelf();
    return windows
        ->reduce(b, self, b.lowest(b.elementType(self)),
                 HloBuilder::binary<mhlo::MaxOp>)
        .front();
  }
};

/// The places are those in one channel's plane, row by row.
struct MaxPoolWithIndicesLowering
    : Lowering<torch::AtenMaxPool2dWithIndicesOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(torch::AtenMaxPool2dWithIndicesOp op,
                                Adaptor adaptor,
                                Rewriter &rewriter) const override {
    FailureOr<Windows> windows =
        Windows::match(2, op.getKernelSize(), op.getStride(), op.getPadding(),
                       op.getDilation(), op.getCeilMode());
    if (failed(windows))
      return decline(op) << "expected constant window arguments";
    HloBuilder b(rewriter, op.getLoc());
    Value self = adaptor.getSelf();
    Type index = rewriter.getI64Type();
    Sizes shape = b.sizes.sizesOf(self);
    int64_t rank = shape.size();
    Value row = b.iota(shape, rank - 2, index);
    Value width =
        b.broadcastScalar(b.sizes.materialize(shape[rank - 1]), shape);
    Value place = b.create<mhlo::AddOp>(b.create<mhlo::MulOp>(row, width),
                                        b.iota(shape, rank - 1, index));
    SmallVector<Value> pooled = windows->reduce(
        b, {self, place}, {b.lowest(b.elementType(self)), b.highest(index)},
        [](HloBuilder &b, ValueRange args) -> SmallVector<Value> {
          return chooseFirst(b, hlo::ComparisonDirection::GT, args);
        });
    for (auto [value, original] : llvm::zip_equal(pooled, op->getResults()))
      value =
          b.cast(value, getTypeConverter()->convertType(original.getType()));
    rewriter.replaceOp(op, pooled);
    return success();
  }
};

/// The sum of a window over the number of elements that count.
template <typename SourceOp, int64_t spatialRank>
struct AvgPoolLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    FailureOr<Windows> windows = Windows::match(
        spatialRank, op.getKernelSize(), op.getStride(), op.getPadding(),
        /*dilation=*/{}, op.getCeilMode());
    auto includesPadding = torch::matchBool(op.getCountIncludePad());
    if (failed(windows) || !includesPadding)
      return this->decline(op) << "expected constant window arguments";
    Type element = this->resultType(op).getElementType();
    Type computed = element.isF16() || element.isBF16()
                        ? Type(b.getBuilder().getF32Type())
                        : element;
    Value self = b.convert(adaptor.getSelf(), computed);
    Value sum = windows
                    ->reduce(b, self, b.scalar(0.0, computed),
                             HloBuilder::binary<mhlo::AddOp>)
                    .front();
    Value count;
    if (std::optional<int64_t> divisor = divisorOverride(op))
      count = b.fullLike(*divisor, sum);
    else if (windows->areFull() && (*includesPadding || !windows->isPadded()))
      count = b.fullLike(windows->numElements(), sum);
    else
      count = b.broadcastTo(windows->count(b, self, computed, *includesPadding),
                            b.sizes.sizesOf(sum));
    return b.convert(b.create<mhlo::DivOp>(sum, count), element);
  }

private:
  /// avg_pool1d has no divisor_override.
  static std::optional<int64_t> divisorOverride(SourceOp op) {
    if constexpr (spatialRank == 1)
      return std::nullopt;
    else
      return torch::matchInt(op.getDivisorOverride());
  }
};

} // namespace

void torch_to_mhlo::populatePooling(const TypeConverter &types,
                                    RewritePatternSet &patterns,
                                    UnsupportedOps &unsupported) {
  patterns.add<AvgPoolLowering<torch::AtenAvgPool1dOp, 1>,
               AvgPoolLowering<torch::AtenAvgPool2dOp, 2>,
               AvgPoolLowering<torch::AtenAvgPool3dOp, 3>,
               MaxPoolLowering<torch::AtenMaxPool1dOp, 1>,
               MaxPoolLowering<torch::AtenMaxPool2dOp, 2>,
               MaxPoolLowering<torch::AtenMaxPool3dOp, 3>,
               MaxPoolWithIndicesLowering>(types, patterns.getContext(),
                                           unsupported);
}
