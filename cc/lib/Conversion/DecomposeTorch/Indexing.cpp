//===- Indexing.cpp - Elements chosen by index tensors --------------------===//

#include "Decompositions.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// embedding(weight [V,E], indices [...]) = weight[indices], of sizes [...,E].
/// The other arguments are about gradients.
static Value embedding(AtenEmbeddingOp op, TorchBuilder &b) {
  Value weight = op.getWeight(), indices = op.getIndices();
  int64_t rank = tensorType(indices).getRank();
  SmallVector<Value> sizes = b.sizes(indices);
  if (rank != 1)
    indices = b.view(indices, b.constant(-1));
  Value rows = b.create<AtenIndexSelectOp>(weight, b.constant(0), indices);
  if (rank == 1)
    return rows;
  sizes.push_back(b.size(weight, 1));
  return b.view(rows, sizes);
}

void populateIndexing(Decompositions &decompositions) {
  decompositions.add(embedding);
}

} // namespace isthmus::decompose_torch
