//===- Nonzero.cpp - Positions of elements that are not zero --------------===//

#include "Nonzero.h"
#include "IreeOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

/// An i1, for an element.
static Value isNonzero(LinalgBuilder &b, Type dtype, Value element) {
  Elements elements = b.elements(dtype);
  return elements.compare(Comparison::ne, element, elements.zero());
}

/// A loop counts the elements, and a second one writes their positions.
static Value nonzeroInLoops(LinalgBuilder &b, Value self, Type dtype) {
  Sizes sizes = b.sizes.of(self);
  Size zero = b.sizes.constant(0), one = b.sizes.constant(1),
       rank = b.sizes.constant(sizes.size());
  auto isThere = [&](LinalgBuilder &inner, ValueRange at) {
    return isNonzero(inner, dtype, inner.extract(self, at));
  };
  Value count =
      b.forEach(sizes, b.sizes.toIndex(zero),
                [&](LinalgBuilder &inner, ValueRange at, ValueRange so) {
                  Value next = inner.create<arith::AddIOp>(
                      so.front(), inner.sizes.toIndex(one));
                  return SmallVector<Value>{inner.create<arith::SelectOp>(
                      isThere(inner, at), next, so.front())};
                })
          .front();
  // In one dim while they are written, because IREE computes a wrong place for
  // an element of more dims.
  Type i64 = b.getBuilder().getI64Type();
  Value positions = b.empty({b.sizes.mul(Size(count), rank)}, i64);
  Value written =
      b.forEach(sizes, {positions, b.sizes.toIndex(zero)},
                [&](LinalgBuilder &inner, ValueRange at, ValueRange soFar) {
                  auto ifOp = inner.create<scf::IfOp>(
                      isThere(inner, at),
                      [&](OpBuilder &then, Location loc) {
                        LinalgBuilder row(then, loc);
                        Value result = soFar[0], place = soFar[1];
                        Value step = row.sizes.toIndex(one);
                        for (Value index : at) {
                          result = row.create<tensor::InsertOp>(
                              row.sizes.toInt(index), result, place);
                          place = row.create<arith::AddIOp>(place, step);
                        }
                        row.create<scf::YieldOp>(ValueRange{result, place});
                      },
                      [&](OpBuilder &otherwise, Location loc) {
                        scf::YieldOp::create(otherwise, loc, soFar);
                      });
                  return llvm::to_vector_of<Value>(ifOp.getResults());
                })
          .front();
  return b.reshape(written, {count, rank});
}

/// counts[p] is the number of nonzero elements up to p. Row k of the result is
/// the first p where it exceeds k.
static Value nonzeroByCounts(LinalgBuilder &b, Value self, Type dtype) {
  Sizes sizes = b.sizes.of(self);
  Type i64 = b.getBuilder().getI64Type(),
       number = IntegerType::get(i64.getContext(), 64, IntegerType::Signed);
  auto add = [&](LinalgBuilder &inner, Value x, Value y) {
    return inner.elements(number).add(x, y);
  };
  Value flags = b.pointwise(b.flatten(self), i64,
                            [&](OpBuilder &body, Location loc, ValueRange x) {
                              LinalgBuilder inner(body, loc);
                              return inner.create<arith::ExtUIOp>(
                                  i64, isNonzero(inner, dtype, x.front()));
                            });
  Value none = b.filled({}, b.elements(number).zero());
  Value counts = ireeScan(b, flags, none, /*dim=*/0, add);
  auto total = b.create<linalg::ReduceOp>(
      flags, none, ArrayRef<int64_t>{0},
      [&](OpBuilder &body, Location loc, ValueRange x) {
        LinalgBuilder inner(body, loc);
        linalg::YieldOp::create(body, loc, add(inner, x[0], x[1]));
      });
  Size count = b.sizes.fromInt(b.extract(total.getResult(0)));
  Value zero = b.sizes.toIndex(b.sizes.constant(0)),
        end = b.sizes.toIndex(b.sizes.of(flags, 0));
  Value places = b.pointwise(
      {}, {count}, i64, [&](OpBuilder &body, Location loc, ValueRange) {
        LinalgBuilder inner(body, loc);
        Value row = inner.sizes.toInt(inner.index(body, 0));
        return inner.sizes.toInt(firstThat(
            inner, zero, end, [&](LinalgBuilder &step, Value position) {
              return step.elements(number).compare(
                  Comparison::gt, step.extract(counts, position), row);
            }));
      });
  // The coordinates of a place, from the last dim on.
  SmallVector<Value> lengths = llvm::map_to_vector(
      sizes, [&](Size size) { return b.sizes.toIndex(size); });
  Size one = b.sizes.constant(1), rank = b.sizes.constant(sizes.size());
  return b.pointwise(
      b.reshape(places, {count, one}), {count, rank}, i64,
      [&](OpBuilder &body, Location loc, ValueRange x) {
        LinalgBuilder inner(body, loc);
        Value left =
            inner.create<arith::IndexCastOp>(body.getIndexType(), x.front());
        Value column = inner.index(body, 1), result = zero;
        for (int64_t dim : llvm::reverse(llvm::seq<int64_t>(lengths.size()))) {
          Value coordinate = inner.create<arith::RemUIOp>(left, lengths[dim]);
          left = inner.create<arith::DivUIOp>(left, lengths[dim]);
          Value isHere = inner.create<arith::CmpIOp>(
              arith::CmpIPredicate::eq, column,
              inner.sizes.toIndex(inner.sizes.constant(dim)));
          result = inner.create<arith::SelectOp>(isHere, coordinate, result);
        }
        return inner.sizes.toInt(result);
      });
}

Value torch_to_linalg::nonzero(LinalgBuilder &b, Value self, Type dtype) {
  return b.isForIree() ? nonzeroByCounts(b, self, dtype)
                       : nonzeroInLoops(b, self, dtype);
}
