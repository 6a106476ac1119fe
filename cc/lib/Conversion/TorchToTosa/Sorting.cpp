//===- Sorting.cpp - ATen sort and topk to TOSA ---------------------------===//
//
// TOSA has no sort. The position of an element in the sorted row is the number
// of elements that precede it, counted by n * n comparisons; a one-hot
// selection then moves each element to its position. The order is stable, and
// NaN is the largest, as in PyTorch.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/SortingOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

/// Rows longer than this would take too many comparisons.
constexpr int64_t longestRow = 4096;

/// True if a precedes b, by value alone.
Value before(Value a, Value y, bool descending, TosaBuilder &b) {
  if (descending)
    std::swap(a, y);
  Value less = b.less(a, y);
  if (!isa<FloatType>(TosaBuilder::elementOf(a)))
    return less;
  return b.logicalOr(less, b.logicalAnd(b.isNan(y), b.logicalNot(b.isNan(a))));
}

/// The first `count` elements of each row of [rows,n] in order, and their
/// positions.
std::pair<Value, Value> ordered(Value x, int64_t count, bool descending,
                                TosaBuilder &b) {
  int64_t rows = TosaBuilder::sizesOf(x)[0], n = TosaBuilder::sizesOf(x)[1];
  Value each = b.reshape(x, {rows, n, 1}), other = b.reshape(x, {rows, 1, n});
  // The elements that precede each: smaller ones, and equal ones to its left.
  Value smaller = before(other, each, descending, b);
  Value larger = before(each, other, descending, b);
  Value equal = b.logicalNot(b.logicalOr(smaller, larger));
  Value left = b.less(b.iota(n, 2, 3), b.iota(n, 1, 3));
  Value goesBefore = b.logicalOr(smaller, b.logicalAnd(equal, left));
  Value rank =
      b.reduce<tosa::ReduceSumOp>(b.cast(goesBefore, b.i32()), 2); // [rows,n,1]
  // At [row,i,k]: true if element i moves to position k.
  Value goesTo = b.equal(rank, b.iota(count, 2, 3));
  Value element = b.select(goesTo, b.tile(b.iota(n, 1, 3), {1, n, 1}),
                           b.splatLike(0, rank));
  Value places =
      b.reshape(b.reduce<tosa::ReduceSumOp>(element, 1), {rows, count});
  return {
      b.reshape(b.gather(b.reshape(x, {rows, n, 1}), places), {rows, count}),
      places};
}

/// Values and positions of the first `count` elements along `dim`, by rows.
FailureOr<LoweredResults> alongDim(Value self, Value x,
                                   std::optional<int64_t> dim,
                                   std::optional<int64_t> count,
                                   std::optional<bool> descending,
                                   TosaBuilder &b) {
  auto type = cast<torch::ValueTensorType>(self.getType());
  if (!dim || !descending || !type.hasStaticShape())
    return b.decline()
           << "expected sizes and a dim that are known while compiling; make "
              "sizes known with --specialize";
  int64_t rank = TosaBuilder::rankOf(x);
  if (rank == 0)
    return LoweredResults{x, b.splat(0, b.i32())};
  Type storage = TosaBuilder::elementOf(x);
  if (!isa<FloatType>(storage))
    x = b.cast(x, b.i32());
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[torch::normalDim(*dim, rank)], order.back());
  x = b.transpose(x, order);
  SmallVector<int64_t> sizes(TosaBuilder::sizesOf(x));
  int64_t n = sizes.back();
  if (n > longestRow)
    return b.decline() << "TOSA has no sort; rows of up to " << longestRow
                       << " elements are ordered by comparing all pairs, got "
                       << n;
  int64_t rows = product(ArrayRef(sizes).drop_back());
  sizes.back() = count.value_or(n);
  auto [values, places] =
      ordered(b.reshape(x, {rows, n}), sizes.back(), *descending, b);
  return LoweredResults{
      b.cast(b.transpose(b.reshape(values, sizes), order), storage),
      b.transpose(b.reshape(places, sizes), order)};
}

FailureOr<LoweredResults> lowerSort(torch::AtenSortStableOp op,
                                    torch::AtenSortStableOp::Adaptor in,
                                    TosaBuilder &b) {
  return alongDim(op.getSelf(), in.getSelf(), torch::matchInt(op.getDim()),
                  std::nullopt, torch::matchBool(op.getDescending()), b);
}

FailureOr<LoweredResults>
lowerTopk(torch::AtenTopkOp op, torch::AtenTopkOp::Adaptor in, TosaBuilder &b) {
  std::optional<int64_t> k = torch::matchInt(op.getK());
  if (!k)
    return b.decline() << "expected a k that is known while compiling";
  return alongDim(op.getSelf(), in.getSelf(), torch::matchInt(op.getDim()), k,
                  torch::matchBool(op.getLargest()), b);
}

} // namespace

void torch_to_tosa::populateSorting(TosaLowerings &lowerings) {
  lowerings.add(lowerSort, lowerTopk);
}
