//===- Pooling.cpp - ATen pooling to TOSA ---------------------------------===//
//
// TOSA pools two spatial dims. One dim becomes two with a height of 1. Three
// are pooled in two steps: depth first, then height and width, which gives the
// same maximum, and the same average since each window count is a product.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Windows.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

constexpr llvm::StringLiteral kPoolsFloats = "TOSA pools floats, got ";

/// An input of [N,C,H,W] or [N,C,D,H,W] and its windows.
struct Pool {
  Value input;
  SmallVector<Window, 3> windows;
  SmallVector<int64_t, 3> counts;
};

template <typename Op>
Pool makePool(Op op, Value x, torch::PoolingArguments arguments,
              TosaBuilder &b) {
  int64_t spatial = arguments.spatial();
  SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
  arguments.cut(sizes);
  if (static_cast<int64_t>(sizes.size()) == spatial + 1)
    sizes.insert(sizes.begin(), 1);
  Pool pool;
  if (spatial == 1) { // a height of 1
    sizes.insert(sizes.begin() + 2, 1);
    pool.windows.push_back(Window{/*kernel=*/1});
    pool.counts.push_back(1);
  }
  pool.input = b.reshape(x, sizes);
  for (auto [kernel, stride, padding, dilation] :
       llvm::zip_equal(arguments.kernel, arguments.stride, arguments.padding,
                       arguments.dilation))
    pool.windows.push_back({kernel, stride, padding, padding, dilation});
  llvm::append_range(pool.counts, resultSizes(op).take_back(spatial));
  return pool;
}

/// Pools [N,H,W,C], or [N,D,H,W,C] in two steps, with an op over [N,H,W,C].
template <typename Each>
Value pooled(Value x, ArrayRef<Window> windows, Each each, TosaBuilder &b) {
  if (windows.size() == 2)
    return each(x, windows[0], windows[1]);
  SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
  x = b.reshape(x,
                {sizes[0], sizes[1], product({sizes[2], sizes[3]}), sizes[4]});
  x = each(x, windows[0], Window{/*kernel=*/1});
  sizes[1] = TosaBuilder::sizesOf(x)[1];
  x = b.reshape(x,
                {product({sizes[0], sizes[1]}), sizes[2], sizes[3], sizes[4]});
  x = each(x, windows[1], windows[2]);
  ArrayRef<int64_t> plane = TosaBuilder::sizesOf(x);
  return b.reshape(x, {sizes[0], sizes[1], plane[1], plane[2], sizes[4]});
}

/// The sizes of [N,H,W,C] after pooling.
SmallVector<int64_t> pooledSizes(Value x, const Window &height,
                                 const Window &width) {
  SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
  for (auto [dim, window] : {std::pair(1, height), std::pair(2, width)})
    if (!ShapedType::isDynamic(sizes[dim]))
      sizes[dim] =
          (sizes[dim] + window.before + window.after - window.reach()) /
              window.stride +
          1;
  return sizes;
}

Value maxPool2d(Value x, const Window &height, const Window &width,
                TosaBuilder &b) {
  return tosa::MaxPool2dOp::create(
      b.getBuilder(), b.getLoc(),
      b.tensor(pooledSizes(x, height, width), TosaBuilder::elementOf(x)), x,
      b.getBuilder().getDenseI64ArrayAttr({height.kernel, width.kernel}),
      b.getBuilder().getDenseI64ArrayAttr({height.stride, width.stride}),
      b.getBuilder().getDenseI64ArrayAttr(
          {height.before, height.after, width.before, width.after}),
      tosa::NanPropagationModeAttr::get(b.getContext(),
                                        tosa::NanPropagationMode::PROPAGATE));
}

/// Average pooling in which padding does not count.
Value avgPool2d(Value x, const Window &height, const Window &width,
                TosaBuilder &b) {
  Value zero = b.zeroPoint(TosaBuilder::elementOf(x));
  return tosa::AvgPool2dOp::create(
      b.getBuilder(), b.getLoc(),
      b.tensor(pooledSizes(x, height, width), TosaBuilder::elementOf(x)), x,
      zero, zero,
      b.getBuilder().getDenseI64ArrayAttr({height.kernel, width.kernel}),
      b.getBuilder().getDenseI64ArrayAttr({height.stride, width.stride}),
      b.getBuilder().getDenseI64ArrayAttr(
          {height.before, height.after, width.before, width.after}),
      TypeAttr::get(b.f32()));
}

/// Pads the dims after the first by the windows' padding, which is then set to
/// 0.
Value padded(Value x, MutableArrayRef<Window> windows, double value,
             TosaBuilder &b) {
  SmallVector<int64_t> before = {0}, after = {0};
  for (Window &window : windows) {
    before.push_back(std::exchange(window.before, 0));
    after.push_back(std::exchange(window.after, 0));
  }
  before.push_back(0);
  after.push_back(0);
  return b.pad(x, before, after,
               b.splat(value, TosaBuilder::elementOf(x), {1}));
}

/// The elements at tap `tap` of each window along `dim`.
Value tapped(Value x, int64_t dim, const Window &window, int64_t tap,
             int64_t count, TosaBuilder &b) {
  return b.stridedSlice(x, dim, tap * window.dilation, count, window.stride);
}

/// The maximum of every window; channels last. TOSA pools without dilation;
/// dilated windows are the maximum of their taps, dim by dim.
Value maximum(Value x, Pool &pool, TosaBuilder &b) {
  if (llvm::all_of(pool.windows,
                   [](const Window &window) { return window.dilation == 1; }))
    return pooled(
        x, pool.windows,
        [&](Value plane, const Window &height, const Window &width) {
          return maxPool2d(plane, height, width, b);
        },
        b);
  bool isByte = TosaBuilder::elementOf(x).isInteger();
  x = padded(x, pool.windows, isByte ? -128 : -INFINITY, b);
  for (auto [dim, window] : llvm::enumerate(pool.windows)) {
    Value all = tapped(x, dim + 1, window, 0, pool.counts[dim], b);
    for (int64_t tap = 1; tap < window.kernel; ++tap)
      all = b.max(all, tapped(x, dim + 1, window, tap, pool.counts[dim], b));
    x = all;
  }
  return x;
}

bool is8Bits(Type dtype) {
  return dtype.isInteger(8) && torch::isIntegral(dtype);
}

/// 8-bit integers as the i8 that TOSA pools, in the same order; 128 is
/// subtracted from unsigned ones.
Value asPooledBytes(Value x, Type dtype, TosaBuilder &b) {
  return dtype.isUnsignedInteger()
             ? b.cast(b.sub(x, b.splatLike(128, x)), b.getBuilder().getI8Type())
             : x;
}

/// The inverse of asPooledBytes.
Value fromPooledBytes(Value x, Type dtype, TosaBuilder &b) {
  if (!dtype.isUnsignedInteger())
    return x;
  x = b.cast(x, b.i32());
  return b.add(x, b.splatLike(128, x));
}

/// max_pool: padding is never the maximum.
template <typename SourceOp>
FailureOr<Value> lowerMaxPool(SourceOp op, typename SourceOp::Adaptor in,
                              TosaBuilder &b) {
  auto arguments = torch::PoolingArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantWindow;
  Type dtype = dtypeOf(op.getSelf());
  if (!torch::isFloatingPoint(dtype) && !is8Bits(dtype))
    return b.decline() << "TOSA pools floats and bytes, got " << dtype;
  Pool pool = makePool(op, in.getSelf(), *arguments, b);
  Value x = channelsLast(asPooledBytes(pool.input, dtype, b), b);
  if (failed(fit(x, pool.windows, pool.counts, b)))
    return declineDynamic(op.getSelf(), b);
  x = channelsFirst(maximum(x, pool, b), b);
  return fromPooledBytes(x, dtype, b);
}

/// avg_pool: with count_include_pad the padding is part of the input, but the
/// elements that ceil_mode adds after it never count; with divisor_override the
/// divisor is fixed.
template <typename SourceOp>
FailureOr<Value> lowerAvgPool(SourceOp op, typename SourceOp::Adaptor in,
                              TosaBuilder &b) {
  auto arguments = torch::AveragingArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantWindow;
  if (!torch::isFloatingPoint(dtypeOf(op.getSelf())))
    return b.decline() << kPoolsFloats << dtypeOf(op.getSelf());
  std::optional<int64_t> divisor = arguments->divisor;
  Pool pool = makePool(op, in.getSelf(), *arguments, b);
  Value x = channelsLast(pool.input, b);
  if (arguments->countIncludePad && !divisor)
    x = padded(x, pool.windows, 0, b);
  if (failed(fit(x, pool.windows, pool.counts, b)))
    return declineDynamic(op.getSelf(), b);
  if (divisor)
    x = padded(x, pool.windows, 0, b);
  x = pooled(
      x, pool.windows,
      [&](Value plane, const Window &height, const Window &width) {
        return avgPool2d(plane, height, width, b);
      },
      b);
  if (divisor) {
    double taps = 1;
    for (const Window &window : pool.windows)
      taps *= window.kernel;
    x = b.mul(x, b.splatLike(taps / *divisor, x));
  }
  return channelsFirst(x, b);
}

/// The largest element of each window along `dim`, and its place: of equal
/// elements the first, of NaN the last.
std::pair<Value, Value> largestAlong(Value x, Value places, int64_t dim,
                                     const Window &window, int64_t count,
                                     TosaBuilder &b) {
  Value best = tapped(x, dim, window, 0, count, b);
  Value place = tapped(places, dim, window, 0, count, b);
  for (int64_t tap = 1; tap < window.kernel; ++tap) {
    Value value = tapped(x, dim, window, tap, count, b);
    Value better = b.logicalOr(b.greater(value, best), b.isNan(value));
    best = b.select(better, value, best);
    place = b.select(better, tapped(places, dim, window, tap, count, b), place);
  }
  return {best, place};
}

/// max_pool2d_with_indices: the maximum of each window, and its position in the
/// input's plane. Along rows first and then down, so that of equal elements the
/// first in a window is taken.
FailureOr<LoweredResults>
lowerMaxPoolWithIndices(torch::AtenMaxPool2dWithIndicesOp op,
                        torch::AtenMaxPool2dWithIndicesOp::Adaptor in,
                        TosaBuilder &b) {
  auto arguments = torch::PoolingArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantWindow;
  if (!torch::isFloatingPoint(dtypeOf(op.getSelf())))
    return b.decline() << kPoolsFloats << dtypeOf(op.getSelf());
  Pool pool = makePool(op, in.getSelf(), *arguments, b);
  Value x = pool.input;
  if (llvm::is_contained(TosaBuilder::sizesOf(x).drop_front(2),
                         ShapedType::kDynamic))
    return declineDynamic(op.getSelf(), b);

  if (op.getResult1().use_empty()) {
    x = channelsLast(x, b);
    if (failed(fit(x, pool.windows, pool.counts, b)))
      return declineDynamic(op.getSelf(), b);
    return LoweredResults{channelsFirst(maximum(x, pool, b), b), Value()};
  }

  ArrayRef<int64_t> sizes = TosaBuilder::sizesOf(x);
  Value places =
      b.reshape(b.iota(sizes[2] * sizes[3], 0, 1), {1, sizes[2], sizes[3], 1});
  x = channelsLast(x, b);
  Pool of = pool;
  if (failed(fit(x, pool.windows, pool.counts, b)) ||
      failed(fit(places, of.windows, of.counts, b)))
    return declineDynamic(op.getSelf(), b);
  x = padded(x, pool.windows, -INFINITY, b);
  places = padded(places, of.windows, 0, b);

  for (int64_t i : {1, 0})
    std::tie(x, places) =
        largestAlong(x, places, i + 1, pool.windows[i], pool.counts[i], b);
  places = b.tile(places, TosaBuilder::sizesOf(x));
  return LoweredResults{channelsFirst(x, b), channelsFirst(places, b)};
}

} // namespace

void torch_to_tosa::populatePooling(TosaLowerings &lowerings) {
  using namespace torch;
  lowerings.add(lowerAvgPool<AtenAvgPool1dOp>, lowerAvgPool<AtenAvgPool2dOp>,
                lowerAvgPool<AtenAvgPool3dOp>, lowerMaxPool<AtenMaxPool1dOp>,
                lowerMaxPool<AtenMaxPool2dOp>, lowerMaxPool<AtenMaxPool3dOp>,
                lowerMaxPoolWithIndices);
}
