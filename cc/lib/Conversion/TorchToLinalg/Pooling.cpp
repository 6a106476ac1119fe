//===- Pooling.cpp - Maxima and averages over windows ---------------------===//
//
// Poolings with one or two spatial dims, a batch and channels are named ops of
// linalg, the others a linalg.generic of the same form:
//   result[..., o] = fold over k of padded[..., o * stride + k * dilation]
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/WindowArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// The sizes of the result.
Sizes pooledSizes(LinalgBuilder &b, Value self, const PoolingArguments &windows,
                  Value result) {
  Sizes sizes = b.sizes.of(self);
  for (int64_t i = 0; i < windows.spatial(); ++i) {
    Size &size = sizes[sizes.size() - windows.spatial() + i];
    int64_t kernel = windows.kernel[i], padding = windows.padding[i];
    int64_t dilation = windows.dilation[i], stride = windows.stride[i];
    size =
        windows.ceilMode
            ? ceilWindowedSize(b.sizes, size, kernel, padding, dilation, stride)
            : windowedSize(b.sizes, size, b.sizes.constant(kernel), padding,
                           padding, dilation, stride);
  }
  refine(sizes, result, b);
  return sizes;
}

/// The input padded to all that windows cover. With ceil_mode, the last window
/// may extend beyond the padding.
Value padded(LinalgBuilder &b, Value self, const PoolingArguments &windows,
             ArrayRef<Size> pooled, Value value) {
  Sizes own = b.sizes.of(self), low(own.size(), b.sizes.constant(0)),
        high = low;
  for (int64_t i = 0; i < windows.spatial(); ++i) {
    size_t dim = own.size() - windows.spatial() + i;
    low[dim] = high[dim] = b.sizes.constant(windows.padding[i]);
    if (!windows.ceilMode)
      continue;
    Size last = b.sizes.mul(b.sizes.sub(pooled[dim], b.sizes.constant(1)),
                            b.sizes.constant(windows.stride[i]));
    int64_t reach = windows.dilation[i] * (windows.kernel[i] - 1) + 1;
    Size end = b.sizes.add(last, b.sizes.constant(reach - windows.padding[i]));
    high[dim] = b.sizes.max(b.sizes.sub(end, own[dim]), b.sizes.constant(0));
  }
  return b.pad(self, low, high, value);
}

/// Folds windows into `inits`; the arguments of `fold` are the element, then
/// the current values.
SmallVector<Value> foldWindows(
    LinalgBuilder &b, Value input, const PoolingArguments &windows,
    ArrayRef<Value> inits,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>
        fold) {
  MLIRContext *context = b.getBuilder().getContext();
  int64_t rank = typeOf(input).getRank(), spatial = windows.spatial();
  SmallVector<AffineExpr> inputAt, windowAt, resultAt;
  for (int64_t dim : llvm::seq(rank)) {
    AffineExpr o = getAffineDimExpr(dim, context);
    resultAt.push_back(o);
    int64_t i = dim - (rank - spatial);
    if (i >= 0) {
      windowAt.push_back(getAffineDimExpr(rank + i, context));
      o = o * windows.stride[i] + windowAt.back() * windows.dilation[i];
    }
    inputAt.push_back(o);
  }
  SmallVector<AffineMap> maps(
      2 + inits.size(), AffineMap::get(rank + spatial, 0, resultAt, context));
  maps[0] = AffineMap::get(rank + spatial, 0, inputAt, context);
  maps[1] = AffineMap::get(rank + spatial, 0, windowAt, context);
  SmallVector<utils::IteratorType> iterators(rank + spatial,
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), rank, utils::IteratorType::parallel);
  // The shape of an unread operand gives the window sizes.
  Value window =
      b.create<tensor::EmptyOp>(windows.kernel, typeOf(input).getElementType());
  auto generic = b.create<linalg::GenericOp>(
      ValueRange(inits).getTypes(), ValueRange{input, window}, inits, maps,
      iterators, [&](OpBuilder &body, Location loc, ValueRange x) {
        SmallVector<Value> elements = {x[0]};
        llvm::append_range(elements, x.drop_front(2));
        linalg::YieldOp::create(body, loc, fold(body, loc, elements));
      });
  return llvm::to_vector_of<Value>(generic.getResults());
}

template <typename Named>
Value namedPool(LinalgBuilder &b, Value input, const PoolingArguments &windows,
                Value init) {
  OpBuilder &builder = b.getBuilder();
  Value window =
      b.create<tensor::EmptyOp>(windows.kernel, typeOf(input).getElementType());
  return b
      .create<Named>(init.getType(), ValueRange{input, window}, init,
                     builder.getI64VectorAttr(windows.stride),
                     builder.getI64VectorAttr(windows.dilation))
      ->getResult(0);
}

/// The sum or the maximum of every window.
template <typename Named1d, typename Named2d,
          Value (Elements::*combine)(Value, Value) const>
Value pool(LinalgBuilder &b, Value input, Type from,
           const PoolingArguments &windows, Value init, Type dtype) {
  bool isBatch = typeOf(input).getRank() == windows.spatial() + 2;
  if (isBatch && !dtype.isUnsignedInteger() && windows.spatial() == 1)
    return namedPool<Named1d>(b, input, windows, init);
  if (isBatch && !dtype.isUnsignedInteger() && windows.spatial() == 2)
    return namedPool<Named2d>(b, input, windows, init);
  return foldWindows(b, input, windows, init,
                     [&](OpBuilder &body, Location loc, ValueRange x) {
                       Elements e(body, loc, dtype);
                       return SmallVector<Value>{
                           (e.*combine)(x[1], e.convert(x[0], from))};
                     })
      .front();
}

/// max_pool: positions outside the input are ignored.
template <typename Op>
FailureOr<Value> lowerMaxPool(Op op, typename Op::Adaptor in,
                              LinalgBuilder &b) {
  auto windows = PoolingArguments::read(op);
  Type dtype = dtypeOf(op.getSelf());
  if (!windows)
    return b.decline() << kConstantWindow;
  windows->cut(typeOf(in.getSelf()).getShape());
  Sizes sizes = pooledSizes(b, in.getSelf(), *windows, op.getResult());
  Value lowest = b.elements(dtype).lowest();
  Value input = padded(b, in.getSelf(), *windows, sizes, lowest);
  return pool<linalg::PoolingNcwMaxOp, linalg::PoolingNchwMaxOp,
              &Elements::max>(b, input, dtype, *windows,
                              b.filled(sizes, lowest), dtype);
}

/// output * stride + tap * dilation - padding
Value place(OpBuilder &body, Location loc, int64_t outputDim, int64_t tapDim,
            int64_t stride, int64_t dilation, int64_t padding) {
  auto scaled = [&](int64_t dim, int64_t by) -> Value {
    Value index = linalg::IndexOp::create(body, loc, dim);
    Value factor = arith::ConstantIndexOp::create(body, loc, by);
    return arith::MulIOp::create(body, loc, index, factor);
  };
  Value sum = arith::AddIOp::create(body, loc, scaled(outputDim, stride),
                                    scaled(tapDim, dilation));
  Value offset = arith::ConstantIndexOp::create(body, loc, padding);
  return arith::SubIOp::create(body, loc, sum, offset);
}

/// The next (best, at) after element x, in any order of the elements; of two
/// NaNs the later one is taken.
SmallVector<Value> step(Elements e, Elements places, Value isInside, Value x,
                        Value here, Value best, Value at) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Value isEqual = e.compare(Comparison::eq, x, best);
  Value isEarlier = places.compare(Comparison::lt, here, at);
  Value takes = arith::AndIOp::create(builder, loc, isEqual, isEarlier);
  takes = arith::OrIOp::create(builder, loc, takes,
                               e.compare(Comparison::gt, x, best));
  takes = arith::OrIOp::create(builder, loc, takes, e.isNan(x));
  takes = arith::AndIOp::create(builder, loc, takes, isInside);
  return {e.select(takes, x, best), e.select(takes, here, at)};
}

/// max_pool2d_with_indices: also the first position of the maximum in the plane
/// of its channel.
FailureOr<LoweredResults>
lowerMaxPoolWithIndices(AtenMaxPool2dWithIndicesOp op,
                        AtenMaxPool2dWithIndicesOp::Adaptor in,
                        LinalgBuilder &b) {
  auto windows = PoolingArguments::read(op);
  Type dtype = dtypeOf(op.getSelf());
  if (!windows)
    return b.decline() << kConstantWindow;
  Value self = in.getSelf();
  windows->cut(typeOf(self).getShape());
  Sizes own = b.sizes.of(self),
        sizes = pooledSizes(b, self, *windows, op.getResult0());
  Value lowest = b.elements(dtype).lowest();
  Value input = padded(b, self, *windows, sizes, lowest);
  Type si64 = IntegerType::get(op.getContext(), 64, IntegerType::Signed);
  Value values = b.filled(sizes, lowest),
        places = b.filled(sizes, b.elements(si64).highest());
  int64_t rank = own.size();
  Value height = b.sizes.toIndex(own[rank - 2]),
        width = b.sizes.toIndex(own[rank - 1]);
  return foldWindows(
      b, input, *windows, {values, places},
      [&](OpBuilder &body, Location loc, ValueRange x) {
        Value row = place(body, loc, rank - 2, rank, windows->stride[0],
                          windows->dilation[0], windows->padding[0]);
        Value column = place(body, loc, rank - 1, rank + 1, windows->stride[1],
                             windows->dilation[1], windows->padding[1]);
        auto isBelow =
            [&](Value at,
                Value size) { // unsigned, so that negative numbers fail
              return arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                           at, size);
            };
        Value isInside = arith::AndIOp::create(body, loc, isBelow(row, height),
                                               isBelow(column, width));
        Value flat = arith::AddIOp::create(
            body, loc, arith::MulIOp::create(body, loc, row, width), column);
        Value here =
            arith::IndexCastOp::create(body, loc, body.getI64Type(), flat);
        return step(Elements(body, loc, dtype), Elements(body, loc, si64),
                    isInside, x[0], here, x[1], x[2]);
      });
}

/// The number of counted positions of the current window: those of [start,
/// start + kernel) inside [0, size), or inside the padding around it.
Value counted(const Elements &e, const PoolingArguments &windows,
              ArrayRef<Value> sizes, int64_t rank, bool countsPadding) {
  OpBuilder &body = e.getBuilder();
  Location loc = e.getLoc();
  auto number = [&](int64_t value) {
    return arith::ConstantIndexOp::create(body, loc, value).getResult();
  };
  Value count;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t padding = windows.padding[i];
    Value output =
        linalg::IndexOp::create(body, loc, rank - windows.spatial() + i);
    Value first =
        arith::MulIOp::create(body, loc, output, number(windows.stride[i]));
    Value start = arith::SubIOp::create(body, loc, first, number(padding));
    Value end =
        arith::AddIOp::create(body, loc, start, number(windows.kernel[i]));
    Value limit = size;
    if (countsPadding)
      limit = arith::AddIOp::create(body, loc, size, number(padding));
    else
      start = arith::MaxSIOp::create(body, loc, start, number(0));
    end = arith::MinSIOp::create(body, loc, end, limit);
    Value length = arith::SubIOp::create(body, loc, end, start);
    count = count ? arith::MulIOp::create(body, loc, count, length).getResult()
                  : length;
  }
  Value integer =
      arith::IndexCastOp::create(body, loc, body.getI64Type(), count);
  return e.convert(
      integer, IntegerType::get(body.getContext(), 64, IntegerType::Signed));
}

/// avg_pool: the sum divided by the number of counted elements: those of the
/// input, with count_include_pad also its padding; or by a given divisor.
template <typename Op>
FailureOr<Value> lowerAvgPool(Op op, typename Op::Adaptor in,
                              LinalgBuilder &b) {
  auto windows = AveragingArguments::read(op);
  if (!windows)
    return b.decline() << kConstantWindow;
  Type dtype = dtypeOf(op.getSelf()), sum = wide(dtype);

  Value self = in.getSelf();
  windows->cut(typeOf(self).getShape());
  Sizes own = b.sizes.of(self),
        sizes = pooledSizes(b, self, *windows, op.getResult());
  Value input = padded(b, self, *windows, sizes, b.elements(dtype).zero());
  Value sums =
      pool<linalg::PoolingNcwSumOp, linalg::PoolingNchwSumOp, &Elements::add>(
          b, input, dtype, *windows, b.filled(sizes, b.elements(sum).zero()),
          sum);

  std::optional<int64_t> divisor = windows->divisor;
  bool isPlain =
      !windows->ceilMode && (windows->countIncludePad || !windows->isPadded());
  if (!divisor && isPlain)
    divisor = ShapedType::getNumElements(windows->kernel);
  SmallVector<Value> ends;
  if (!divisor)
    for (Size size : ArrayRef(own).take_back(windows->spatial()))
      ends.push_back(b.sizes.toIndex(size));
  return b.pointwise(
      sums, elementType(dtype),
      [&](OpBuilder &body, Location loc, ValueRange x) {
        Elements e(body, loc, sum);
        Value count = divisor ? e.integer(*divisor)
                              : counted(e, *windows, ends, own.size(),
                                        windows->countIncludePad);
        return Elements(body, loc, dtype).convert(e.div(x.front(), count), sum);
      });
}

} // namespace

void torch_to_linalg::populatePooling(LinalgLowerings &lowerings) {
  lowerings.add(lowerAvgPool<AtenAvgPool1dOp>, lowerAvgPool<AtenAvgPool2dOp>,
                lowerAvgPool<AtenAvgPool3dOp>, lowerMaxPool<AtenMaxPool1dOp>,
                lowerMaxPool<AtenMaxPool2dOp>, lowerMaxPool<AtenMaxPool3dOp>,
                lowerMaxPoolWithIndices);
}
