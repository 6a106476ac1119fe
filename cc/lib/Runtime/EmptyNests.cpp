//===- EmptyNests.cpp - Nests of loops without iterations -----------------===//
//
// A tensor of sizes [n, 0] has no elements, but a nest of loops over it counts
// to n, and n may be 2^40. So a loop has no iterations if the loops and
// branches in it, which are all that it does, do nothing:
//
//   for i = 0 to n { for j = 0 to m { ... } if c { ... } }
//   for i = 0 to (0 < m or c ? n : 0) { for j = 0 to m { ... } if c { ... } }
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

/// Whether a loop has the results of no iterations also after iterations in
/// which the loops inside have none.
bool keepsItsState(scf::ForOp loop) {
  return llvm::all_of(
      llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()),
      [&](auto each) {
        auto [next, before] = each;
        auto inner = next.template getDefiningOp<scf::ForOp>();
        return next == before ||
               (inner && inner->getParentOp() == loop &&
                inner.getInits()[cast<OpResult>(next).getResultNumber()] ==
                    before);
      });
}

/// Conditions for the body of a loop to do anything, built before the loop from
/// values that are defined outside of it.
class Work {
public:
  explicit Work(scf::ForOp loop) : loop(loop), builder(loop) {}

  /// A condition that holds if the ops of a block do anything: null if they
  /// never do, nullopt if no such condition is known.
  std::optional<Value> of(Block &block) {
    Value any;
    for (Operation &op : block.without_terminator()) {
      std::optional<Value> does = of(op);
      if (!does)
        return std::nullopt;
      any = any && *does
                ? arith::OrIOp::create(builder, loop.getLoc(), any, *does)
            : any ? any
                  : *does;
    }
    return any;
  }

  /// The loops and branches that the conditions are of.
  ArrayRef<Operation *> getOps() const { return ops; }

private:
  std::optional<Value> of(Operation &op) {
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      Value begin = inner.getLowerBound(), end = inner.getUpperBound();
      Value runs;
      if (mayBeEmpty(inner) && isOutside(begin) && isOutside(end))
        runs = arith::CmpIOp::create(builder, loop.getLoc(),
                                     arith::CmpIPredicate::slt, begin, end);
      return both(op, runs,
                  keepsItsState(inner) ? of(*inner.getBody()) : std::nullopt);
    }
    if (auto branch = dyn_cast<scf::IfOp>(op); branch &&
                                               branch->getNumResults() == 0 &&
                                               branch.getElseRegion().empty()) {
      Value condition = branch.getCondition();
      return both(op, isOutside(condition) ? condition : Value(),
                  of(*branch.thenBlock()));
    }
    return isMemoryEffectFree(&op) ? std::optional(Value()) : std::nullopt;
  }

  /// The condition for an op that does what is inside if `runs` holds; a null
  /// `runs` is not known.
  std::optional<Value> both(Operation &op, Value runs,
                            std::optional<Value> inside) {
    if (runs)
      ops.push_back(&op);
    if (!runs || !inside)
      return runs ? std::optional(runs) : inside;
    return *inside ? Value(arith::AndIOp::create(builder, loop.getLoc(), runs,
                                                 *inside))
                   : Value();
  }

  bool isOutside(Value value) { return loop.isDefinedOutsideOfLoop(value); }

  static bool mayBeEmpty(scf::ForOp loop) {
    auto begin = getConstantIntValue(loop.getLowerBound()),
         end = getConstantIntValue(loop.getUpperBound());
    return !begin || !end || *end <= *begin;
  }

  scf::ForOp loop;
  OpBuilder builder;
  SmallVector<Operation *> ops;
};

} // namespace

void isthmus::skipEmptyNests(ModuleOp module) {
  // Those whose conditions a loop around them has.
  llvm::SmallPtrSet<Operation *, 16> checked;
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!keepsItsState(loop))
      return;
    Work work(loop);
    std::optional<Value> any = work.of(*loop.getBody());
    auto isChecked = [&](Operation *op) { return checked.contains(op); };
    if (!any || !*any || llvm::all_of(work.getOps(), isChecked))
      return;
    checked.insert_range(work.getOps());
    OpBuilder builder(loop);
    loop.setUpperBound(arith::SelectOp::create(builder, loop.getLoc(), *any,
                                               loop.getUpperBound(),
                                               loop.getLowerBound()));
  });
}
