//===- Arrangement.cpp - Tensors put together, turned, laid out -----------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

/// x with at least `rank` dims. The elements of [n] are a row [1,n], and those
/// of [m,n] are [m,n,1] in three dims.
static Value atLeast(TorchBuilder &b, Value x, int64_t rank) {
  int64_t own = tensorType(x).getRank();
  if (rank == 3 && own == 2)
    return b.unsqueeze(x, 2);
  if (rank == 3 && own < 2)
    return b.unsqueeze(atLeast(b, x, 2), 2);
  for (; own < rank; ++own)
    x = b.unsqueeze(x, 0);
  return x;
}

template <int64_t rank, typename Op>
static Value atLeastOp(Op op, TorchBuilder &b) {
  return atLeast(b, op.getSelf(), rank);
}

static constexpr char kConstantTensors[] =
    "expected a list of tensors that is made by torch.prim.ListConstruct";

/// hstack, vstack and dstack: concatenates tensors of at least `rank` dims
/// along the last of those; rows alone, along their only dim.
template <int64_t rank, typename Op>
static Value stacked(Op op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  if (!tensors || tensors->empty())
    return b.fail(kConstantTensors);
  for (Value &x : *tensors)
    x = atLeast(b, x, rank);
  bool areRows = tensorType(tensors->front()).getRank() == 1;
  int64_t dim = rank == 1 ? (areRows ? 0 : 1) : rank == 2 ? 0 : 2;
  return b.cat(*tensors, dim);
}

/// column_stack: tensors of rank 0 and 1 are columns.
static Value columnStack(AtenColumnStackOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  if (!tensors || tensors->empty())
    return b.fail(kConstantTensors);
  for (Value &x : *tensors)
    if (tensorType(x).getRank() < 2)
      x = b.view(x, {b.constant(-1), b.constant(1)});
  return b.cat(*tensors, 1);
}

//===----------------------------------------------------------------------===//
// Turned
//===----------------------------------------------------------------------===//

static Value flipped(TorchBuilder &b, Value x, ArrayRef<int64_t> dims) {
  return b.create<AtenFlipOp>(x, b.ints(dims));
}

template <int64_t dim, typename Op>
static Value flip(Op op, TorchBuilder &b) {
  return flipped(b, op.getSelf(), dim);
}

/// rot90(x, k, [first, second]): k quarter turns from the first dim to the
/// second.
static Value rot90(AtenRot90Op op, TorchBuilder &b) {
  std::optional<int64_t> turns = matchInt(op.getK());
  auto dims = boundedInts(b, op.getDims(), "dims");
  if (!turns || !dims || dims->size() != 2)
    return b.fail("expected k and two dims that are known while compiling");
  Value x = op.getSelf();
  int64_t rank = tensorType(x).getRank(), first = normalDim((*dims)[0], rank),
          second = normalDim((*dims)[1], rank), k = ((*turns % 4) + 4) % 4;
  SmallVector<int64_t> order = allDims(rank);
  std::swap(order[first], order[second]);
  switch (k) {
  case 0:
    return x;
  case 1:
    return b.permute(flipped(b, x, second), order);
  case 2:
    return flipped(b, x, {first, second});
  default:
    return flipped(b, b.permute(x, order), second);
  }
}

/// channel_shuffle(x [N,C,d...], groups): [N,groups,C/groups,d...] with the two
/// dims of channels swapped.
template <typename Op>
static Value channelShuffle(Op op, TorchBuilder &b) {
  Value x = op.getSelf(), groups = op.getGroups();
  SmallVector<Value> sizes = b.sizes(x), parted = sizes;
  if (sizes.size() < 2)
    return b.fail("expected a dim of channels");
  parted[1] = b.floorDivInt(sizes[1], groups);
  parted.insert(parted.begin() + 1, groups);
  SmallVector<int64_t> order = allDims(parted.size());
  std::swap(order[1], order[2]);
  return b.view(b.permute(b.view(x, parted), order), sizes);
}

//===----------------------------------------------------------------------===//
// On diagonals
//===----------------------------------------------------------------------===//

/// The rows of x [...,n] on a diagonal of matrices [...,n+|offset|,
/// n+|offset|], with 0 elsewhere.
static Tensor onDiagonal(TorchBuilder &b, Value x, int64_t offset) {
  offset = std::clamp<int64_t>(offset, -INT64_MAX, INT64_MAX);
  int64_t rank = tensorType(x).getRank(), shift = std::abs(offset);
  // x[..., i] stands in row i, or in row i - offset for a negative one.
  SmallVector<Value> padded(2, b.constant(0));
  padded[offset < 0 ? 0 : 1] = b.constant(shift);
  Value each = b.create<AtenConstantPadNdOp>(x, b.ints(ValueRange(padded)),
                                             b.constant(0));
  Value side = b.size(each, rank - 1);
  return where(columnMinusRow(b, side, side) == static_cast<double>(offset),
               Tensor(b, b.unsqueeze(each, rank)), 0);
}

static constexpr char kConstantDiagonal[] =
    "expected an offset and dims that are known while compiling";

/// diag_embed(x [...,n], offset, dim1, dim2): matrices with the rows of x on a
/// diagonal, in these dims.
static Value diagEmbed(AtenDiagEmbedOp op, TorchBuilder &b) {
  auto offset = matchInt(op.getOffset()), first = matchInt(op.getDim1()),
       second = matchInt(op.getDim2());
  if (!offset || !first || !second)
    return b.fail(kConstantDiagonal);
  int64_t rank = tensorType(op.getSelf()).getRank() + 1,
          row = normalDim(*first, rank), column = normalDim(*second, rank);
  Tensor matrices = onDiagonal(b, op.getSelf(), *offset);
  // The result's dims come from the matrices' dims in order.
  SmallVector<int64_t> order;
  int64_t next = 0;
  for (int64_t dim : llvm::seq(rank))
    order.push_back(dim == row ? rank - 2 : dim == column ? rank - 1 : next++);
  return b.permute(matrices, order);
}

/// diag(x): a matrix with x on a diagonal, or the diagonal of a matrix.
static Value diag(AtenDiagOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  if (tensorType(x).getRank() == 2)
    return b.create<AtenDiagonalOp>(x, op.getDiagonal(), b.constant(0),
                                    b.constant(1));
  auto offset = matchInt(op.getDiagonal());
  if (!offset)
    return b.fail(kConstantDiagonal);
  return onDiagonal(b, x, *offset);
}

/// trace(x [m,n]): the sum of the diagonal.
static Value trace(AtenTraceOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  Value diagonal =
      b.create<AtenDiagonalOp>(x, b.constant(0), b.constant(0), b.constant(1));
  return b.sum(diagonal, {0}, /*keepdim=*/false);
}

void populateArrangement(Decompositions &decompositions) {
  decompositions.add(
      atLeastOp<1, AtenAtleast1dOp>, atLeastOp<2, AtenAtleast2dOp>,
      atLeastOp<3, AtenAtleast3dOp>, channelShuffle<AtenChannelShuffleOp>,
      channelShuffle<AtenNativeChannelShuffleOp>, columnStack, diag, diagEmbed,
      flip<0, AtenFlipudOp>, flip<1, AtenFliplrOp>, rot90,
      stacked<1, AtenHstackOp>, stacked<2, AtenVstackOp>,
      stacked<3, AtenDstackOp>, trace);
}

} // namespace isthmus::decompose_torch
