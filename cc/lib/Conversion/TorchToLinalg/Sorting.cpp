//===- Sorting.cpp - sort and topk to a merge sort ------------------------===//
//
// Each row is sorted by a merge sort of positions, whose runs have a width of
// 1, 2, 4 ... It is stable, and NaN is larger than every number, as in PyTorch.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "IreeOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// Emits the sort of the rows of a [rows, n] tensor.
class RowSort {
public:
  RowSort(LinalgBuilder &b, Value keys, Type dtype, bool descending)
      : b(b), keys(keys), dtype(dtype), descending(descending),
        rows(b.sizes.of(keys, 0)), n(b.sizes.of(keys, 1)) {}

  /// The positions [rows, n] of the elements of each row in order.
  Value positions() {
    return b.isForIree() ? positionsByPasses() : positionsByRows();
  }

private:
  /// Limits the passes over rows of unknown size.
  static constexpr int64_t kMostColumns = int64_t(1) << 31;

  static Value number(LinalgBuilder &b, int64_t value) {
    return b.sizes.toIndex(b.sizes.constant(value));
  }

  //===--------------------------------------------------------------------===//
  // Row by row: runs are merged from one half of a buffer into the other. The
  // buffer and the result have one dim while they are written, because IREE
  // computes a wrong place for an element of more dims.
  //===--------------------------------------------------------------------===//

  Value positionsByRows() {
    Type i64 = b.getBuilder().getI64Type();
    Value order = b.flatten(b.empty({rows, n}, i64));
    Value buffer = b.empty({b.sizes.mul(b.sizes.constant(2), n)}, i64);
    Value sorted =
        b.forEach(rows, {order, buffer},
                  [&](LinalgBuilder &inner, ValueRange row, ValueRange state) {
                    auto [half, sorted] = sortRow(inner, row.front(), state[1]);
                    Value stored =
                        copyRow(inner, sorted, half, state[0], row.front());
                    return SmallVector<Value>{stored, sorted};
                  })
            .front();
    return b.reshape(sorted, {rows, n});
  }

  /// Column `at` of a row of n columns, in one dim.
  Value place(LinalgBuilder &b, Value row, Value at) {
    return b.create<arith::AddIOp>(
        b.create<arith::MulIOp>(row, b.sizes.toIndex(n)), at);
  }

  /// Copies a row of `source` to one of `result`.
  Value copyRow(LinalgBuilder &b, Value source, Value from, Value result,
                Value to) {
    return b
        .forEach(n, result,
                 [&](LinalgBuilder &inner, ValueRange at, ValueRange soFar) {
                   Value position =
                       inner.extract(source, place(inner, from, at.front()));
                   return SmallVector<Value>{inner.create<tensor::InsertOp>(
                       position, soFar.front(), place(inner, to, at.front()))};
                 })
        .front();
  }

  /// Returns the half of the buffer that contains the sorted positions, and the
  /// buffer.
  std::pair<Value, Value> sortRow(LinalgBuilder &b, Value row, Value buffer) {
    Value zero = number(b, 0), one = number(b, 1), two = number(b, 2);
    buffer =
        b.forEach(n, buffer,
                  [&](LinalgBuilder &inner, ValueRange at, ValueRange soFar) {
                    Value position = inner.sizes.toInt(at.front());
                    return SmallVector<Value>{inner.create<tensor::InsertOp>(
                        position, soFar.front(), at.front())};
                  })
            .front();
    Value count = b.sizes.toIndex(n);
    // (half, width, buffer): doubles the width of sorted runs until one is
    // left.
    auto loop = b.create<scf::WhileOp>(
        TypeRange{zero.getType(), one.getType(), buffer.getType()},
        ValueRange{zero, one, buffer},
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          Value goesOn = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::slt, state[1], count);
          scf::ConditionOp::create(builder, loc, goesOn, state);
        },
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          LinalgBuilder inner(builder, loc);
          Value width = state[1],
                other = inner.create<arith::SubIOp>(one, state[0]);
          Value doubled = inner.create<arith::MulIOp>(width, two);
          auto runs = inner.create<scf::ForOp>(
              zero, count, doubled, state[2],
              [&](OpBuilder &nested, Location, Value begin, ValueRange soFar) {
                LinalgBuilder run(nested, loc);
                Value merged = merge(run, row, begin, width, state[0], other,
                                     soFar.front());
                run.create<scf::YieldOp>(merged);
              });
          inner.create<scf::YieldOp>(
              ValueRange{other, doubled, runs.getResult(0)});
        });
    return {loop.getResult(0), loop.getResult(2)};
  }

  /// Merges the runs [begin, begin + width) and [begin + width, begin + 2 *
  /// width).
  Value merge(LinalgBuilder &b, Value row, Value begin, Value width, Value from,
              Value to, Value buffer) {
    Value count = b.sizes.toIndex(n), one = number(b, 1);
    Value last = b.create<arith::SubIOp>(count, one);
    Value middle =
        b.create<arith::MinSIOp>(b.create<arith::AddIOp>(begin, width), count);
    Value end =
        b.create<arith::MinSIOp>(b.create<arith::AddIOp>(middle, width), count);
    auto loop = b.create<scf::ForOp>(
        begin, end, one, ValueRange{buffer, begin, middle},
        [&](OpBuilder &nested, Location loc, Value at, ValueRange state) {
          LinalgBuilder inner(nested, loc);
          Value buffer = state[0], left = state[1], right = state[2];
          // For an exhausted run, a valid position is read and ignored.
          auto candidate = [&](Value at) {
            Value inside = inner.create<arith::MinSIOp>(at, last);
            return inner.extract(buffer, place(inner, from, inside));
          };
          Value leftAt = candidate(left), rightAt = candidate(right);
          auto less = [&](Value a, Value b) {
            return inner.create<arith::CmpIOp>(arith::CmpIPredicate::slt, a, b)
                .getResult();
          };
          Value hasLeft = less(left, middle), hasRight = less(right, end);
          Value rightFirst = inner.create<arith::AndIOp>(
              hasRight, comesBefore(inner, keyAt(inner, row, rightAt),
                                    keyAt(inner, row, leftAt)));
          Value leftIsEmpty = inner.create<arith::XOrIOp>(
              hasLeft, inner.elements(i1(inner)).one());
          Value takesRight =
              inner.create<arith::OrIOp>(leftIsEmpty, rightFirst);
          Value taken =
              inner.create<arith::SelectOp>(takesRight, rightAt, leftAt);
          Value stored = inner.create<tensor::InsertOp>(taken, buffer,
                                                        place(inner, to, at));
          Value step = inner.create<arith::IndexCastUIOp>(
              inner.getBuilder().getIndexType(), takesRight);
          Value nextRight = inner.create<arith::AddIOp>(right, step);
          Value nextLeft = inner.create<arith::AddIOp>(
              left, inner.create<arith::SubIOp>(one, step));
          inner.create<scf::YieldOp>(ValueRange{stored, nextLeft, nextRight});
        });
    return loop.getResult(0);
  }

  //===--------------------------------------------------------------------===//
  // All rows at once: each pass merges all runs of a width, and each element
  // finds its own source.
  //===--------------------------------------------------------------------===//

  Value positionsByPasses() {
    Type i64 = b.getBuilder().getI64Type();
    Value order = b.pointwise({}, {rows, n}, i64,
                              [&](OpBuilder &body, Location loc, ValueRange) {
                                LinalgBuilder inner(body, loc);
                                return inner.sizes.toInt(inner.index(body, 1));
                              });
    // No loop, which IREE would run on the host and compile to wrong numbers
    // for unknown sizes. A pass changes nothing if one run is left.
    std::optional<int64_t> count = known(n);
    int64_t most = count.value_or(kMostColumns);
    if (!count)
      b.checkAtMost(n, b.sizes.constant(most), "at most 2^31 numbers to sort");
    // Passes that do not contain their width as a constant are one kernel.
    Value one = number(b, 1), two = number(b, 2);
    Value width =
        count ? one : b.create<arith::MinSIOp>(b.sizes.toIndex(n), one);
    for (int64_t done = 1; done < most; done *= 2) {
      order = mergeRuns(b, order, width);
      width = b.create<arith::MulIOp>(width, two);
    }
    return order;
  }

  /// Merges each two neighbouring runs of a width. Of the first t elements of
  /// the result, those of the left run are found by bisection: left[i] is one
  /// of them if right[t - 1 - i] does not come before it.
  Value mergeRuns(LinalgBuilder &b, Value order, Value width) {
    Value count = b.sizes.toIndex(n), zero = number(b, 0), one = number(b, 1);
    Value last = b.create<arith::SubIOp>(count, one);
    Value pair = b.create<arith::MulIOp>(width, number(b, 2));
    return b.pointwise(
        {}, {rows, n}, b.getBuilder().getI64Type(),
        [&](OpBuilder &body, Location loc, ValueRange) -> Value {
          LinalgBuilder inner(body, loc);
          auto add = [&](LinalgBuilder &at, Value x, Value y) -> Value {
            return at.create<arith::AddIOp>(x, y);
          };
          auto sub = [&](LinalgBuilder &at, Value x, Value y) -> Value {
            return at.create<arith::SubIOp>(x, y);
          };
          auto min = [&](Value x, Value y) -> Value {
            return inner.create<arith::MinSIOp>(x, y);
          };
          auto less = [&](Value x, Value y) -> Value {
            return inner.create<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
          };
          Value row = inner.index(body, 0), column = inner.index(body, 1);
          Value t = inner.create<arith::RemUIOp>(column, pair);
          Value begin = sub(inner, column, t);
          Value middle = min(add(inner, begin, width), count);
          Value end = min(add(inner, begin, pair), count);
          Value lefts = sub(inner, middle, begin),
                rights = sub(inner, end, middle);
          auto rightFirst = [&](LinalgBuilder &at, Value left, Value right) {
            return comesBefore(at, keyAt(at, row, right), keyAt(at, row, left));
          };
          Value least =
              inner.create<arith::MaxSIOp>(sub(inner, t, rights), zero);
          Value left = firstThat(
              inner, least, min(t, lefts), [&](LinalgBuilder &at, Value i) {
                Value other = sub(at, sub(at, t, one), i);
                return rightFirst(
                    at, at.extract(order, {row, add(at, begin, i)}),
                    at.extract(order, {row, add(at, middle, other)}));
              });
          // For an exhausted run, a valid position is read and ignored.
          auto candidate = [&](Value place) {
            return inner.extract(order, {row, min(place, last)});
          };
          Value right = sub(inner, t, left);
          Value leftAt = candidate(add(inner, begin, left)),
                rightAt = candidate(add(inner, middle, right));
          Value goesRight = inner.create<arith::AndIOp>(
              less(right, rights), rightFirst(inner, leftAt, rightAt));
          return inner.create<arith::SelectOp>(
              less(left, lefts),
              inner.create<arith::SelectOp>(goesRight, rightAt, leftAt),
              rightAt);
        });
  }

  //===--------------------------------------------------------------------===//
  // Keys
  //===--------------------------------------------------------------------===//

  static Type i1(LinalgBuilder &b) { return b.getBuilder().getI1Type(); }

  Value keyAt(LinalgBuilder &b, Value row, Value position) {
    Value column = b.sizes.toIndex(b.sizes.fromInt(position));
    return b.extract(keys, {row, column});
  }

  Value comesBefore(LinalgBuilder &b, Value x, Value y) {
    Elements e = b.elements(dtype);
    Value before =
        e.compare(descending ? Comparison::gt : Comparison::lt, x, y);
    if (!e.isFloat())
      return before;
    // NaN is larger than all numbers, and equal to itself.
    Value nan = e.isNan(descending ? x : y), other = descending ? y : x;
    Value isNumber = e.compare(Comparison::eq, other, other);
    return b.create<arith::OrIOp>(before,
                                  b.create<arith::AndIOp>(nan, isNumber));
  }

  LinalgBuilder &b;
  Value keys;
  Type dtype;
  bool descending;
  Size rows, n;
};

/// The sorted (values, positions) along a dim; only the first `count` if given.
SmallVector<Value> sorted(LinalgBuilder &b, Value self, Type dtype, int64_t dim,
                          bool descending, std::optional<Size> count) {
  Sizes sizes = b.sizes.of(self);
  int64_t rank = sizes.size();
  if (rank == 0) {
    Type i64 =
        IntegerType::get(b.getBuilder().getContext(), 64, IntegerType::Signed);
    return {self, b.filled({}, b.elements(i64).zero())};
  }
  dim = normalDim(dim, rank);

  // Moves the dim last, collapses the others to rows, and reverts this
  // afterwards.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  order.erase(order.begin() + dim);
  order.push_back(dim);
  SmallVector<int64_t> inverse(rank);
  for (auto [place, from] : llvm::enumerate(order))
    inverse[from] = place;
  Value keys = dim == rank - 1 ? self : b.transpose(self, order);
  Sizes keySizes = b.sizes.of(keys);
  Value rows = b.reshape(
      keys, {b.sizes.product(ArrayRef(keySizes).drop_back()), keySizes.back()});
  Value positions = RowSort(b, rows, dtype, descending).positions();
  positions = b.reshape(positions, keySizes);
  if (dim != rank - 1)
    positions = b.transpose(positions, inverse);
  if (count) {
    b.checkAtMost(*count, sizes[dim], "k to be at most the size of the dim");
    sizes[dim] = *count;
    positions = b.slice(positions, Sizes(rank, b.sizes.constant(0)), sizes);
  }
  Value values = b.pointwise(
      positions, typeOf(self).getElementType(),
      [&](OpBuilder &body, Location loc, ValueRange x) -> Value {
        SmallVector<Value> at;
        for (int64_t d : llvm::seq(rank))
          at.push_back(d == dim ? arith::IndexCastOp::create(
                                      body, loc, body.getIndexType(), x.front())
                                : b.index(body, d));
        return tensor::ExtractOp::create(body, loc, self, at);
      });
  return {values, positions};
}

FailureOr<LoweredResults>
lowerSort(AtenSortStableOp op, AtenSortStableOp::Adaptor in, LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  std::optional<bool> descending = matchBool(op.getDescending());
  Type dtype = dtypeOf(op.getSelf());
  if (!dim || !descending)
    return b.decline()
           << "expected a dim and an order that are known while compiling";
  return sorted(b, in.getSelf(), dtype, *dim, *descending, std::nullopt);
}

/// topk: the first k in order, even if the op does not require an order.
FailureOr<LoweredResults> lowerTopk(AtenTopkOp op, AtenTopkOp::Adaptor in,
                                    LinalgBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  std::optional<bool> largest = matchBool(op.getLargest());
  Type dtype = dtypeOf(op.getSelf());
  if (!dim || !largest)
    return b.decline()
           << "expected a dim and an order that are known while compiling";
  Size k = sizeOperand(op.getK(), in.getK(), b);
  return sorted(b, in.getSelf(), dtype, *dim, *largest, k);
}

} // namespace

void torch_to_linalg::populateSorting(LinalgLowerings &lowerings) {
  lowerings.addReal(lowerSort, lowerTopk);
}
