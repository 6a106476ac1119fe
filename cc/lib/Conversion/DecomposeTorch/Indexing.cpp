//===- Indexing.cpp - Elements chosen by index tensors --------------------===//

#include "Checks.h"
#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/SortingComposites.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// embedding(weight [V,E], indices [...]) = weight[indices], of sizes [...,E].
/// The other arguments only affect gradients.
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

/// index(x, indices) without None among the indices.
static Value indexTwin(AtenIndexTensorHackedTwinOp op, TorchBuilder &b) {
  auto indices = matchList(op.getIndices());
  if (!indices)
    return b.fail("expected a list of indices that is known while compiling");
  return b.create<AtenIndexTensorOp>(op.getSelf(), b.optionalTensors(*indices));
}

static Value unsafeIndex(Aten_UnsafeIndexTensorOp op, TorchBuilder &b) {
  return b.create<AtenIndexTensorOp>(op.getSelf(), op.getIndices());
}

static Value unsafeIndexPut(Aten_UnsafeIndexPutOp op, TorchBuilder &b) {
  return b.create<AtenIndexPutOp>(op.getSelf(), op.getIndices(), op.getValues(),
                                  op.getAccumulate());
}

/// Indices in the range of their dims, for elements that a mask hides; nothing,
/// and a failure, if the list is not known.
static Value clampedIndices(TorchBuilder &b, Value x, Value list) {
  auto indices = matchList(list);
  if (!indices)
    return b.fail("expected a list of indices that is known while compiling");
  for (auto [dim, index] : llvm::enumerate(*indices))
    if (!isNone(index))
      index = b.create<AtenClampOp>(index, b.constant(0),
                                    b.subInt(b.size(x, dim), b.constant(1)));
  return b.optionalTensors(*indices);
}

/// _unsafe_masked_index(x, mask, indices, fill) = x[indices] where the mask is
/// true, and fill elsewhere.
static Value maskedIndex(Aten_UnsafeMaskedIndexOp op, TorchBuilder &b) {
  Value indices = clampedIndices(b, op.getSelf(), op.getIndices());
  if (!indices)
    return {};
  Tensor picked(b, b.create<AtenIndexTensorOp>(op.getSelf(), indices));
  return where(Tensor(b, op.getMask()), picked,
               scalar(b, op.getFill(), picked.dtype()));
}

/// Adds the values where the mask is true.
static Value maskedIndexPut(Aten_UnsafeMaskedIndexPutAccumulateOp op,
                            TorchBuilder &b) {
  Value indices = clampedIndices(b, op.getSelf(), op.getIndices());
  if (!indices)
    return {};
  Tensor values = where(Tensor(b, op.getMask()), Tensor(b, op.getValues()), 0);
  return b.create<AtenIndexPutOp>(op.getSelf(), indices, values,
                                  b.constantBool(true));
}

/// one_hot(x, classes)[..., c] = 1 where x is c, else 0. For classes = -1, the
/// largest element determines the number of classes.
static Value oneHot(AtenOneHotOp op, TorchBuilder &b) {
  std::optional<int64_t> known = matchInt(op.getNumClasses());
  if (!known)
    return b.fail("expected a number of classes that is known while compiling");
  Tensor x(b, op.getSelf());
  Value classes = op.getNumClasses();
  if (*known < 0) {
    Value largest = b.create<AtenIntTensorOp>(b.create<AtenMaxOp>(x));
    classes = b.addInt(largest, b.constant(1));
  }
  Tensor isClass = x >= 0;
  if (*known >= 0)
    isClass = isClass & (x < scalar(b, classes, x.dtype()));
  checkAll(isClass, "classes of 0 or more and below the number of classes");
  Tensor each = range(b, b.constant(0), classes).as(x.dtype());
  return (Tensor(b, b.unsqueeze(x, x.rank())) == each).as(x.dtype());
}

/// repeat_interleave(repeats): position j of the result belongs to the element
/// whose index is the number of elements whose repeats end at or before j.
static Value repeatedPositions(AtenRepeatInterleaveTensorOp op,
                               TorchBuilder &b) {
  Tensor repeats(b, op.getRepeats());
  if (repeats.rank() != 1)
    return b.fail("expected repeats of rank 1");
  checkAll(repeats >= 0, "repeats of 0 or more");
  Value total = op.getOutputSize();
  if (isNone(total))
    total = b.create<AtenIntTensorOp>(b.sum(repeats, {0}, /*keepdim=*/false));
  Tensor ends = repeats.apply<AtenCumsumOp>(b.constant(0), b.none());
  return countEnds(b, ends, total).as(repeats.dtype());
}

/// The dim of x given by an operand. For None, x is flattened and its only dim
/// is used. Nothing if the dim is not known at compile time.
static std::optional<int64_t> dimOrAll(TorchBuilder &b, Value &x,
                                       Value operand) {
  if (isNone(operand)) {
    x = b.view(x, b.constant(-1));
    return 0;
  }
  if (std::optional<int64_t> dim = matchInt(operand))
    return normalDim(*dim, tensorType(x).getRank());
  b.fail(kConstantDim);
  return std::nullopt;
}

/// repeat_interleave(x, n, dim): repeats each element of the dim n times,
/// consecutively.
static Value repeatInterleave(AtenRepeatInterleaveSelfIntOp op,
                              TorchBuilder &b) {
  Value x = op.getSelf();
  std::optional<int64_t> dim = dimOrAll(b, x, op.getDim());
  if (!dim)
    return {};
  SmallVector<Value> joined = b.sizes(x), expanded = joined;
  expanded.insert(expanded.begin() + *dim + 1, op.getRepeats());
  joined[*dim] = b.mulInt(joined[*dim], op.getRepeats());
  return b.view(b.expand(b.unsqueeze(x, *dim + 1), expanded), joined);
}

/// repeat_interleave(x, repeats, dim): each element of the dim is repeated
/// according to its own repeats, or to a single number for all.
static Value repeatEach(AtenRepeatInterleaveSelfTensorOp op, TorchBuilder &b) {
  Value x = op.getSelf(), repeats = op.getRepeats();
  std::optional<int64_t> dim = dimOrAll(b, x, op.getDim());
  if (!dim)
    return {};
  ArrayRef<int64_t> count = tensorType(repeats).getSizes();
  if (count.empty() || count.front() == 1 ||
      ShapedType::isDynamic(count.front()))
    repeats = b.expand(repeats, b.size(x, *dim));
  Value positions =
      b.create<AtenRepeatInterleaveTensorOp>(repeats, op.getOutputSize());
  return b.create<AtenIndexSelectOp>(x, b.constant(*dim), positions);
}

namespace {
/// Where an op puts the elements of a source: source[..., j, ...] goes to
/// x[..., index[j], ...].
struct Destination {
  Value x, source, dim, index; // an index for each element of the source
};
} // namespace

/// A result in the sizes of the op's: rank 0 for an x of rank 0.
template <typename Op>
static Value withRankOf(Op op, TorchBuilder &b, Value result) {
  bool isScalar = tensorType(op.getSelf()).getRank() == 0;
  return isScalar ? b.squeeze(result, 0) : result;
}

/// Nothing, and a failure, if the dim is not known or the ranks do not fit.
template <typename Op>
static std::optional<Destination> destinationOf(Op op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  Value x = atLeastRow({b, op.getSelf()}),
        source = atLeastRow({b, op.getSource()});
  int64_t rank = tensorType(x).getRank();
  if (!dim) {
    b.fail(kConstantDim);
    return std::nullopt;
  }
  if (tensorType(source).getRank() != rank) {
    b.fail("expected a source of the tensor's rank");
    return std::nullopt;
  }
  int64_t normal = normalDim(*dim, rank);
  Value index = atLeastRow({b, op.getIndex()});
  return Destination{x, source, b.constant(normal),
                     spreadIndex(b, index, normal, b.sizes(source))};
}

/// index_add(x, dim, index, source, alpha) adds alpha * source.
static Value indexAdd(AtenIndexAddOp op, TorchBuilder &b) {
  auto place = destinationOf(op, b);
  if (!place)
    return {};
  Tensor source(b, place->source);
  if (matchNumber(op.getAlpha()) != 1.0)
    source = source * scalar(b, op.getAlpha(), source.dtype());
  Value result = b.create<AtenScatterReduceTwoOp>(
      place->x, place->dim, place->index, source, b.constantStr("sum"),
      b.constantBool(true));
  return withRankOf(op, b, result);
}

/// index_reduce(x, dim, index, source, reduce, include_self)
static Value indexReduce(AtenIndexReduceOp op, TorchBuilder &b) {
  auto place = destinationOf(op, b);
  if (!place)
    return {};
  Value result = b.create<AtenScatterReduceTwoOp>(
      place->x, place->dim, place->index, place->source, op.getReduce(),
      op.getIncludeSelf());
  return withRankOf(op, b, result);
}

/// index_copy(x, dim, index, source) replaces elements.
static Value indexCopy(AtenIndexCopyOp op, TorchBuilder &b) {
  auto place = destinationOf(op, b);
  if (!place)
    return {};
  Value result = b.create<AtenScatterSrcOp>(place->x, place->dim, place->index,
                                            place->source);
  return withRankOf(op, b, result);
}

/// put(x, index, source, accumulate) replaces elements of x.flat, or adds to
/// them.
static Value put(AtenPutOp op, TorchBuilder &b) {
  Value rest = b.constant(-1);
  Value result = b.create<AtenIndexPutOp>(
      b.view(op.getSelf(), rest),
      b.optionalTensors(b.view(op.getIndex(), rest)),
      b.view(op.getSource(), b.product(b.sizes(op.getIndex()))),
      op.getAccumulate());
  return b.view(result, b.sizes(op.getSelf()));
}

/// index_fill(x, dim, index, value): x[..., index[j], ...] becomes the value.
template <typename Op>
static Value indexFill(Op op, TorchBuilder &b) {
  Tensor x = atLeastRow({b, op.getSelf()}), index(b, op.getIndex());
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  // An element is filled if any index selects it: no element is written twice.
  int64_t normal = normalDim(*dim, x.rank());
  Value size = b.size(x, normal);
  Tensor named(b,
               b.view(index, ArrayRef<Value>{b.constant(1), b.constant(-1)}));
  named = fromStart(named, size);
  Tensor place(b, b.unsqueeze(range(b, b.constant(0), size), 1));
  Tensor isFilled = largestOver(place.as(index.dtype()) == named, 1);
  Value value = op.getValue();
  Tensor fill = isTensor(value.getType()) ? Tensor(b, value).as(x.dtype())
                                          : scalar(b, value, x.dtype());
  Tensor filled =
      where({b, alongFirst(b, isFilled, size, x.rank() - normal)}, fill, x);
  return withRankOf(op, b, filled);
}

/// masked_select(x, mask): the elements where the mask is true, as one row;
/// both operands are broadcast to one shape.
static Value maskedSelect(AtenMaskedSelectOp op, TorchBuilder &b) {
  SmallVector<Value> sizes =
      broadcastSizes(b, b.sizes(op.getSelf()), b.sizes(op.getMask()));
  auto inRow = [&](Value x) {
    return b.view(b.expand(x, sizes), b.constant(-1));
  };
  Value places = b.create<AtenNonzeroOp>(inRow(op.getMask()));
  return b.create<AtenIndexSelectOp>(inRow(op.getSelf()), b.constant(0),
                                     b.squeeze(places, 1));
}

/// isin(x, y): whether each element of x equals one of y.
static Value isIn(TorchBuilder &b, Tensor x, Tensor y, Value inverts) {
  std::optional<bool> isInverse = matchBool(inverts);
  if (!isInverse)
    return b.fail("expected invert to be known while compiling");
  Tensor each(b, b.unsqueeze(x, x.rank()));
  Tensor isEqual = each == Tensor(b, b.view(y, b.constant(-1)));
  int64_t last = x.rank();
  Tensor isAny(b, b.create<AtenAnyDimOp>(isEqual, b.constant(last),
                                         b.constantBool(false)));
  return *isInverse ? !isAny : isAny;
}

static Value isInTensor(AtenIsinTensorTensorOp op, TorchBuilder &b) {
  return isIn(b, {b, op.getElements()}, {b, op.getTestElements()},
              op.getInvert());
}
/// A float is not cut off to an integer.
static Type comparedDtype(TorchBuilder &b, Value number, Type dtype) {
  bool isInt = isa<torch::IntType>(number.getType());
  return isIntegral(dtype) && !isInt ? Type(Float32Type::get(b.getContext()))
                                     : dtype;
}
static Value isInNumber(AtenIsinTensorScalarOp op, TorchBuilder &b) {
  Tensor x(b, op.getElements());
  Type dtype = comparedDtype(b, op.getTestElement(), x.dtype());
  return isIn(b, x.as(dtype), scalar(b, op.getTestElement(), dtype),
              op.getInvert());
}
static Value numberIsIn(AtenIsinScalarTensorOp op, TorchBuilder &b) {
  Tensor y(b, op.getTestElements());
  Type dtype = comparedDtype(b, op.getElement(), y.dtype());
  return isIn(b, scalar(b, op.getElement(), dtype), y.as(dtype),
              op.getInvert());
}

/// where(condition): the positions of true elements, a tensor for each dim.
static Value placesWhere(AtenWhereOp op, TorchBuilder &b) {
  int64_t rank = tensorType(op.getCondition()).getRank();
  if (rank == 0)
    return b.fail("expected a condition of rank 1 or more");
  Value places = b.create<AtenNonzeroOp>(op.getCondition());
  SmallVector<Value> perDim;
  for (int64_t dim = 0; dim < rank; ++dim)
    perDim.push_back(
        b.squeeze(b.slice(places, 1, b.constant(dim), b.constant(dim + 1)), 1));
  return listOf(op, b, perDim);
}

/// Whether an element, or a slice [n,...] of dim 0, differs from the one
/// before. `place` is [0, n).
static Tensor startsRun(Tensor x, Tensor place) {
  TorchBuilder &b = x.builder();
  Tensor before = x.apply<AtenIndexSelectOp>(b.constant(0), max(place - 1, 0));
  Tensor differs = x != before;
  if (x.rank() > 1) {
    SmallVector<int64_t> inner = allDims(x.rank());
    inner.erase(inner.begin());
    differs = {b, b.create<AtenAnyDimsOp>(differs, b.ints(inner),
                                          b.constantBool(false))};
  }
  return (place == 0) | differs;
}

/// The first elements of runs, or slices of dim 0, and, if an op asks for them,
/// the run of each element, in these sizes, and the lengths of the runs.
/// `places` are the positions of the elements in the op's operand, or null if
/// they are its own.
static Decompositions::Values runs(Operation *op, TorchBuilder &b, Tensor x,
                                   Value places, Value returnsInverse,
                                   Value returnsCounts,
                                   ArrayRef<Value> inverseSizes) {
  Value zero = b.constant(0), one = b.constant(1);
  Value count = b.size(x, 0);
  Tensor place = range(b, zero, count), isFirst = startsRun(x, place);
  Tensor firsts(b, b.squeeze(b.create<AtenNonzeroOp>(isFirst), 1));
  Value occurring = x.apply<AtenIndexSelectOp>(zero, firsts);
  auto wanted = [&](unsigned result, Value flag, auto build) -> Value {
    if (op->getResult(result).use_empty())
      return {};
    if (matchBool(flag) == true)
      return build();
    return b.create<AtenFullOp>(b.ints(0), zero, b.dtype(place.dtype()),
                                b.none(), b.none(), b.none());
  };
  Value inverse = wanted(1, returnsInverse, [&] {
    Tensor number(
        b, b.create<AtenCumsumOp>(isFirst.as(place.dtype()), zero, b.none()));
    Value run = number - 1;
    if (places)
      run = b.create<AtenScatterSrcOp>(place, zero, places, run);
    return b.view(run, inverseSizes);
  });
  Value counts = wanted(2, returnsCounts, [&]() -> Value {
    Tensor end(b, b.view(scalar(b, count, place.dtype()), one));
    Tensor next(b, b.cat({b.slice(firsts, 0, one), end}, 0));
    // Without elements, `next` has an end but no start.
    Tensor ends(b, b.slice(next, 0, zero, b.size(firsts, 0)));
    return ends - firsts;
  });
  return {occurring, inverse, counts};
}

/// unique(x): the runs of the sorted elements.
static Decompositions::Values unique(Aten_Unique2Op op, TorchBuilder &b) {
  Value flat = b.view(op.getSelf(), b.constant(-1));
  auto sorted =
      b.create<AtenSortOp>(flat, b.constant(0), b.constantBool(false));
  return runs(op, b, {b, sorted.getValues()}, sorted.getIndices(),
              op.getReturnInverse(), op.getReturnCounts(),
              b.sizes(op.getSelf()));
}

/// The order of the slices of dim 0 that sorts them by their first elements,
/// those that are equal by the next ones, and so on.
static Tensor sortedSlices(TorchBuilder &b, Tensor x) {
  Value rows = b.size(x, 0);
  // Without rows, a size of -1 would be ambiguous.
  Value columns = b.product(ArrayRef(b.sizes(x)).drop_front()),
        one = b.constant(1);
  Tensor flat(b, b.view(x, {rows, columns}));
  Tensor order = range(b, b.constant(0), rows);
  // Sorts that keep the order of equal elements, from the last column on.
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    Value column = b.subInt(b.subInt(columns, one), number);
    Value keys = b.squeeze(
        b.slice(flat, 1, column, b.fold<AtenAddIntOp>(column, one)), 1);
    Value current = b.create<AtenIndexSelectOp>(keys, b.constant(0), states[0]);
    auto sorted = b.create<AtenSortStableOp>(
        current, b.constantBool(true), b.constant(0), b.constantBool(false));
    return {
        states[0].apply<AtenIndexSelectOp>(b.constant(0), sorted.getIndices())};
  };
  return repeat(b, columns, {order}, step)[0];
}

/// The runs among the slices of a dim, perhaps sorted ones. Like PyTorch, it
/// gives all results even if they are not asked for.
static Decompositions::Values runsOfSlices(Operation *op, TorchBuilder &b,
                                           Value own, Value dim, bool sorts) {
  std::optional<int64_t> known = matchInt(dim);
  int64_t rank = tensorType(own).getRank();
  if (!known || rank == 0)
    return {b.fail(kConstantDim), {}, {}};
  // The dim comes first. The others keep their order, by which slices are
  // sorted.
  int64_t along = normalDim(*known, rank);
  SmallVector<int64_t> toFirst = *movedDims(rank, along, 0),
                       back = *movedDims(rank, 0, along);
  Tensor x(b, b.permute(own, toFirst));
  Value places;
  if (sorts) {
    places = sortedSlices(b, x);
    x = x.apply<AtenIndexSelectOp>(b.constant(0), places);
  }
  Decompositions::Values results = runs(op, b, x, places, b.constantBool(true),
                                        b.constantBool(true), b.size(x, 0));
  results[0] = b.permute(results[0], back);
  return results;
}

static Decompositions::Values uniqueDim(AtenUniqueDimOp op, TorchBuilder &b) {
  return runsOfSlices(op, b, op.getSelf(), op.getDim(), /*sorts=*/true);
}

static Decompositions::Values uniqueConsecutive(AtenUniqueConsecutiveOp op,
                                                TorchBuilder &b) {
  if (!isNone(op.getDim()))
    return runsOfSlices(op, b, op.getSelf(), op.getDim(), /*sorts=*/false);
  return runs(op, b, {b, b.view(op.getSelf(), b.constant(-1))}, /*places=*/{},
              op.getReturnInverse(), op.getReturnCounts(),
              b.sizes(op.getSelf()));
}

/// take(x, index): elements of the flat tensor; negative indices count from the
/// end.
static Value take(AtenTakeOp op, TorchBuilder &b) {
  Value flat = b.view(op.getSelf(), b.constant(-1));
  return b.create<AtenIndexTensorOp>(flat, b.optionalTensors(op.getIndex()));
}

/// take_along_dim(x, indices, dim) = gather(x, dim, indices), where both
/// broadcast in the other dims; of the flat tensors without a dim.
static Value takeAlongDim(AtenTakeAlongDimOp op, TorchBuilder &b) {
  Value x = op.getSelf(), indices = op.getIndices(), zero = b.constant(0);
  if (isNone(op.getDim())) {
    Value all = b.constant(-1);
    return b.create<AtenGatherOp>(b.view(x, all), zero, b.view(indices, all),
                                  b.constantBool(false));
  }
  std::optional<int64_t> dim = matchInt(op.getDim());
  int64_t rank = tensorType(x).getRank();
  if (!dim || rank == 0 || tensorType(indices).getRank() != rank)
    return b.fail("expected a dim that is known while compiling, and indices "
                  "of the rank of the tensor");
  int64_t along = normalDim(*dim, rank);
  SmallVector<Value> own = b.sizes(x), wanted = b.sizes(indices);
  Value size = own[along], count = wanted[along];
  own[along] = wanted[along] = b.constant(1);
  SmallVector<Value> common = broadcastSizes(b, own, wanted);
  auto expanded = [&](Value tensor, Value length) {
    common[along] = length;
    return b.expand(tensor, common);
  };
  Value source = expanded(x, size), places = expanded(indices, count);
  return b.create<AtenGatherOp>(source, b.constant(along), places,
                                b.constantBool(false));
}

/// nonzero_static(x, size, fill_value): the first `size` positions of elements
/// that are not 0; fill_value where there are fewer.
static Value nonzeroStatic(AtenNonzeroStaticOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  Type number = indexDtype(b);
  Value one = b.constant(1);
  if (x.rank() == 0)
    return b.create<AtenFullOp>(b.ints({op.getSize(), b.constant(0)}),
                                op.getFillValue(), b.dtype(number), b.none(),
                                b.none(), b.none());
  // The i-th of them is behind as many elements as have at most i among them.
  Tensor flags(b, b.view((x != 0).as(number), b.constant(-1)));
  Tensor counts = flags.apply<AtenCumsumOp>(b.constant(0), b.none());
  Tensor place(b, b.unsqueeze(countEnds(b, counts, op.getSize()), 1));
  Tensor isThere = place < scalar(b, b.size(flags, 0), number);
  SmallVector<Value> coordinates(x.rank());
  for (int64_t dim = x.rank() - 1; dim >= 0; --dim) {
    Tensor size = scalar(b, b.maxInt(b.size(x, dim), one), number);
    Tensor next =
        place.apply<AtenDivTensorModeOp>(size, b.constantStr("floor"));
    coordinates[dim] = place - next * size;
    place = next;
  }
  return where(isThere, {b, b.cat(coordinates, 1)},
               scalar(b, op.getFillValue(), number));
}

/// bincount(x, weights, minlength): how often each number occurs in x, or the
/// sum of its weights. A program may say that there are no more results than
/// minlength, as one that gives them a shape.
static Value bincount(AtenBincountOp op, TorchBuilder &b) {
  Type number = indexDtype(b), dtype = tensorType(op).getDtype();
  Tensor x = Tensor(b, op.getSelf()).as(number);
  Value zero = b.constant(0), size = op.getMinlength();
  std::optional<int64_t> known = matchInt(size);
  if (x.sizes() != ArrayRef<int64_t>{0} &&
      (!known || tensorType(op).getSizes() != ArrayRef(*known))) {
    // With the least size among the elements, the largest exists.
    Tensor least = scalar(b, b.subInt(size, b.constant(1)), number);
    Value largest = b.create<AtenIntTensorOp>(
        b.create<AtenMaxOp>(b.cat({x, b.unsqueeze(least, 0)}, 0)));
    size = b.addInt(largest, b.constant(1));
  }
  Tensor numbers = range(b, zero, size);
  Tensor weights =
      isNone(op.getWeights()) ? x * 0 + 1 : Tensor(b, op.getWeights());
  return b.create<AtenScatterAddOp>((numbers * 0).as(dtype), zero, x,
                                    weights.as(dtype));
}

/// The number in a one-element tensor.
template <typename Op>
static Value item(Op op, TorchBuilder &b) {
  Value x = op.getSelf();
  Type dtype = tensorType(x).getDtype();
  if (tensorType(x).getRank() > 0)
    x = b.view(x, ValueRange());
  if (isBoolean(dtype))
    return b.create<AtenBoolTensorOp>(x);
  if (isIntegral(dtype))
    return b.create<AtenIntTensorOp>(x);
  return b.create<AtenFloatTensorOp>(x);
}

void populateIndexing(Decompositions &decompositions) {
  decompositions.add(
      take, takeAlongDim, bincount, embedding, maskedIndex, maskedIndexPut,
      indexAdd, indexCopy, indexFill<AtenIndexFillIntScalarOp>,
      indexFill<AtenIndexFillIntTensorOp>, indexReduce, indexTwin, isInNumber,
      isInTensor, numberIsIn, item<Aten_LocalScalarDenseOp>, item<AtenItemOp>,
      maskedSelect, nonzeroStatic, oneHot, placesWhere, put, repeatEach,
      repeatedPositions, repeatInterleave, unique, uniqueConsecutive, uniqueDim,
      unsafeIndex, unsafeIndexPut);
}

} // namespace isthmus::decompose_torch
