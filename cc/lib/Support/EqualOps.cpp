//===- EqualOps.cpp - Ops that compute the same as others -----------------===//

#include "isthmus/Support/EqualOps.h"
#include "isthmus/Support/Prefetch.h"
#include "isthmus/Support/StandIns.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace isthmus;

/// Two tables of this many ops fit in a cache of 1 MB, with their ops.
static constexpr unsigned kRemembered = 4096;

bool EqualOps::EntryInfo::isEqual(const Entry &a, const Entry &b) {
  if (a.hash != b.hash)
    return false;
  if (a.op == b.op || !a.op || !b.op)
    return a.op == b.op;
  return OperationEquivalence::isEquivalentTo(
      a.op, b.op, OperationEquivalence::IgnoreLocations);
}

/// The hash of the properties that equal ops share and most other ops do not.
/// MLIR's hash ignores regions: all branches on one condition would have the
/// same hash.
static llvm::hash_code hashOf(Operation *op) {
  llvm::hash_code hash = OperationEquivalence::computeHash(
      op, OperationEquivalence::directHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
  for (Region &region : op->getRegions()) {
    auto hashOperand = [&](Value value) -> llvm::hash_code {
      return region.isAncestor(value.getParentRegion())
                 ? llvm::hash_code(0)
                 : OperationEquivalence::directHashValue(value);
    };
    for (Operation &nested : region.getOps())
      hash = llvm::hash_combine(
          hash, OperationEquivalence::computeHash(
                    &nested, hashOperand, OperationEquivalence::ignoreHashValue,
                    OperationEquivalence::IgnoreLocations));
  }
  return hash;
}

Operation *EqualOps::find(const Entry &entry) const {
  for (const EqualOps *scope = this; scope; scope = scope->outer)
    for (const Entries *entries : {&scope->recent, &scope->former})
      if (auto found = entries->find(entry); found != entries->end())
        return found->op;
  return nullptr;
}

bool EqualOps::mergeOrErase(Operation *op) {
  if (isOpTriviallyDead(op)) {
    op->erase();
    return true;
  }
  if (op->getNumResults() == 0 || !isMemoryEffectFree(op) ||
      op->hasTrait<OpTrait::IsTerminator>() || usesUpstream())
    return false;
  unsigned hash = hashOf(op);
  Operation *equal = find({op, hash});
  if (recent.size() >= kRemembered) {
    former.swap(recent);
    recent.clear();
  }
  // An op that is found again is remembered for longer.
  recent.insert({equal ? equal : op, hash});
  if (!equal)
    return false;
  op->replaceAllUsesWith(equal);
  op->erase();
  return true;
}

/// True if the regions of an op may not use values from outside: those of a
/// function, and of TOSA's control flow, which has no trait that says so and
/// may not be part of this build.
static bool isIsolated(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return op->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
         name == "tosa.cond_if" || name == "tosa.while_loop";
}

static void mergeNested(Operation *op, const EqualOps *outer) {
  if (isIsolated(op))
    outer = nullptr;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      EqualOps visited(outer);
      for (Operation &nested : llvm::make_early_inc_range(block)) {
        prefetchNext(&nested);
        mergeNested(&nested, &visited);
        visited.mergeOrErase(&nested);
      }
    }
}

void isthmus::mergeEqualOps(Operation *root) {
  if (!usesUpstream())
    return mergeNested(root, nullptr);
  IRRewriter rewriter(root->getContext());
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
}
