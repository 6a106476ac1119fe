//===- Creation.cpp - Tensors of one value --------------------------------===//

#include "Decompositions.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// aten.full with the given sizes; the layout and the device play no part.
static Value full(TorchBuilder &b, Value sizes, Value number, Type dtype) {
  return b.create<AtenFullOp>(sizes, number, b.dtype(dtype), b.none(), b.none(),
                              b.none());
}

/// The op's result type says what its dtype argument, or its absence, means.
template <int64_t number, typename Op>
static Value filled(Op op, TorchBuilder &b) {
  return full(b, op.getSize(), b.constant(number), tensorType(op).getDtype());
}

template <int64_t number, typename Op>
static Value filledLike(Op op, TorchBuilder &b) {
  return full(b, b.ints(b.sizes(op.getSelf())), b.constant(number),
              tensorType(op).getDtype());
}

static Value fullLike(AtenFullLikeOp op, TorchBuilder &b) {
  return full(b, b.ints(b.sizes(op.getSelf())), op.getFillValue(),
              tensorType(op).getDtype());
}

static Value fill(AtenFillScalarOp op, TorchBuilder &b) {
  return full(b, b.ints(b.sizes(op.getSelf())), op.getValue(),
              tensorType(op).getDtype());
}

static Value newFull(AtenNewFullOp op, TorchBuilder &b) {
  return full(b, op.getSize(), op.getFillValue(), tensorType(op).getDtype());
}

static Value scalarTensor(AtenScalarTensorOp op, TorchBuilder &b) {
  return full(b, b.ints(ArrayRef<int64_t>()), op.getS(),
              tensorType(op).getDtype());
}

/// start, start + 1, ... below end; the dtype argument is the op's own.
static Value range(TorchBuilder &b, Value start, Value end, Value dtype) {
  return b.create<AtenArangeStartStepOp>(start, end, b.constant(1), dtype,
                                         b.none(), b.none(), b.none());
}

static Value arange(AtenArangeOp op, TorchBuilder &b) {
  return range(b, b.constant(0), op.getEnd(), op.getDtype());
}

static Value arangeStart(AtenArangeStartOp op, TorchBuilder &b) {
  return range(b, op.getStart(), op.getEnd(), op.getDtype());
}

// What an empty tensor holds is undefined: here it is 0, the same in every run.
void populateCreation(Decompositions &decompositions) {
  decompositions.add(
      arange, arangeStart, fill, filled<0, AtenEmptyMemoryFormatOp>,
      filled<0, AtenEmptyStridedOp>, filled<0, AtenNewEmptyOp>,
      filled<0, AtenNewZerosOp>, filled<0, AtenZerosOp>,
      filled<1, AtenNewOnesOp>, filled<1, AtenOnesOp>,
      filledLike<0, AtenEmptyLikeOp>, filledLike<0, AtenZerosLikeOp>,
      filledLike<1, AtenOnesLikeOp>, fullLike, newFull, scalarTensor);
}

} // namespace isthmus::decompose_torch
