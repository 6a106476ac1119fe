//===- Creation.cpp - Tensors filled with one value -----------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// aten.full with the given sizes; the layout and the device are ignored.
static Value full(TorchBuilder &b, Value sizes, Value number, Type dtype) {
  return b.create<AtenFullOp>(sizes, number, b.dtype(dtype), b.none(), b.none(),
                              b.none());
}

/// The op's result type gives the dtype, whether or not it has a dtype
/// argument.
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

/// start, start + 1, ... below end, with the op's own dtype argument.
static Value arangeOf(TorchBuilder &b, Value start, Value end, Value dtype) {
  return b.create<AtenArangeStartStepOp>(start, end, b.constant(1), dtype,
                                         b.none(), b.none(), b.none());
}

static Value arange(AtenArangeOp op, TorchBuilder &b) {
  return arangeOf(b, b.constant(0), op.getEnd(), op.getDtype());
}

static Value arangeStart(AtenArangeStartOp op, TorchBuilder &b) {
  return arangeOf(b, op.getStart(), op.getEnd(), op.getDtype());
}

/// 1 where row and column are equal, else 0.
static Value identityMatrix(TorchBuilder &b, Value rows, Value columns,
                            Type dtype) {
  Value zero = b.constant(0);
  Tensor row(b, b.unsqueeze(range(b, zero, rows), 1));
  return (row == range(b, zero, columns)).as(dtype);
}
static Value eye(AtenEyeOp op, TorchBuilder &b) {
  return identityMatrix(b, op.getN(), op.getN(), tensorType(op).getDtype());
}
static Value eyeOfTwo(AtenEyeMOp op, TorchBuilder &b) {
  return identityMatrix(b, op.getN(), op.getM(), tensorType(op).getDtype());
}

/// linspace(start, end, steps) = start + i * (end - start) / (steps - 1), the
/// second half counted from the end.
static Value linspace(AtenLinspaceOp op, TorchBuilder &b) {
  Type own = tensorType(op).getDtype();
  Type dtype = own.isF64() ? own : Type(Float32Type::get(b.getContext()));
  Tensor start = scalar(b, op.getStart(), dtype),
         end = scalar(b, op.getEnd(), dtype),
         steps = scalar(b, op.getSteps(), dtype);
  Tensor place = range(b, b.constant(0), op.getSteps()).as(dtype);
  Tensor last = max(steps - 1, 1), step = (end - start) / last;
  Tensor fromEnd = end - (last - place) * step;
  return where(place < steps * 0.5, start + place * step, fromEnd).as(own);
}

/// histc(x, bins, min, max): the number of elements in each of equal bins; the
/// last bin includes its upper bound. If the bounds are equal, those of x are
/// used.
static Value histc(AtenHistcOp op, TorchBuilder &b) {
  Tensor own(b, op.getSelf());
  Tensor x = Tensor(b, b.view(own, b.constant(-1))).widened();
  std::optional<double> low = matchNumber(op.getMin()),
                        high = matchNumber(op.getMax());
  if (!low || !high)
    return b.fail("expected bounds that are known while compiling");
  Tensor first = x.number(*low), last = x.number(*high);
  if (*low == *high) {
    last = Tensor(b, b.squeeze(largestOver(x, 0), 0));
    first = Tensor(b, b.squeeze(-largestOver(-x, 0), 0));
    Tensor isPoint = first == last;
    first = where(isPoint, first - 1, first);
    last = where(isPoint, last + 1, last);
  }
  Tensor bins = scalar(b, op.getBins(), x.dtype());
  Tensor bin = ((x - first) * bins / (last - first)).apply<AtenFloorOp>();
  bin = where(x == last, bins - 1, bin);
  Tensor each = range(b, b.constant(0), op.getBins()).as(x.dtype());
  Tensor isIn = bin == Tensor(b, b.unsqueeze(each, 1));
  return b.convert(b.sum(isIn, 1, /*keepdim=*/false), own.dtype());
}

// The contents of an empty tensor are undefined: here they are 0, so that every
// run is equal.
void populateCreation(Decompositions &decompositions) {
  decompositions.add(
      arange, arangeStart, eye, eyeOfTwo, fill, filled<0, AtenEmptyPermutedOp>,
      histc, linspace, filled<0, AtenEmptyMemoryFormatOp>,
      filled<0, AtenEmptyStridedOp>, filled<0, AtenNewEmptyOp>,
      filled<0, AtenNewZerosOp>, filled<0, AtenZerosOp>,
      filled<1, AtenNewOnesOp>, filled<1, AtenOnesOp>,
      filledLike<0, AtenEmptyLikeOp>, filledLike<0, AtenZerosLikeOp>,
      filledLike<1, AtenOnesLikeOp>, fullLike, newFull, scalarTensor);
}

} // namespace isthmus::decompose_torch
