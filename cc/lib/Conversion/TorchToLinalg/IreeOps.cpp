//===- IreeOps.cpp - Ops of IREE, and loops in its forms ------------------===//

#include "IreeOps.h"
#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;

/// Fills the region of an op of IREE, whose block has an element of `first` and
/// one of `second`; `body` gets both.
static void fillRegion(LinalgBuilder &b, Region &region, Value first,
                       Value second, Combine body) {
  OpBuilder::InsertionGuard guard(b.getBuilder());
  Location loc = b.getLoc();
  Block *block = b.getBuilder().createBlock(
      &region, region.end(),
      {typeOf(first).getElementType(), typeOf(second).getElementType()},
      {loc, loc});
  LinalgBuilder inner(b.getBuilder(), loc);
  inner.create<iree_linalg_ext::YieldOp>(
      body(inner, block->getArgument(0), block->getArgument(1)));
}

Value torch_to_linalg::ireeScatter(LinalgBuilder &b, Value self,
                                   Value positions, Value updates,
                                   Combine combine) {
  Value indices =
      b.reshape(positions, {b.sizes.of(positions, 0), b.sizes.constant(1)});
  auto op = b.create<iree_linalg_ext::ScatterOp>(
      self.getType(), updates, indices, self,
      /*dimension_map=*/ArrayRef<int64_t>{0}, /*unique_indices=*/false);
  fillRegion(b, op.getRegion(), updates, self,
             [&](LinalgBuilder &inner, Value update, Value old) {
               return combine(inner, old, update);
             });
  return op.getResult();
}

Value torch_to_linalg::ireeScan(LinalgBuilder &b, Value self, Value start,
                                int64_t dim, Combine combine) {
  Value init = b.empty(b.sizes.of(self), typeOf(start).getElementType());
  auto op = b.create<iree_linalg_ext::ScanOp>(
      TypeRange{init.getType(), start.getType()}, self, ValueRange{init, start},
      dim, /*inclusive=*/true);
  fillRegion(b, op.getRegion(), start, self, combine);
  // Its second result, the last of all, is `start` for one element (IREE 3.13).
  return op.getResult(0);
}

Value torch_to_linalg::firstThat(
    LinalgBuilder &b, Value begin, Value end,
    llvm::function_ref<Value(LinalgBuilder &, Value)> holds) {
  auto loop = b.create<scf::WhileOp>(
      TypeRange{begin.getType(), end.getType()}, ValueRange{begin, end},
      [&](OpBuilder &builder, Location loc, ValueRange range) {
        Value goesOn = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::slt, range[0], range[1]);
        scf::ConditionOp::create(builder, loc, goesOn, range);
      },
      [&](OpBuilder &builder, Location loc, ValueRange range) {
        LinalgBuilder inner(builder, loc);
        Value one = inner.sizes.toIndex(inner.sizes.constant(1));
        Value middle = inner.create<arith::ShRUIOp>(
            inner.create<arith::AddIOp>(range[0], range[1]), one);
        Value after = inner.create<arith::AddIOp>(middle, one);
        Value isAtMost = holds(inner, middle);
        inner.create<scf::YieldOp>(ValueRange{
            inner.create<arith::SelectOp>(isAtMost, range[0], after),
            inner.create<arith::SelectOp>(isAtMost, middle, range[1])});
      });
  return loop.getResult(0);
}
