//===- Sorting.cpp - Ordered results to MHLO ------------------------------===//

#include "Families.h"
#include "Order.h"
#include "isthmus/Dialect/Torch/SortingOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;
using Direction = hlo::ComparisonDirection;

Value torch_to_mhlo::comesBefore(HloBuilder &b, bool descending, Value lhs,
                                 Value rhs) {
  Value before =
      b.compare(descending ? Direction::GT : Direction::LT, lhs, rhs);
  if (!isa<FloatType>(b.elementType(lhs)))
    return before;
  // Ascending, NaN comes after all numbers; descending, before them.
  Value nan = descending ? lhs : rhs, number = descending ? rhs : lhs;
  Value nanDecides = b.create<mhlo::AndOp>(
      b.isNan(nan), b.create<mhlo::NotOp>(b.isNan(number)));
  return b.create<mhlo::OrOp>(before, nanDecides);
}

SmallVector<Value> torch_to_mhlo::chooseFirst(HloBuilder &b,
                                              Direction direction,
                                              ValueRange args) {
  Value lhs = args[0], lhsPlace = args[1], rhs = args[2], rhsPlace = args[3];
  Value wins = b.compare(direction, lhs, rhs);
  Value ties = b.compare(Direction::EQ, lhs, rhs);
  if (isa<FloatType>(b.elementType(lhs))) {
    Value lhsNan = b.isNan(lhs), rhsNan = b.isNan(rhs);
    wins = b.create<mhlo::OrOp>(
        wins, b.create<mhlo::AndOp>(lhsNan, b.create<mhlo::NotOp>(rhsNan)));
    ties = b.create<mhlo::OrOp>(ties, b.create<mhlo::AndOp>(lhsNan, rhsNan));
  }
  Value isFirst = b.compare(Direction::LT, lhsPlace, rhsPlace);
  Value takesLhs =
      b.create<mhlo::OrOp>(wins, b.create<mhlo::AndOp>(ties, isFirst));
  return {b.select(takesLhs, lhs, rhs), b.select(takesLhs, lhsPlace, rhsPlace)};
}

namespace {

/// Sorted values and their positions; the sort is stable.
SmallVector<Value> sort(HloBuilder &b, Value self, int64_t dim,
                        bool descending) {
  if (b.rank(self) == 0)
    return {self, b.scalar(int64_t(0), b.getBuilder().getI64Type())};
  Value places =
      b.iota(b.sizes.sizesOf(self), dim, b.getBuilder().getI64Type());
  // The declared types of the two results must have the same static sizes.
  places = b.cast(places, b.type(self).clone(b.elementType(places)));
  auto op =
      mhlo::SortOp::create(b.getBuilder(), b.getLoc(), ValueRange{self, places},
                           static_cast<uint64_t>(dim),
                           /*is_stable=*/true);
  Type element = b.elementType(self), place = b.elementType(places);
  b.fillBody(op.getComparator(), {element, element, place, place},
             [&](HloBuilder &b, ValueRange args) -> SmallVector<Value> {
               return {comesBefore(b, descending, args[0], args[1])};
             });
  return llvm::to_vector_of<Value>(op->getResults());
}

FailureOr<LoweredResults> lowerSort(torch::AtenSortStableOp op,
                                    torch::AtenSortStableOp::Adaptor in,
                                    HloBuilder &b) {
  auto dim = torch::matchInt(op.getDim());
  auto descending = torch::matchBool(op.getDescending());
  if (!dim || !descending)
    return b.decline()
           << "expected a dim and an order that are known while compiling";
  Value self = in.getSelf();
  return sort(b, self, torch::normalDim(*dim, b.rank(self)), *descending);
}

/// topk(k, dim, largest, sorted): the first k of all sorted elements.
FailureOr<LoweredResults>
lowerTopk(torch::AtenTopkOp op, torch::AtenTopkOp::Adaptor in, HloBuilder &b) {
  auto dim = torch::matchInt(op.getDim());
  auto largest = torch::matchBool(op.getLargest());
  if (!dim || !largest)
    return b.decline()
           << "expected a dim and an order that are known while compiling";
  Value self = in.getSelf();
  int64_t place = torch::normalDim(*dim, b.rank(self));
  Size k = sizeOfInt(op.getK(), in.getK());
  SmallVector<Value> sorted = sort(b, self, place, /*descending=*/*largest);
  if (b.rank(self) > 0)
    for (Value &value : sorted)
      value = b.sliceDim(value, place, 0, k);
  return sorted;
}

} // namespace

void torch_to_mhlo::populateSorting(HloLowerings &lowerings) {
  lowerings.add(lowerSort, lowerTopk);
}
