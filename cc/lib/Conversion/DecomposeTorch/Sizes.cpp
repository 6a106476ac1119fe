//===- Sizes.cpp - Sizes and strides as numbers ---------------------------===//
//
// A value has no memory layout: its strides are row-major, its offset is 0.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static Value symSize(AtenSymSizeIntOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  return b.size(op.getSelf(),
                normalDim(*dim, tensorType(op.getSelf()).getRank()));
}

static Value symNumel(AtenSymNumelOp op, TorchBuilder &b) {
  return b.product(b.sizes(op.getSelf()));
}

static Value symStride(AtenSymStrideIntOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  SmallVector<Value> sizes = b.sizes(op.getSelf());
  return b.product(
      ArrayRef(sizes).drop_front(normalDim(*dim, sizes.size()) + 1));
}

static Value symStorageOffset(AtenSymStorageOffsetOp, TorchBuilder &b) {
  return b.constant(0);
}

static Value symIsContiguous(AtenSymIsContiguousOp, TorchBuilder &b) {
  return b.constantBool(true);
}

void populateSizes(Decompositions &decompositions) {
  decompositions.add(symIsContiguous, symNumel, symSize, symStorageOffset,
                     symStride);
}

} // namespace isthmus::decompose_torch
