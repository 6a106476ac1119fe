//===- View.cpp - Other arrangements of the same elements -----------------===//

#include "Checks.h"
#include "Decompositions.h"
#include "Matrices.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/ComplexComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include <numeric>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static Value broadcastTo(AtenBroadcastToOp op, TorchBuilder &b) {
  return b.create<AtenExpandOp>(op.getSelf(), op.getSize(),
                                b.constantBool(false));
}

/// With value semantics a reshape is a view.
static Value reshape(AtenReshapeOp op, TorchBuilder &b) {
  return b.create<AtenViewOp>(op.getSelf(), op.getShape());
}

/// flatten(x, start, end): merges the dims start ... end.
static Value flatten(AtenFlattenUsingIntsOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  std::optional<int64_t> first = matchInt(op.getStartDim()),
                         last = matchInt(op.getEndDim());
  if (!first || !last)
    return b.fail(kConstantDims);
  int64_t rank = tensorType(x).getRank();
  int64_t start = normalDim(*first, rank), end = normalDim(*last, rank);
  SmallVector<Value> sizes = b.sizes(x);
  auto from = sizes.begin() + start,
       to = sizes.begin() + std::min(end + 1, rank);
  Value flat = b.product(ArrayRef(from, to));
  sizes.erase(from, to);
  sizes.insert(sizes.begin() + start, flat);
  return b.view(x, sizes);
}

static Value swapDims(TorchBuilder &b, Value x, int64_t first, int64_t second) {
  SmallVector<int64_t> order(tensorType(x).getRank());
  std::iota(order.begin(), order.end(), 0);
  if (!order.empty())
    std::swap(order[normalDim(first, order.size())],
              order[normalDim(second, order.size())]);
  return b.permute(x, order);
}

static Value transpose(AtenTransposeIntOp op, TorchBuilder &b) {
  std::optional<int64_t> first = matchInt(op.getDim0()),
                         second = matchInt(op.getDim1());
  if (!first || !second)
    return b.fail(kConstantDims);
  return swapDims(b, op.getSelf(), *first, *second);
}

/// t(x) transposes a matrix and returns vectors and scalars unchanged.
static Value t(AtenTOp op, TorchBuilder &b) {
  return tensorType(op.getSelf()).getRank() < 2
             ? op.getSelf()
             : swapDims(b, op.getSelf(), 0, 1);
}

/// Removes the dims that can be 1; an unknown size is assumed to be 1, because
/// otherwise the rank of the result would be unknown.
static Value squeezed(TorchBuilder &b, Value x, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> ones;
  ArrayRef<int64_t> sizes = tensorType(x).getSizes();
  for (int64_t dim : dims) {
    int64_t normal = normalDim(dim, sizes.size());
    if (!sizes.empty() &&
        (sizes[normal] == 1 || ShapedType::isDynamic(sizes[normal])))
      ones.push_back(normal);
  }
  return b.squeeze(x, ones);
}

static Value squeezeDim(AtenSqueezeDimOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  return squeezed(b, op.getSelf(), *dim);
}

static Value squeezeDims(AtenSqueezeDimsOp op, TorchBuilder &b) {
  std::optional<SmallVector<int64_t>> dims = matchInts(op.getDim());
  if (!dims)
    return b.fail(kConstantDims);
  return squeezed(b, op.getSelf(), *dims);
}

/// The dim that an op splits and its size, both known at compile time.
template <typename Op>
static std::optional<std::pair<int64_t, int64_t>> knownDim(Op op) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return std::nullopt;
  ArrayRef<int64_t> sizes = tensorType(op.getSelf()).getSizes();
  int64_t normal = normalDim(*dim, sizes.size());
  if (sizes.empty() || ShapedType::isDynamic(sizes[normal]))
    return std::nullopt;
  return std::pair(normal, sizes[normal]);
}

/// Pieces of one size; the last one may be smaller. An empty dim is one piece.
template <typename Op>
static Value splitEvenly(Op op, TorchBuilder &b, int64_t dim, int64_t total,
                         int64_t size) {
  if (total == 0)
    return listOf(op, b, op.getSelf());
  auto pieces = b.splitEvenly(op.getSelf(), dim, total, size);
  return pieces ? listOf(op, b, *pieces) : Value();
}

static Value unknownPieces(TorchBuilder &b) {
  return b.fail("expected the number of pieces to be known while compiling");
}

static Value split(AtenSplitTensorOp op, TorchBuilder &b) {
  auto dim = knownDim(op);
  std::optional<int64_t> size = matchInt(op.getSplitSize());
  if (!dim || !size || *size < 1)
    return unknownPieces(b);
  return splitEvenly(op, b, dim->first, dim->second, *size);
}

/// The number of pieces that all users of a list expect in it.
static std::optional<int64_t> unpackedPieces(Operation *op) {
  std::optional<int64_t> count;
  for (Operation *user : op->getUsers()) {
    auto list = dyn_cast<PrimListUnpackOp>(user);
    int64_t results = user->getNumResults();
    if (!list || count.value_or(results) != results)
      return std::nullopt;
    count = results;
  }
  return count;
}

/// The pieces of chunk along a dim of unknown size, if as many as asked for are
/// used: then the last one has elements.
static Value allChunks(AtenChunkOp op, TorchBuilder &b, int64_t count) {
  std::optional<int64_t> axis = matchInt(op.getDim());
  int64_t rank = tensorType(op.getSelf()).getRank();
  if (!axis || rank == 0 || count > maxPieces ||
      (!op->use_empty() && unpackedPieces(op) != count))
    return unknownPieces(b);
  int64_t dim = normalDim(*axis, rank);
  Value total = b.size(op.getSelf(), dim);
  Value size =
      b.floorDivInt(b.addInt(total, b.constant(count - 1)), b.constant(count));
  SmallVector<Value> starts, pieces;
  for (int64_t i = 0; i < count; ++i)
    starts.push_back(b.mulInt(size, b.constant(i)));
  RuntimeAssertOp::create(
      b.getBuilder(), b.getLoc(), b.fold<AtenLtIntOp>(starts.back(), total),
      "expected a dim that splits into " + std::to_string(count) + " chunks");
  for (int64_t i = 0; i + 1 < count; ++i)
    pieces.push_back(b.slice(op.getSelf(), dim, starts[i], starts[i + 1]));
  pieces.push_back(b.slice(op.getSelf(), dim, starts.back()));
  return listOf(op, b, pieces);
}

/// chunk(x, n) = split(x, ceil(size / n))
static Value chunk(AtenChunkOp op, TorchBuilder &b) {
  auto dim = knownDim(op);
  std::optional<int64_t> chunks = matchInt(op.getChunks());
  if (!chunks || *chunks < 1)
    return unknownPieces(b);
  if (!dim)
    return allChunks(op, b, *chunks);
  int64_t size =
      std::max<int64_t>(llvm::divideCeilSigned(dim->second, *chunks), 1);
  return splitEvenly(op, b, dim->first, dim->second, size);
}

static Value splitWithSizes(AtenSplitWithSizesOp op, TorchBuilder &b) {
  auto sizes = matchList(op.getSplitSizes());
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!sizes || !dim)
    return unknownPieces(b);
  int64_t normal = normalDim(*dim, tensorType(op.getSelf()).getRank());
  return listOf(op, b, b.split(op.getSelf(), normal, *sizes));
}

/// unbind(x, dim): every x[..., i, ...].
static Value unbind(AtenUnbindIntOp op, TorchBuilder &b) {
  auto dim = knownDim(op);
  if (!dim)
    return unknownPieces(b);
  auto pieces = b.splitEvenly(op.getSelf(), dim->first, dim->second, 1);
  if (!pieces)
    return {};
  for (Value &piece : *pieces)
    piece = b.squeeze(piece, dim->first);
  return listOf(op, b, *pieces);
}

/// tensor_split(x, n): n pieces, of which the first size % n have one element
/// more than the others.
static Value evenPieces(Operation *op, TorchBuilder &b, Value x, int64_t dim,
                        std::optional<int64_t> count) {
  if (!count || *count < 1 || *count > maxPieces)
    return unknownPieces(b);
  Value size = b.size(x, dim);
  SmallVector<Value> sizes; // floor((size + count - 1 - i) / count)
  for (int64_t i : llvm::seq(*count))
    sizes.push_back(b.floorDivInt(b.addInt(size, b.constant(*count - 1 - i)),
                                  b.constant(*count)));
  return listOf(op, b, b.split(x, dim, sizes));
}

static Value pieces(Operation *op, TorchBuilder &b, Value x, int64_t dim,
                    Value sections) {
  return evenPieces(op, b, x, dim, matchInt(sections));
}

/// tensor_split(x, [i, j, ...]): x[:i], x[i:j], ..., as Python slices.
static Value slicesBetween(Operation *op, TorchBuilder &b, Value x, int64_t dim,
                           ArrayRef<Value> ends) {
  if (ends.size() > maxPieces)
    return unknownPieces(b);
  SmallVector<Value> slices;
  Value start = b.constant(0);
  for (Value end : ends) {
    slices.push_back(b.slice(x, dim, start, end));
    start = end;
  }
  slices.push_back(b.slice(x, dim, start));
  return listOf(op, b, slices);
}

static Value piecesBetween(Operation *op, TorchBuilder &b, Value x, int64_t dim,
                           Value indices) {
  auto ends = matchList(indices);
  return ends ? slicesBetween(op, b, x, dim, *ends) : unknownPieces(b);
}

/// tensor_split(x, t): t [] is the number of pieces, which the users of the
/// list determine; t [n] has the indices between them.
static Value piecesByTensor(Operation *op, TorchBuilder &b, Value x,
                            int64_t dim, Value tensor) {
  Tensor given(b, tensor);
  if (given.rank() > 1 || !isIntegral(given.dtype()))
    return b.fail("expected an integer or a list of integers");
  if (given.rank() == 0) {
    std::optional<int64_t> count = unpackedPieces(op);
    if (count)
      checkAll(given == *count, "as many pieces as the program uses");
    return evenPieces(op, b, x, dim, count);
  }
  int64_t size = given.sizes()[0];
  if (ShapedType::isDynamic(size) || size > maxPieces)
    return unknownPieces(b);
  SmallVector<Value> ends;
  for (int64_t i : llvm::seq(size))
    ends.push_back(b.create<AtenIntTensorOp>(
        b.create<AtenSelectIntOp>(given, b.constant(0), b.constant(i))));
  return slicesBetween(op, b, x, dim, ends);
}

template <auto split, typename Op>
static Value tensorSplit(Op op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  int64_t rank = tensorType(op.getSelf()).getRank();
  if (!dim || rank == 0)
    return unknownPieces(b);
  return split(op, b, op.getSelf(), normalDim(*dim, rank), op->getOperand(1));
}

/// hsplit, vsplit and dsplit: along dims 1, 0 and 2; hsplit of [n] along 0. A
/// number of pieces must divide the size.
template <int64_t dim, auto split, typename Op>
static Value splitAlong(Op op, TorchBuilder &b) {
  int64_t rank = tensorType(op.getSelf()).getRank();
  if (rank <= (dim == 1 ? 0 : std::max<int64_t>(dim, 1)))
    return b.fail("expected a tensor with dim " + Twine(dim) + ", got rank " +
                  Twine(rank));
  int64_t place = rank == 1 ? 0 : dim;
  Value pieces = op->getOperand(1);
  if (isa<torch::IntType>(pieces.getType())) {
    Value size = b.size(op.getSelf(), place);
    Value isEven = b.eqInt(b.mulInt(b.floorDivInt(size, pieces), pieces), size);
    if (matchBool(isEven) == false)
      return b.fail(
          "expected a number of pieces that divides the size of dim " +
          Twine(place));
    if (!matchBool(isEven))
      RuntimeAssertOp::create(b.getBuilder(), b.getLoc(), isEven,
                              "expected pieces of equal sizes");
  }
  return split(op, b, op.getSelf(), place, pieces);
}

/// sum_to_size(x, sizes): sums over the dims along which `sizes` broadcasts.
static Value sumToSize(AtenSumToSizeOp op, TorchBuilder &b) {
  auto sizes = matchList(op.getSize());
  if (!sizes)
    return b.fail(kListOfSizes);
  Tensor x(b, op.getSelf());
  int64_t leading = x.rank() - static_cast<int64_t>(sizes->size());
  SmallVector<int64_t> dims = allDims(leading);
  for (auto [dim, size] : llvm::enumerate(*sizes)) {
    if (!matchInt(size))
      return b.fail("expected sizes that are known while compiling");
    if (matchInt(size) == 1 && x.sizes()[leading + dim] != 1)
      dims.push_back(leading + dim);
  }
  return b.convert(b.squeeze(sumOver(x, dims), allDims(leading)),
                   tensorType(op).getDtype());
}

/// mT, mH, matrix_H and adjoint: the last two dims swapped; all but mT also
/// take the conjugates.
template <bool conjugates, typename Op>
static Value matrixTransposed(Op op, TorchBuilder &b) {
  Tensor turned = transposed({b, op.getSelf()});
  return conjugates && isComplex(turned.dtype())
             ? turned.apply<AtenConjPhysicalOp>()
             : turned;
}

/// meshgrid([x, y]): x along dim 0 and y along dim 1 of results of sizes [X,Y],
/// or, indexed as "xy", of sizes [Y,X].
static Value meshgridOf(Operation *op, TorchBuilder &b, Value list,
                        StringRef indexing) {
  auto tensors = matchList(list);
  if (!tensors || (indexing != "ij" && indexing != "xy"))
    return b.fail("expected a list of tensors and an indexing of 'ij' or 'xy' "
                  "that are known while compiling");
  SmallVector<Value> sizes;
  for (Value tensor : *tensors) {
    int64_t rank = tensorType(tensor).getRank();
    if (rank > 1)
      return b.fail("expected tensors of rank 0 or 1");
    sizes.push_back(rank == 1 ? b.size(tensor, 0) : b.constant(1));
  }
  bool swaps = indexing == "xy" && sizes.size() > 1;
  if (swaps)
    std::swap(sizes[0], sizes[1]);
  SmallVector<Value> grids;
  for (auto [i, tensor] : llvm::enumerate(*tensors)) {
    size_t dim = swaps && i < 2 ? 1 - i : i;
    grids.push_back(
        b.expand(alongFirst(b, tensor, sizes[dim], sizes.size() - dim), sizes));
  }
  return listOf(op, b, grids);
}

static Value meshgrid(AtenMeshgridOp op, TorchBuilder &b) {
  return meshgridOf(op, b, op.getTensors(), "ij");
}
static Value meshgridIndexed(AtenMeshgridIndexingOp op, TorchBuilder &b) {
  return meshgridOf(op, b, op.getTensors(),
                    matchStr(op.getIndexing()).value_or(""));
}

/// select(x, dim, i) = x[..., i, ...], a slice of one element with its dim
/// removed. A negative index counts from the end.
static Value select(AtenSelectIntOp op, TorchBuilder &b) {
  Value x = op.getSelf(), index = op.getIndex();
  std::optional<int64_t> dim = matchInt(op.getDim()), known = matchInt(index);
  if (!dim)
    return b.fail(kConstantDim);
  int64_t normal = normalDim(*dim, tensorType(x).getRank());
  if (!known || *known < 0)
    index = fromStart(b, index, b.size(x, normal));
  Value slice = b.slice(x, normal, index, b.addInt(index, b.constant(1)));
  return b.squeeze(slice, normal);
}

/// stack([x, y], dim) = cat([x, y], dim) with a new dim of size 1 in each.
static Value stack(AtenStackOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!tensors || tensors->empty() || !dim)
    return b.fail(
        "expected a list of tensors and a dim that are known while compiling");
  int64_t normal = normalDim(*dim, tensorType(tensors->front()).getRank() + 1);
  for (Value &tensor : *tensors)
    tensor = b.unsqueeze(tensor, normal);
  return b.cat(*tensors, normal);
}

/// repeat(x, [2, 3]): reshapes every dim [n] to [1, n], expands it to [r, n]
/// and merges it to [r * n]. Dims that are not repeated are unchanged.
static Value repeated(AtenRepeatOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  auto repeats = matchList(op.getRepeats());
  if (!repeats)
    return b.fail("expected repeats whose number is known while compiling");
  size_t leading = repeats->size() - tensorType(x).getRank();
  SmallVector<Value> split, expanded, joined;
  Value one = b.constant(1);
  for (auto [dim, count] : llvm::enumerate(*repeats)) {
    Value size = dim < leading ? one : b.size(x, dim - leading);
    bool isRepeated = matchInt(count) != 1;
    if (isRepeated && matchInt(size) != 1) {
      split.append({one, size});
      expanded.append({count, size});
    } else {
      split.push_back(size);
      expanded.push_back(isRepeated ? count : size);
    }
    joined.push_back(b.mulInt(count, size));
  }
  Value result =
      split.size() == tensorType(x).getSizes().size() ? x : b.view(x, split);
  result = b.expand(result, expanded);
  return split.size() == joined.size() ? result : b.view(result, joined);
}

/// triu(x, d) keeps the elements with column - row >= d, tril(x, d) those with
/// column - row <= d; the others are 0.
template <typename Op>
static Value triangle(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  if (x.rank() < 2)
    return b.fail("expected a matrix, or a batch of them");
  Tensor distance =
      columnMinusRow(b, b.size(x, x.rank() - 2), b.size(x, x.rank() - 1));
  Tensor diagonal = scalar(b, op.getDiagonal(), distance.dtype());
  return where(std::is_same_v<Op, AtenTriuOp> ? distance >= diagonal
                                              : distance <= diagonal,
               x, 0);
}

static Value expandAs(AtenExpandAsOp op, TorchBuilder &b) {
  return b.expand(op.getSelf(), b.sizes(op.getOther()));
}

/// diagonal(x, offset, dim1, dim2)[..., i] = x[..., i, i + offset], with the
/// two dims moved to the end; for a negative offset x[..., i - offset, i].
template <typename Op>
static Value diagonal(Op op, TorchBuilder &b) {
  Tensor x(b, op->getOperand(0));
  std::optional<int64_t> offset = matchInt(op.getOffset()),
                         first = matchInt(op.getDim1()),
                         second = matchInt(op.getDim2());
  if (!offset || !first || !second)
    return b.fail("expected an offset and dims that are known while compiling");
  int64_t rank = x.rank(), row = normalDim(*first, rank),
          column = normalDim(*second, rank);
  auto toEnd = movedDims(rank, {row, column}, {-2, -1});
  if (!toEnd)
    return b.fail("expected two dims of the tensor");
  // The negation of the smallest integer does not fit 64 bits.
  Value firstRow = b.constant(-std::clamp<int64_t>(*offset, -INT64_MAX, 0)),
        firstColumn = b.constant(std::max<int64_t>(*offset, 0));
  Value count = b.maxInt(b.minInt(b.subInt(b.size(x, row), firstRow),
                                  b.subInt(b.size(x, column), firstColumn)),
                         b.constant(0));
  SmallVector<Value> indices(rank - 2, b.none());
  for (Value start : {firstRow, firstColumn})
    indices.push_back(range(b, start, b.addInt(start, count)));
  return b.create<AtenIndexTensorOp>(b.permute(x, *toEnd),
                                     b.optionalTensors(indices));
}

/// as_strided(x, sizes, strides, offset)[i, j] = x.flat[offset + i * strides[0]
/// + j * strides[1]]. The importer gives it an x in the order of the storage.
static Value asStrided(AtenAsStridedOp op, TorchBuilder &b) {
  auto sizes = matchList(op.getSize()), strides = matchList(op.getStride());
  if (!sizes || !strides || sizes->size() != strides->size())
    return b.fail("expected a list of sizes and one of as many strides");
  Type number = indexDtype(b);
  Value offset = op.getStorageOffset();
  Tensor places = scalar(b, isNone(offset) ? b.constant(0) : offset, number);
  for (auto [size, stride] : llvm::zip_equal(*sizes, *strides))
    places = Tensor(b, b.unsqueeze(places, places.rank())) +
             range(b, b.constant(0), size) * scalar(b, stride, number);
  Value flat = b.view(op.getSelf(), b.constant(-1));
  Value picked = b.create<AtenIndexSelectOp>(flat, b.constant(0),
                                             b.view(places, b.constant(-1)));
  return b.view(picked, *sizes);
}

/// diff(x, n, dim, prepend, append): the differences of neighbours, n times.
static Value diff(AtenDiffOp op, TorchBuilder &b) {
  std::optional<int64_t> times = matchInt(op.getN()),
                         dim = matchInt(op.getDim());
  if (!times || !dim)
    return b.fail("expected n and a dim that are known while compiling");
  if (*times > maxPieces)
    return b.fail("expected at most " + Twine(maxPieces) +
                  " differences of differences, got " + Twine(*times));
  if (*times == 0)
    return op.getSelf();
  int64_t normal = normalDim(*dim, tensorType(op.getSelf()).getRank());
  SmallVector<Value> pieces;
  for (Value piece : {op.getPrepend(), op.getSelf(), op.getAppend()})
    if (!isNone(piece))
      pieces.push_back(piece);
  Tensor x(b, pieces.size() == 1 ? pieces.front() : b.cat(pieces, normal));
  for (int64_t i = 0; i < *times; ++i) {
    Tensor after(b, b.slice(x, normal, b.constant(1))),
        before(b, b.slice(x, normal, b.constant(0),
                          b.subInt(b.size(x, normal), b.constant(1))));
    x = isBoolean(x.dtype()) ? after != before : after - before;
  }
  return x;
}

/// The same elements with the sizes of another tensor.
template <typename Op>
static Value viewAs(Op op, TorchBuilder &b) {
  return b.view(op.getSelf(), b.sizes(op.getOther()));
}

static Value unsafeView(Aten_UnsafeViewOp op, TorchBuilder &b) {
  return b.create<AtenViewOp>(op.getSelf(), op.getSize());
}

static Value concat(AtenConcatOp op, TorchBuilder &b) {
  return b.create<AtenCatOp>(op.getTensors(), op.getDim());
}

/// narrow(x, dim, start, length) = x[..., start:start + length, ...]
template <typename Op>
static Value narrowFrom(Op op, TorchBuilder &b, Value start) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  Value x = op.getSelf();
  int64_t normal = normalDim(*dim, tensorType(x).getRank());
  start = fromStart(b, start, b.size(x, normal));
  Value part = b.slice(x, normal, start, b.addInt(start, op.getLength()));
  // A slice ends at the end of the dim, which is an error here.
  if (std::optional<int64_t> length = matchInt(op.getLength())) {
    SmallVector<int64_t> sizes(tensorType(part).getSizes());
    sizes[normal] = *length;
    part.setType(ValueTensorType::get(part.getContext(), sizes,
                                      tensorType(part).getDtype()));
  }
  return part;
}

static Value narrow(AtenNarrowOp op, TorchBuilder &b) {
  return narrowFrom(op, b, op.getStart());
}

static Value narrowFromTensor(AtenNarrowTensorOp op, TorchBuilder &b) {
  return narrowFrom(
      op, b, b.create<AtenIntTensorOp>(b.view(op.getStart(), ValueRange())));
}

static Value moved(TorchBuilder &b, Value x, ArrayRef<int64_t> sources,
                   ArrayRef<int64_t> destinations) {
  auto order = movedDims(tensorType(x).getRank(), sources, destinations);
  return order ? b.permute(x, *order)
               : b.fail("expected as many sources as destinations");
}

static Value movedim(AtenMovedimIntOp op, TorchBuilder &b) {
  std::optional<int64_t> source = matchInt(op.getSource()),
                         destination = matchInt(op.getDestination());
  if (!source || !destination)
    return b.fail(kConstantDims);
  return moved(b, op.getSelf(), *source, *destination);
}

static Value movedims(AtenMovedimIntlistOp op, TorchBuilder &b) {
  auto sources = matchInts(op.getSource()),
       destinations = matchInts(op.getDestination());
  if (!sources || !destinations)
    return b.fail(kConstantDims);
  return moved(b, op.getSelf(), *sources, *destinations);
}

static Value swapaxes(AtenSwapaxesOp op, TorchBuilder &b) {
  return b.create<AtenTransposeIntOp>(op.getSelf(), op.getAxis0(),
                                      op.getAxis1());
}

/// x.T of NumPy: all dims in reverse.
static Value numpyT(AtenNumpyTOp op, TorchBuilder &b) {
  SmallVector<int64_t> order = allDims(tensorType(op.getSelf()).getRank());
  std::reverse(order.begin(), order.end());
  return b.permute(op.getSelf(), order);
}

/// Removes dims known to be of size 1.
static Value squeeze(AtenSqueezeOp op, TorchBuilder &b) {
  SmallVector<int64_t> ones;
  for (auto [dim, size] : llvm::enumerate(tensorType(op.getSelf()).getSizes()))
    if (size == 1)
      ones.push_back(dim);
  return b.squeeze(op.getSelf(), ones);
}

/// tile(x, counts) = repeat(x, counts), with leading counts of 1.
static Value tile(AtenTileOp op, TorchBuilder &b) {
  auto counts = matchList(op.getDims());
  if (!counts)
    return b.fail("expected repeats whose number is known while compiling");
  size_t rank = tensorType(op.getSelf()).getRank();
  if (counts->size() < rank)
    counts->insert(counts->begin(), rank - counts->size(), b.constant(1));
  return b.create<AtenRepeatOp>(op.getSelf(), b.ints(*counts));
}

/// unflatten(x, dim, sizes): splits the dim.
static Value unflatten(AtenUnflattenIntOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  auto parts = matchList(op.getSizes());
  if (!dim || !parts)
    return b.fail("expected a dim and a list of sizes that are known while "
                  "compiling");
  SmallVector<Value> sizes = b.sizes(op.getSelf());
  if (sizes.empty())
    return b.fail("expected a tensor with a dim to split, got one of rank 0");
  int64_t normal = normalDim(*dim, sizes.size());
  sizes.erase(sizes.begin() + normal);
  sizes.insert(sizes.begin() + normal, parts->begin(), parts->end());
  return b.view(op.getSelf(), sizes);
}

/// Rolls a dim by `shift`: concatenates its last `shift` elements and the
/// others. If the shift or the size is not known at compile time, a gather is
/// used instead, which gives the result the same size.
static Value rolled(TorchBuilder &b, Value x, int64_t dim, Value shift) {
  Value size = b.size(x, dim);
  std::optional<int64_t> by = matchInt(shift), known = matchInt(size);
  if (!by || !known) {
    Tensor places = range(b, b.constant(0), size);
    auto number = [&](Value value) { return scalar(b, value, places.dtype()); };
    Tensor wrapped =
        (places - number(shift)).apply<AtenRemainderTensorOp>(number(size));
    return b.create<AtenIndexSelectOp>(x, b.constant(dim), wrapped);
  }
  int64_t turned = *known ? *by % *known : 0;
  int64_t start = turned > 0 ? *known - turned : -turned;
  if (start == 0)
    return x;
  return b.cat({b.slice(x, dim, b.constant(start)),
                b.slice(x, dim, b.constant(0), b.constant(start))},
               dim);
}

/// roll(x, n, dim): moves the last n elements of the dim to the front. Without
/// dims, x is rolled as a flat tensor.
static Value roll(AtenRollOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  auto shifts = matchList(op.getShifts());
  auto dims = matchInts(op.getDims());
  if (!shifts || !dims)
    return b.fail("expected a list of shifts, and dims that are known while "
                  "compiling");
  bool isFlat = dims->empty();
  if (isFlat) {
    x = b.view(x, b.constant(-1));
    dims->push_back(0);
  }
  if (shifts->size() != dims->size())
    return b.fail("expected as many shifts as dims");
  for (auto [shift, dim] : llvm::zip_equal(*shifts, *dims))
    x = rolled(b, x, normalDim(dim, tensorType(x).getRank()), shift);
  return isFlat ? b.view(x, b.sizes(op.getSelf())) : x;
}

/// pixel_shuffle(x [...,C*r*r,H,W], r): blocks of r * r channels become blocks
/// of pixels, [...,C,H*r,W*r]; pixel_unshuffle is its inverse.
static Value pixelShuffle(AtenPixelShuffleOp op, TorchBuilder &b) {
  Value x = op.getSelf(), r = op.getUpscaleFactor();
  SmallVector<Value> sizes = b.sizes(x);
  int64_t lead = sizes.size() - 3;
  SmallVector<Value> batch(ArrayRef(sizes).take_front(lead));
  Value channels = b.floorDivInt(sizes[lead], b.mulInt(r, r)),
        height = sizes[lead + 1], width = sizes[lead + 2];
  SmallVector<Value> split = batch, joined = batch;
  split.append({channels, r, r, height, width});
  joined.append({channels, b.mulInt(height, r), b.mulInt(width, r)});
  SmallVector<int64_t> order = allDims(lead + 1);
  for (int64_t dim : {3, 1, 4, 2}) // [C,H,r,W,r]
    order.push_back(lead + dim);
  return b.view(b.permute(b.view(x, split), order), joined);
}

static Value pixelUnshuffle(AtenPixelUnshuffleOp op, TorchBuilder &b) {
  Value x = op.getSelf(), r = op.getDownscaleFactor();
  SmallVector<Value> sizes = b.sizes(x);
  int64_t lead = sizes.size() - 3;
  SmallVector<Value> batch(ArrayRef(sizes).take_front(lead));
  Value channels = sizes[lead], height = b.floorDivInt(sizes[lead + 1], r),
        width = b.floorDivInt(sizes[lead + 2], r);
  SmallVector<Value> split = batch, joined = batch;
  split.append({channels, height, r, width, r});
  joined.append({b.mulInt(channels, b.mulInt(r, r)), height, width});
  SmallVector<int64_t> order = allDims(lead + 1);
  for (int64_t dim : {2, 4, 1, 3}) // [C,r,r,H,W]
    order.push_back(lead + dim);
  return b.view(b.permute(b.view(x, split), order), joined);
}

void populateView(Decompositions &decompositions) {
  decompositions.add(concat, meshgrid, meshgridIndexed, movedim, movedims,
                     narrow, narrowFromTensor, numpyT, pixelShuffle,
                     pixelUnshuffle, roll, squeeze, swapaxes, tile, unflatten,
                     unsafeView, viewAs<AtenReshapeAsOp>, viewAs<AtenViewAsOp>,
                     asStrided, broadcastTo, chunk, diagonal<AtenDiagonalOp>,
                     diagonal<AtenLinalgDiagonalOp>, diff, expandAs, flatten,
                     repeated, reshape, select, split, splitWithSizes,
                     squeezeDim, squeezeDims, stack, t, sumToSize, transpose,
                     triangle<AtenTrilOp>, triangle<AtenTriuOp>, unbind);
  decompositions.add(
      matrixTransposed<false, AtenMTOp>, matrixTransposed<true, AtenAdjointOp>,
      matrixTransposed<true, AtenMHOp>, matrixTransposed<true, AtenMatrixHOp>);
  decompositions.add(
      splitAlong<0, pieces, AtenVsplitIntOp>,
      splitAlong<0, piecesBetween, AtenVsplitArrayOp>,
      splitAlong<1, pieces, AtenHsplitIntOp>,
      splitAlong<1, piecesBetween, AtenHsplitArrayOp>,
      splitAlong<2, pieces, AtenDsplitIntOp>,
      splitAlong<2, piecesBetween, AtenDsplitArrayOp>,
      tensorSplit<pieces, AtenTensorSplitSectionsOp>,
      tensorSplit<piecesBetween, AtenTensorSplitIndicesOp>,
      tensorSplit<piecesByTensor, AtenTensorSplitTensorIndicesOrSectionsOp>);
}

} // namespace isthmus::decompose_torch
