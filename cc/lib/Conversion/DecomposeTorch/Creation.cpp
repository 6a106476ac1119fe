//===- Creation.cpp - Tensors of one value --------------------------------===//

#include "Decompositions.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// aten.full with the given sizes; the layout and the device play no part.
static Value full(TorchBuilder &b, Value sizes, Value number, Type dtype) {
  return b.create<AtenFullOp>(sizes, number, b.dtype(dtype), b.none(), b.none(), b.none());
}

/// The op's result type says what its dtype argument, or its absence, means.
template <int64_t number, typename Op>
static Value filled(Op op, TorchBuilder &b) {
  return full(b, op.getSize(), b.constant(number), tensorType(op).getDtype());
}

static Value fullLike(AtenFullLikeOp op, TorchBuilder &b) {
  return full(b, b.ints(b.sizes(op.getSelf())), op.getFillValue(), tensorType(op).getDtype());
}

static Value zerosLike(AtenZerosLikeOp op, TorchBuilder &b) {
  return full(b, b.ints(b.sizes(op.getSelf())), b.constant(0), tensorType(op).getDtype());
}

void populateCreation(Decompositions &decompositions) {
  decompositions.add(fullLike,
                     filled<1, AtenOnesOp>,
                     filled<0, AtenZerosOp>,
                     zerosLike);
}

} // namespace isthmus::decompose_torch
