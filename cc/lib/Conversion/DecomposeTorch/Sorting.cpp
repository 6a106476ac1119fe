//===- Sorting.cpp - Sorts as stable sorts --------------------------------===//

#include "Decompositions.h"
#include "isthmus/Dialect/Torch/SortingOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// aten.sort does not specify the order of equal elements; all targets keep it.
static Decompositions::Values sort(AtenSortOp op, TorchBuilder &b) {
  auto sorted = b.create<AtenSortStableOp>(op.getSelf(), b.constantBool(true),
                                           op.getDim(), op.getDescending());
  return {sorted.getValues(), sorted.getIndices()};
}

static Value argsort(AtenArgsortOp op, TorchBuilder &b) {
  return b.create<AtenSortOp>(op.getSelf(), op.getDim(), op.getDescending())
      .getIndices();
}

void populateSorting(Decompositions &decompositions) {
  decompositions.add(argsort, sort);
}

} // namespace isthmus::decompose_torch
