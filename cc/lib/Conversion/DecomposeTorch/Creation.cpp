//===- Creation.cpp - Tensors filled with one value -----------------------===//

#include "Decompositions.h"
#include "Matrices.h"
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

static Value eye(AtenEyeOp op, TorchBuilder &b) {
  return identity(b, op.getN(), op.getN(), tensorType(op).getDtype());
}
static Value eyeOfTwo(AtenEyeMOp op, TorchBuilder &b) {
  return identity(b, op.getN(), op.getM(), tensorType(op).getDtype());
}

/// linspace(start, end, steps) = start + i * (end - start) / (steps - 1), the
/// second half counted from the end. The bounds are numbers or tensors of rank
/// 0.
template <typename Op>
static Tensor evenly(Op op, TorchBuilder &b, Type dtype) {
  auto bound = [&](Value value) {
    return isTensor(value.getType()) ? Tensor(b, value).as(dtype)
                                     : scalar(b, value, dtype);
  };
  Tensor start = bound(op.getStart()), end = bound(op.getEnd()),
         steps = scalar(b, op.getSteps(), dtype);
  Tensor place = range(b, b.constant(0), op.getSteps()).as(dtype);
  Tensor last = max(steps - 1, 1), step = (end - start) / last;
  Tensor fromEnd = end - (last - place) * step;
  return where(place < steps * 0.5, start + place * step, fromEnd);
}

template <typename Op>
static Value linspace(Op op, TorchBuilder &b) {
  Type own = tensorType(op).getDtype();
  return evenly(op, b, computedDtype(own)).as(own);
}

/// logspace(start, end, steps, base) = base ^ linspace(start, end, steps)
template <typename Op>
static Value logspace(Op op, TorchBuilder &b) {
  Type own = tensorType(op).getDtype(), dtype = computedDtype(own);
  return scalar(b, op.getBase(), dtype)
      .template apply<AtenPowTensorTensorOp>(evenly(op, b, dtype))
      .as(own);
}

/// tril_indices(rows, columns, offset): the rows, then the columns, of the
/// places of a matrix with column - row <= offset, or, for triu, >= offset.
template <bool isLower, typename Op>
static Value triangleIndices(Op op, TorchBuilder &b) {
  auto rows = matchInt(op.getRow()), columns = matchInt(op.getCol()),
       offset = matchInt(op.getOffset());
  if (!rows || !columns || !offset)
    return b.fail("expected sizes and an offset that are known while "
                  "compiling");
  if (*rows > maxLiteral || *columns > maxLiteral)
    return b.fail("expected at most " + Twine(maxLiteral) +
                  " rows and columns, got " + Twine(*rows) + " and " +
                  Twine(*columns));
  SmallVector<int64_t> places[2];
  // An offset beyond the sizes is as good as any other.
  constexpr int64_t most = int64_t(1) << 30;
  int64_t shift = std::clamp(*offset, -most, most);
  for (int64_t row = 0; row < *rows; ++row) {
    int64_t diagonal = row + shift;
    int64_t first = isLower ? 0 : std::max<int64_t>(diagonal, 0),
            end = isLower ? std::min(diagonal + 1, *columns) : *columns;
    for (int64_t column = first; column < end; ++column) {
      places[0].push_back(row);
      places[1].push_back(column);
    }
    if (places[0].size() > maxLiteral)
      return b.fail("expected at most " + Twine(maxLiteral) + " places");
  }
  auto count = static_cast<int64_t>(places[0].size());
  llvm::append_range(places[0], places[1]);
  return b.convert(integers(b, places[0], {2, count}),
                   tensorType(op).getDtype());
}

// The contents of an empty tensor are undefined: here they are 0, so that every
// run is equal.
void populateCreation(Decompositions &decompositions) {
  decompositions.add(
      arange, arangeStart, eye, eyeOfTwo, fill, filled<0, AtenEmptyPermutedOp>,
      linspace<AtenLinspaceOp>, linspace<AtenLinspaceScalarTensorOp>,
      linspace<AtenLinspaceTensorScalarOp>,
      linspace<AtenLinspaceTensorTensorOp>, logspace<AtenLogspaceOp>,
      logspace<AtenLogspaceScalarTensorOp>,
      logspace<AtenLogspaceTensorScalarOp>,
      logspace<AtenLogspaceTensorTensorOp>,
      triangleIndices<true, AtenTrilIndicesOp>,
      triangleIndices<false, AtenTriuIndicesOp>,
      filled<0, AtenNewEmptyStridedOp>, filled<0, AtenEmptyMemoryFormatOp>,
      filled<0, AtenEmptyStridedOp>, filled<0, AtenNewEmptyOp>,
      filled<0, AtenNewZerosOp>, filled<0, AtenZerosOp>,
      filled<1, AtenNewOnesOp>, filled<1, AtenOnesOp>,
      filledLike<0, AtenEmptyLikeOp>, filledLike<0, AtenZerosLikeOp>,
      filledLike<1, AtenOnesLikeOp>, fullLike, newFull, scalarTensor);
}

} // namespace isthmus::decompose_torch
