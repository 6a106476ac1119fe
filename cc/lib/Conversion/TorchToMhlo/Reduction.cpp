//===- Reduction.cpp - Reductions and scans to MHLO -----------------------===//

#include "Families.h"
#include "Order.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;
using Direction = hlo::ComparisonDirection;

namespace {

/// Restores the reduced dims, with size 1.
Value keepDims(HloBuilder &b, Value reduced, Value input, Dims dims) {
  Sizes shape = b.sizes.sizesOf(input);
  for (int64_t dim : dims)
    shape[dim] = 1;
  return b.reshape(reduced, shape);
}

/// Sums and products of half precision are accumulated in f32.
Type accumulationType(HloBuilder &b, Type element) {
  return element.isF16() || element.isBF16() ? Type(b.getBuilder().getF32Type())
                                             : element;
}

/// Restores the reduced dims if the op keeps them.
Value finish(HloBuilder &b, Value reduced, Value self,
             const torch::ReductionArguments &arguments) {
  return arguments.keepdim ? keepDims(b, reduced, self, arguments.dims)
                           : reduced;
}

/// The greatest or least element of dims.
template <typename SourceOp, typename ReduceOp>
FailureOr<Value> lowerExtremum(SourceOp op, typename SourceOp::Adaptor in,
                               HloBuilder &b) {
  Value self = in.getSelf();
  auto arguments = torch::ReductionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantReduction;
  constexpr bool isMax = std::is_same_v<ReduceOp, mhlo::MaxOp>;
  Type element = b.elementType(self);
  Value init = isMax ? b.lowest(element) : b.highest(element);
  Value reduced = b.reduce<ReduceOp>(self, init, arguments->dims);
  return finish(b, reduced, self, *arguments);
}

/// The position of the greatest or least element; the first among equals.
template <typename SourceOp, Direction direction>
FailureOr<Value> lowerArgExtremum(SourceOp op, typename SourceOp::Adaptor in,
                                  HloBuilder &b) {
  auto arguments = torch::ArgReductionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantReduction;
  Value self = in.getSelf(), input = self;
  bool isFlat = arguments->isFlat;
  if (isFlat)
    input = b.reshape(self, Sizes{b.sizes.product(b.sizes.sizesOf(self))});
  int64_t place = isFlat ? 0 : arguments->dims.front();
  Type index = b.getBuilder().getI64Type();
  Value places = b.iota(b.sizes.sizesOf(input), place, index);
  Type element = b.elementType(input);
  Value init =
      direction == Direction::GT ? b.lowest(element) : b.highest(element);
  Value reduced =
      b.reduce({input, places}, {init, b.highest(index)}, {place},
               [](HloBuilder &b, ValueRange args) -> SmallVector<Value> {
                 return chooseFirst(b, direction, args);
               })[1];
  return finish(b, reduced, self, *arguments);
}

/// sum(dim, keepdim, dtype).
FailureOr<Value> lowerSum(torch::AtenSumDimIntListOp op,
                          torch::AtenSumDimIntListOp::Adaptor in,
                          HloBuilder &b) {
  Value self = in.getSelf();
  auto arguments = torch::ReductionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantReduction;
  Type element = b.resultType().getElementType();
  Type computed = accumulationType(b, element);
  Value reduced =
      b.reduce<mhlo::AddOp>(b.convert(self, computed),
                            b.scalar(int64_t(0), computed), arguments->dims);
  return finish(b, b.convert(reduced, element), self, *arguments);
}

/// prod(dim, keepdim, dtype), of one dim.
FailureOr<Value> lowerProd(torch::AtenProdDimIntOp op,
                           torch::AtenProdDimIntOp::Adaptor in, HloBuilder &b) {
  Value self = in.getSelf();
  auto arguments = torch::ReductionArguments::read(op);
  if (!arguments)
    return b.decline() << torch::kConstantReduction;
  Type element = b.resultType().getElementType();
  if (b.rank(self) == 0)
    return b.convert(self, element);
  Type computed = accumulationType(b, element);
  Value reduced =
      b.reduce<mhlo::MulOp>(b.convert(self, computed),
                            b.scalar(int64_t(1), computed), arguments->dims);
  return finish(b, b.convert(reduced, element), self, *arguments);
}

/// Windows of the dim's size that end at each element; XLA recognizes these.
template <typename CombineOp>
Value scanWindow(HloBuilder &b, Value self, Value neutral, int64_t dim) {
  SmallVector<int64_t> window(b.rank(self), 1), ones = window;
  SmallVector<int64_t> low(b.rank(self), 0), high = low;
  int64_t size = b.type(self).getDimSize(dim);
  if (size == 0)
    return self;
  window[dim] = size;
  low[dim] = size - 1;
  return b.reduceWindow(self, neutral, window, ones, ones, low, high,
                        HloBuilder::binary<CombineOp>)[0];
}

/// For a dynamic size, since a window's size must be static: combines every
/// element with every other, with the later ones masked out. XLA fuses this
/// into one loop.
template <typename CombineOp>
Value scanMasked(HloBuilder &b, Value self, Value neutral, int64_t dim) {
  // Shape [..., last (dim), element (dim + 1), ...].
  Sizes shape = b.sizes.sizesOf(self);
  shape.insert(shape.begin() + dim, shape[dim]);
  SmallVector<int64_t> dims = dimsUpTo(b.rank(self));
  for (int64_t &d : dims)
    d += d >= dim;
  Type index = b.getBuilder().getI64Type();
  Value isSeen = b.compare(Direction::LE, b.iota(shape, dim + 1, index),
                           b.iota(shape, dim, index));
  Value masked = b.select(isSeen, b.broadcast(self, shape, dims),
                          b.broadcastScalar(neutral, shape));
  return b.reduce<CombineOp>(masked, neutral, {dim + 1});
}

/// result[i] combines self[0] to self[i] along a dim.
template <typename SourceOp, typename CombineOp>
FailureOr<Value> lowerScan(SourceOp op, typename SourceOp::Adaptor in,
                           HloBuilder &b) {
  auto dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  Type element = b.resultType().getElementType();
  Type computed = accumulationType(b, element);
  Value self = b.convert(in.getSelf(), computed);
  if (b.rank(self) == 0)
    return b.convert(self, element);
  int64_t place = torch::normalDim(*dim, b.rank(self));
  constexpr bool isSum = std::is_same_v<CombineOp, mhlo::AddOp>;
  Value neutral = b.scalar(int64_t(isSum ? 0 : 1), computed);
  Value scanned = b.type(self).isDynamicDim(place)
                      ? scanMasked<CombineOp>(b, self, neutral, place)
                      : scanWindow<CombineOp>(b, self, neutral, place);
  return b.convert(scanned, element);
}

} // namespace

void torch_to_mhlo::populateReduction(HloLowerings &lowerings) {
  lowerings.add(lowerArgExtremum<torch::AtenArgmaxOp, Direction::GT>,
                lowerArgExtremum<torch::AtenArgminOp, Direction::LT>,
                lowerExtremum<torch::AtenAmaxOp, mhlo::MaxOp>,
                lowerExtremum<torch::AtenAminOp, mhlo::MinOp>, lowerProd,
                lowerScan<torch::AtenCumprodOp, mhlo::MulOp>,
                lowerScan<torch::AtenCumsumOp, mhlo::AddOp>, lowerSum);
}
