//===- EmptyNests.cpp - Nests of loops without iterations -----------------===//
//
// A tensor of sizes [n, 0] has no elements, but a nest of loops over it counts
// to n, and n may be 2^40. So a loop that does nothing but run others has no
// iterations if one of the others has none:
//
//   for i = 0 to n { for j = 0 to m { ... } }
//   for i = 0 to (0 < m ? n : 0) { for j = 0 to m { ... } }
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// The only loop in the body of a loop that does nothing else, and that has the
/// same results as the other one if the latter has no iterations; null if there
/// is no such loop.
scf::ForOp onlyLoopIn(scf::ForOp loop) {
  scf::ForOp inner;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto next = dyn_cast<scf::ForOp>(op);
    if (next ? bool(inner) : !isMemoryEffectFree(&op))
      return {};
    if (next)
      inner = next;
  }
  if (!inner || !llvm::equal(loop.getYieldedValues(), inner.getResults()) ||
      !llvm::equal(inner.getInits(), loop.getRegionIterArgs()))
    return {};
  return inner;
}

/// Whether a loop may have no iterations, as far as its bounds tell.
bool mayBeEmpty(scf::ForOp loop) {
  auto begin = getConstantIntValue(loop.getLowerBound()),
       end = getConstantIntValue(loop.getUpperBound());
  return !begin || !end || *end <= *begin;
}

} // namespace

void isthmus::skipEmptyNests(ModuleOp module) {
  llvm::SmallPtrSet<Operation *, 16> checked; // in a loop around them
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    for (scf::ForOp inner = onlyLoopIn(loop); inner;
         inner = onlyLoopIn(inner)) {
      Value begin = inner.getLowerBound(), end = inner.getUpperBound();
      if (!mayBeEmpty(inner) || !loop.isDefinedOutsideOfLoop(begin) ||
          !loop.isDefinedOutsideOfLoop(end) || !checked.insert(inner).second)
        continue;
      Value runs = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::slt, begin, end);
      loop.setUpperBound(arith::SelectOp::create(
          builder, loc, runs, loop.getUpperBound(), loop.getLowerBound()));
    }
  });
}
