//===- Arrangement.cpp - Tensors put together, turned, laid out -----------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

static constexpr char kConstantTensors[] =
    "expected a list of tensors that is made by torch.prim.ListConstruct";

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

template <int64_t rank, typename Op>
static Value atLeastEach(Op op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  if (!tensors)
    return b.fail(kConstantTensors);
  for (Value &x : *tensors)
    x = atLeast(b, x, rank);
  return listOf(op, b, *tensors);
}

/// pad_sequence(sequences [n,...]): each with a number after its end, or before
/// its start, up to the longest.
static Value padSequence(AtenPadSequenceOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getSequences());
  auto isBatchFirst = matchBool(op.getBatchFirst());
  auto side = matchStr(op.getPaddingSide());
  if (!tensors || tensors->empty() || !isBatchFirst ||
      (side != "left" && side != "right"))
    return b.fail("expected a list of tensors, batch_first and a side of left "
                  "or right, all known while compiling");
  Value longest = b.constant(0), zero = b.constant(0);
  for (Value x : *tensors)
    longest = b.maxInt(longest, b.size(x, 0));
  for (Value &x : *tensors) {
    SmallVector<Value> pads(2 * tensorType(x).getRank(), zero);
    pads[pads.size() - (side == "left" ? 2 : 1)] =
        b.subInt(longest, b.size(x, 0));
    x = b.create<AtenConstantPadNdOp>(x, b.ints(ValueRange(pads)),
                                      op.getPaddingValue());
    x = b.unsqueeze(x, *isBatchFirst ? 0 : 1);
  }
  return b.cat(*tensors, *isBatchFirst ? 0 : 1);
}

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

/// block_diag(matrices): each with columns of 0 on both sides, one above the
/// other.
static Value blockDiag(AtenBlockDiagOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  if (!tensors || tensors->empty())
    return b.fail(kConstantTensors);
  Value columns = b.constant(0), zero = b.constant(0);
  for (Value &x : *tensors) {
    x = b.convert(atLeast(b, x, 2), tensorType(op).getDtype());
    columns = b.addInt(columns, b.size(x, 1));
  }
  Value before = zero;
  for (Value &x : *tensors) {
    Value after = b.addInt(before, b.size(x, 1));
    SmallVector<Value> pads = {before, b.subInt(columns, after)};
    x = b.create<AtenConstantPadNdOp>(x, b.ints(ValueRange(pads)), zero);
    before = after;
  }
  return b.cat(*tensors, 0);
}

/// cartesian_prod(x, y, ...): a row for each choice of one element of each
/// tensor, the last of which changes first.
static Value cartesianProduct(AtenCartesianProdOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  if (!tensors || tensors->empty())
    return b.fail(kConstantTensors);
  if (tensors->size() == 1)
    return tensors->front();
  SmallVector<Value> sizes, columns;
  for (Value x : *tensors)
    sizes.push_back(b.size(x, 0));
  for (auto [i, x] : llvm::enumerate(*tensors)) {
    Value spread =
        b.expand(alongFirst(b, x, sizes[i], sizes.size() - i), sizes);
    columns.push_back(b.view(spread, {b.constant(-1), b.constant(1)}));
  }
  return b.cat(columns, 1);
}

/// combinations(x [n], r): the rows of r elements of x in the order of their
/// positions, each position once or, with replacement, more than once.
static Value combinations(AtenCombinationsOp op, TorchBuilder &b) {
  std::optional<int64_t> chosen = matchInt(op.getR());
  std::optional<bool> repeats = matchBool(op.getWithReplacement());
  int64_t n = tensorType(op.getSelf()).getSizes().front();
  if (!chosen || !repeats || ShapedType::isDynamic(n))
    return b.fail("expected a number of elements that is known while "
                  "compiling");
  if (*chosen > maxPieces)
    return b.fail("expected rows of at most " + Twine(maxPieces) +
                  " elements, got " + Twine(*chosen));
  int64_t apart = *repeats ? 0 : 1, count = *chosen;
  SmallVector<int64_t> places, row(count, 0);
  for (int64_t i : llvm::seq(count))
    row[i] = i * apart;
  bool isDone = count == 0 || row.back() >= n;
  while (!isDone) {
    llvm::append_range(places, row);
    if (static_cast<int64_t>(places.size()) > maxLiteral)
      return b.fail("expected at most " + Twine(maxLiteral) +
                    " elements in all rows of " + Twine(*chosen) + " from " +
                    Twine(n));
    // The last position that can grow does; those after it start anew.
    int64_t last = count - 1;
    while (last >= 0 && row[last] == n - 1 - (count - 1 - last) * apart)
      --last;
    isDone = last < 0;
    for (int64_t next = isDone ? 0 : row[last] + 1; !isDone && last < count;
         ++last, next += apart)
      row[last] = next;
  }
  auto elements = static_cast<int64_t>(places.size());
  Value taken = b.create<AtenIndexSelectOp>(op.getSelf(), b.constant(0),
                                            integers(b, places, elements));
  if (count == 0)
    return taken;
  return b.view(taken, {b.constant(elements / count), op.getR()});
}

/// broadcast_tensors(x, y, ...): all with the sizes of their sum.
static Value broadcastTensors(AtenBroadcastTensorsOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  if (!tensors)
    return b.fail(kConstantTensors);
  SmallVector<Value> sizes;
  for (Value x : *tensors)
    sizes = broadcastSizes(b, sizes, b.sizes(x));
  for (Value &x : *tensors)
    x = b.expand(x, sizes);
  return listOf(op, b, *tensors);
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
  auto order = movedDims(tensorType(op.getSelf()).getRank() + 1, {-2, -1},
                         {*first, *second});
  if (!order)
    return b.fail("expected two dims of the result");
  return b.permute(onDiagonal(b, op.getSelf(), *offset), *order);
}

/// diagonal_scatter(x, source, offset, dim1, dim2): x with source [...,n] on a
/// diagonal of these dims.
static Value diagonalScatter(AtenDiagonalScatterOp op, TorchBuilder &b) {
  auto offset = matchInt(op.getOffset()), first = matchInt(op.getDim1()),
       second = matchInt(op.getDim2());
  Tensor own(b, op.getSelf());
  int64_t rank = own.rank();
  if (!offset || !first || !second || rank < 2 ||
      tensorType(op.getSrc()).getRank() != rank - 1)
    return b.fail(kConstantDiagonal);
  auto toEnd = movedDims(rank, {*first, *second}, {-2, -1}),
       back = movedDims(rank, {-2, -1}, {*first, *second});
  if (!toEnd || !back)
    return b.fail("expected two dims of the tensor");
  Tensor x(b, b.permute(own, *toEnd));
  SmallVector<Value> sizes = b.sizes(x);
  Value columns = sizes.pop_back_val(), rows = sizes.pop_back_val();
  int64_t right = std::clamp<int64_t>(*offset, -INT64_MAX, INT64_MAX);
  auto less = [&](Value size, int64_t count) {
    return b.subInt(size, b.constant(std::max<int64_t>(count, 0)));
  };
  Value zero = b.constant(0);
  sizes.push_back(
      b.maxInt(b.minInt(less(rows, -right), less(columns, right)), zero));
  SmallVector<int64_t> wanted = *matchSizes(b.ints(sizes));
  if (failed(verifyCompatibleShape(tensorType(op.getSrc()).getSizes(), wanted)))
    return b.fail("expected a source of " + shapeText(wanted) + ", got " +
                  shapeText(tensorType(op.getSrc()).getSizes()));
  // Other sizes, known only at run time, would broadcast.
  Value source = b.view(b.convert(op.getSrc(), own.dtype()), sizes);
  // Element i of the source is in row i, or, below the main diagonal, in column
  // i. Rows or columns without one get any number, which is not taken.
  bool isBelow = *offset < 0;
  SmallVector<Value> missing = {
      zero, b.subInt(isBelow ? columns : rows, sizes.back())};
  Value each =
      b.create<AtenConstantPadNdOp>(source, b.ints(ValueRange(missing)), zero);
  Tensor spread(b, b.unsqueeze(each, isBelow ? rank - 2 : rank - 1));
  Tensor isOn =
      columnMinusRow(b, rows, columns) == static_cast<double>(*offset);
  return b.permute(where(isOn, spread, x), *back);
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

/// diagflat(x): a matrix with all elements of x on a diagonal.
static Value diagflat(AtenDiagflatOp op, TorchBuilder &b) {
  auto offset = matchInt(op.getOffset());
  if (!offset)
    return b.fail(kConstantDiagonal);
  return onDiagonal(b, b.view(op.getSelf(), b.constant(-1)), *offset);
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
      atLeastOp<3, AtenAtleast3dOp>, atLeastEach<1, AtenAtleast1dSequenceOp>,
      atLeastEach<2, AtenAtleast2dSequenceOp>,
      atLeastEach<3, AtenAtleast3dSequenceOp>, diagflat, padSequence,
      channelShuffle<AtenChannelShuffleOp>,
      channelShuffle<AtenNativeChannelShuffleOp>, columnStack, diag, diagEmbed,
      blockDiag, broadcastTensors, cartesianProduct, combinations,
      diagonalScatter, flip<0, AtenFlipudOp>, flip<1, AtenFliplrOp>, rot90,
      stacked<1, AtenHstackOp>, stacked<2, AtenVstackOp>,
      stacked<3, AtenDstackOp>, trace);
}

} // namespace isthmus::decompose_torch
