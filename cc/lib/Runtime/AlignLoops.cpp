//===- AlignLoops.cpp - Tensors updated in place by loops -----------------===//
//
// An scf.while passes its arguments to its body, and the yielded values of the
// body are its next arguments. MLIR lets both regions share one buffer if a
// tensor is at the same position in all of these lists. If not, it copies the
// tensor twice per iteration; this happens, for example, after a
// canonicalization dropped an earlier argument.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// A permutation of a list: `first`, then the other indices in ascending order.
SmallVector<unsigned> orderWithFirst(ArrayRef<unsigned> first, unsigned count) {
  SmallVector<unsigned> order(first);
  for (unsigned i = 0; i < count; ++i)
    if (!llvm::is_contained(first, i))
      order.push_back(i);
  return order;
}

template <typename Range>
auto inOrder(Range &&values, ArrayRef<unsigned> order) {
  return llvm::map_to_vector(order, [&](unsigned i) { return values[i]; });
}

/// Permutes the arguments of a block.
void reorderArguments(Block &block, ArrayRef<unsigned> order) {
  unsigned count = order.size();
  for (unsigned i : order) {
    BlockArgument old = block.getArgument(i);
    old.replaceAllUsesWith(block.addArgument(old.getType(), old.getLoc()));
  }
  block.eraseArguments(0, count);
}

void align(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  ValueRange handedOn = condition.getArgs();
  // The tensors that reach the body unchanged, by argument number and by
  // position.
  SmallVector<unsigned> taken, given;
  for (auto [place, value] : llvm::enumerate(handedOn))
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == loop.getBeforeBody() &&
        isa<RankedTensorType>(value.getType()) &&
        !llvm::is_contained(taken, argument.getArgNumber())) {
      taken.push_back(argument.getArgNumber());
      given.push_back(place);
    }
  if (taken == given)
    return;
  SmallVector<unsigned> before = orderWithFirst(
                            taken, loop.getBeforeArguments().size()),
                        after = orderWithFirst(given, handedOn.size());

  scf::YieldOp yield = loop.getYieldOp();
  yield.getResultsMutable().assign(inOrder(yield.getResults(), before));
  condition.getArgsMutable().assign(inOrder(handedOn, after));
  reorderArguments(*loop.getBeforeBody(), before);
  reorderArguments(*loop.getAfterBody(), after);

  OpBuilder builder(loop);
  auto aligned = scf::WhileOp::create(builder, loop.getLoc(),
                                      inOrder(loop.getResultTypes(), after),
                                      inOrder(loop.getInits(), before));
  aligned.getBefore().takeBody(loop.getBefore());
  aligned.getAfter().takeBody(loop.getAfter());
  for (auto [place, old] : llvm::enumerate(after))
    loop.getResult(old).replaceAllUsesWith(aligned.getResult(place));
  loop.erase();
}

} // namespace

void isthmus::alignLoops(ModuleOp module) {
  SmallVector<scf::WhileOp> loops;
  module.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  llvm::for_each(loops, align);
}
