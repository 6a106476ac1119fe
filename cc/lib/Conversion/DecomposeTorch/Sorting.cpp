//===- Sorting.cpp - Sorts, and what sorted elements tell -----------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/SortingComposites.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// aten.sort does not specify the order of equal elements; all targets keep it.
static Decompositions::Values sort(AtenSortOp op, TorchBuilder &b) {
  auto sorted = b.create<AtenSortStableOp>(op.getSelf(), b.constantBool(true),
                                           op.getDim(), op.getDescending());
  return {sorted.getValues(), sorted.getIndices()};
}

template <typename Op>
static Value argsort(Op op, TorchBuilder &b) {
  return b.create<AtenSortOp>(op.getSelf(), op.getDim(), op.getDescending())
      .getIndices();
}

/// msort(x): sorted along the first dim.
static Value msort(AtenMsortOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  if (tensorType(x).getRank() == 0)
    return x;
  return b.create<AtenSortOp>(x, b.constant(0), b.constantBool(false))
      .getValues();
}

namespace {

/// The elements along a dim in ascending order, NaN last, from which an op
/// takes one.
class Ranking {
public:
  /// Nothing, and a failure, if the arguments are not known.
  static std::optional<Ranking> make(TorchBuilder &b, Value x, Value dim,
                                     Value keepdim) {
    std::optional<int64_t> known = matchInt(dim);
    std::optional<bool> keeps = matchBool(keepdim);
    if (!known || !keeps) {
      b.fail("expected a dim and keepdim that are known while compiling");
      return std::nullopt;
    }
    bool isScalar = tensorType(x).getRank() == 0;
    if (isScalar)
      x = b.view(x, b.constant(1));
    int64_t normal = normalDim(*known, tensorType(x).getRank());
    auto sorted = b.create<AtenSortStableOp>(
        x, b.constantBool(true), b.constant(normal), b.constantBool(false));
    return Ranking{Tensor(b, sorted.getValues()),
                   Tensor(b, sorted.getIndices()), normal, *keeps && !isScalar};
  }

  /// The elements at places of si64, which have size 1 in the dim, and their
  /// positions before sorting.
  Decompositions::Values take(Tensor places) const {
    TorchBuilder &b = values.builder();
    Decompositions::Values taken;
    for (Tensor x : {values, positions}) {
      Value picked =
          x.apply<AtenGatherOp>(b.constant(dim), places, b.constantBool(false));
      taken.push_back(keepdim ? picked : b.squeeze(picked, dim));
    }
    return taken;
  }

  /// How many of the elements are NaN.
  Tensor countNan() const {
    return sumOver((values != values).as(positions.dtype()), dim);
  }

  Tensor values, positions;
  int64_t dim;
  bool keepdim;
};

} // namespace

/// kthvalue(x, k, dim, keepdim): the k-th smallest element, k from 1.
static Decompositions::Values kthvalue(AtenKthvalueOp op, TorchBuilder &b) {
  auto ranking = Ranking::make(b, op.getSelf(), op.getDim(), op.getKeepdim());
  if (!ranking)
    return {{}, {}};
  Tensor positions = ranking->positions;
  SmallVector<Value> sizes = b.sizes(positions);
  sizes[ranking->dim] = b.constant(1);
  Tensor place =
      scalar(b, b.subInt(op.getK(), b.constant(1)), positions.dtype());
  return ranking->take({b, b.expand(place, sizes)});
}

/// median(x, dim, keepdim): the middle element, the smaller of two. The first
/// NaN instead if there is one, unless these are ignored.
template <bool ignoresNan, typename Op>
static Decompositions::Values median(Op op, TorchBuilder &b) {
  auto ranking = Ranking::make(b, op.getSelf(), op.getDim(), op.getKeepdim());
  if (!ranking)
    return {{}, {}};
  Tensor missing = ranking->countNan();
  Tensor present = countOver(ranking->positions, ranking->dim) - missing;
  auto middleOf = [&](Tensor count) {
    return max(count - 1, 0)
        .template apply<AtenDivTensorModeOp>(count.number(2),
                                             b.constantStr("floor"));
  };
  return ranking->take(ignoresNan
                           ? middleOf(present)
                           : where(missing > 0, present, middleOf(present)));
}

/// The median of all elements.
template <typename MedianOp, typename Op>
static Value medianOfAll(Op op, TorchBuilder &b) {
  return b
      .create<MedianOp>(b.view(op.getSelf(), b.constant(-1)), b.constant(0),
                        b.constantBool(false))
      .getValues();
}

/// mode(x, dim, keepdim): the smallest of the most frequent elements, and its
/// last position.
static Decompositions::Values mode(AtenModeOp op, TorchBuilder &b) {
  auto ranking = Ranking::make(b, op.getSelf(), op.getDim(), op.getKeepdim());
  if (!ranking)
    return {{}, {}};
  int64_t dim = ranking->dim;
  Tensor x = ranking->values;
  Tensor isEqual =
      Tensor(b, b.unsqueeze(x, dim + 1)) == Tensor(b, b.unsqueeze(x, dim));
  // NaN differs from itself and occurs once.
  Tensor counts = max({b, b.sum(isEqual.as(ranking->positions.dtype()), dim + 1,
                                /*keepdim=*/false)},
                      1);
  Tensor first =
      counts.apply<AtenArgmaxOp>(b.constant(dim), b.constantBool(true));
  return ranking->take(first + largestOver(counts, dim) - 1);
}

/// quantile(x, q, dim, keepdim, interpolation): the element at place q * (n -
/// 1) of the n sorted ones, or, between two of them, one of these or a number
/// between. NaN if there is one, unless these are ignored. A q of rank 1 makes
/// the first dim of the result.
template <bool ignoresNan, typename Op>
static Value quantile(Op op, TorchBuilder &b) {
  auto mode = matchStr(op.getInterpolation());
  Tensor own(b, op.getSelf());
  Value x = own, along = op.getDim();
  if (isNone(along)) {
    x = b.view(x, b.constant(-1));
    along = b.constant(0);
  }
  auto ranking = Ranking::make(b, x, along, b.constantBool(true));
  std::optional<bool> keepdim = matchBool(op.getKeepdim());
  if (!ranking)
    return {};
  if (!mode || !keepdim)
    return b.fail("expected an interpolation and keepdim that are known while "
                  "compiling");
  bool isMean = *mode == "linear" || *mode == "midpoint";
  if (!isMean && *mode != "lower" && *mode != "higher" && *mode != "nearest")
    return b.fail("expected an interpolation of linear, lower, higher, "
                  "midpoint or nearest, got '" +
                  *mode + "'");
  int64_t dim = ranking->dim;
  Tensor sorted = ranking->values;
  Type dtype = own.dtype();

  // q as [m], the places as [...,m], with the dim at the end.
  sorted = {b, b.permute(sorted, *movedDims(sorted.rank(), dim, -1))};
  bool isList = isTensor(op.getQ().getType());
  Value asked =
      isList ? b.convert(op.getQ(), dtype) : Value(scalar(b, op.getQ(), dtype));
  bool isRow = tensorType(asked).getRank() == 1;
  Tensor q(b, isRow ? asked : b.view(asked, b.constant(1)));
  int64_t last = sorted.rank() - 1;
  Tensor isNan = sorted != sorted;
  Tensor missing = sumOver(isNan.as(dtype), last);
  Tensor count = countOver(sorted, last);
  Tensor place = ignoresNan ? q * max(count - missing - 1, 0) : q * (count - 1);
  if (!ignoresNan) // the last element is NaN then, and so is the result
    place = where(missing > 0, count - 1, place);
  if (*mode == "nearest")
    place = place.apply<AtenRoundOp>();
  Tensor below = place.apply<AtenFloorOp>(), above = place.apply<AtenCeilOp>();
  Type index = ranking->positions.dtype();
  auto at = [&](Tensor which) {
    return sorted.apply<AtenGatherOp>(b.constant(last), which.as(index),
                                      b.constantBool(false));
  };
  Tensor result = at(*mode == "higher" ? above : below);
  if (isMean) {
    Tensor weight = *mode == "linear" ? place - below : q.number(0.5);
    result = {b, b.create<AtenLerpTensorOp>(result, at(above),
                                            b.expand(weight, b.sizes(result)))};
  }

  // The dim of q comes first, the reduced one is gone or has size 1.
  Value values = b.permute(result, *movedDims(last + 1, -1, 0));
  if (isNone(op.getDim())) {
    SmallVector<Value> sizes(*keepdim ? own.rank() : 0, b.constant(1));
    sizes.insert(sizes.begin(), b.size(values, 0));
    values = b.view(values, sizes);
  } else if (*keepdim && own.rank() > 0) {
    values = b.unsqueeze(values, dim + 1);
  }
  return isRow ? values : b.squeeze(values, 0);
}

/// The elements of the last dim at which a bisection looks as long as it moves
/// to the right: those at n - floor((n + 1) / 2^i) for i = 1, 2 ... up to the
/// last one.
static Tensor rightmostPath(TorchBuilder &b, Tensor sorted) {
  int64_t last = sorted.rank() - 1, n = sorted.sizes()[last];
  Value places;
  if (!ShapedType::isDynamic(n)) {
    SmallVector<int64_t> known;
    for (int64_t rest = (n + 1) / 2; rest > 0; rest /= 2)
      known.push_back(n - rest);
    places = integers(b, known, known.size());
  } else {
    // Where the quotient is 0, an additional element, which is NaN.
    SmallVector<int64_t> powers;
    for (int i = 1; i < 63; ++i)
      powers.push_back(int64_t(1) << i);
    SmallVector<Value> sizes = b.sizes(sorted);
    Tensor count = scalar(b, sizes[last], indexDtype(b));
    places =
        count - (count + 1).apply<AtenDivTensorModeOp>(
                    integers(b, powers, powers.size()), b.constantStr("floor"));
    sizes[last] = b.constant(1);
    sorted = {b, b.cat({sorted, filled(b, sizes, nan, sorted.dtype())}, last)};
  }
  return sorted.apply<AtenIndexSelectOp>(b.constant(last), places);
}

/// searchsorted(sorted [...,n], x [...,m]): the number of elements below x, or,
/// to the right, of elements that are at most x. PyTorch finds it by bisection,
/// which moves to the right of a NaN: if the last elements are NaN, it is n
/// unless the bisection comes to a number that is not below x before.
static Value searchsorted(TorchBuilder &b, Value sorted, Tensor x, Value right,
                          Value side, Value sorter, Type dtype) {
  std::optional<bool> isRight = matchBool(right);
  if (!isNone(side)) {
    std::optional<StringRef> name = matchStr(side);
    isRight = name ? std::optional(*name == "right") : std::nullopt;
  }
  if (!isRight)
    return b.fail("expected right and side to be known while compiling");
  if (!isNone(sorter))
    sorted = b.create<AtenGatherOp>(sorted, b.constant(-1), sorter,
                                    b.constantBool(false));
  Tensor boundaries(b, sorted);
  if (boundaries.rank() == 0)
    return b.fail("expected a sequence of rank 1 or more, got a number");
  if (boundaries.rank() > 1)
    boundaries = {b, b.unsqueeze(boundaries, boundaries.rank() - 1)};
  Tensor each(b, b.unsqueeze(x, x.rank()));
  Tensor isBelow = *isRight ? each >= boundaries : each > boundaries;
  Tensor count(b, b.sum(isBelow, x.rank(), /*keepdim=*/false));
  int64_t last = boundaries.rank() - 1;
  if (isFloatingPoint(boundaries.dtype()) && boundaries.sizes()[last] != 0) {
    Tensor path = rightmostPath(b, boundaries);
    Tensor isAbove = *isRight ? each < path : each <= path;
    Tensor isFound(b, b.create<AtenAnyDimOp>(isAbove, b.constant(x.rank()),
                                             b.constantBool(false)));
    count = where(isFound, count,
                  scalar(b, b.size(boundaries, last), count.dtype()));
  }
  return b.convert(count, dtype);
}

static Value searchsortedTensor(AtenSearchsortedTensorOp op, TorchBuilder &b) {
  return searchsorted(b, op.getSortedSequence(), {b, op.getSelf()},
                      op.getRight(), op.getSide(), op.getSorter(),
                      tensorType(op).getDtype());
}

static Value searchsortedScalar(AtenSearchsortedScalarOp op, TorchBuilder &b) {
  // An integer and a tensor of integers compare as such, others as floats.
  Tensor sorted(b, op.getSortedSequence());
  if (isIntegral(sorted.dtype()) &&
      !isa<torch::IntType>(op.getSelf().getType()))
    sorted = sorted.widened();
  return searchsorted(b, sorted, scalar(b, op.getSelf(), sorted.dtype()),
                      op.getRight(), op.getSide(), op.getSorter(),
                      tensorType(op).getDtype());
}

/// bucketize(x, boundaries): searchsorted with the operands the other way.
static Value bucketize(AtenBucketizeTensorOp op, TorchBuilder &b) {
  return searchsorted(b, op.getBoundaries(), {b, op.getSelf()}, op.getRight(),
                      b.none(), b.none(), tensorType(op).getDtype());
}

void populateSorting(Decompositions &decompositions) {
  decompositions.add(argsort<AtenArgsortOp>, argsort<AtenArgsortStableOp>,
                     msort, bucketize, kthvalue, median<false, AtenMedianDimOp>,
                     median<true, AtenNanmedianDimOp>,
                     medianOfAll<AtenMedianDimOp, AtenMedianOp>,
                     medianOfAll<AtenNanmedianDimOp, AtenNanmedianOp>, mode,
                     quantile<false, AtenQuantileOp>,
                     quantile<false, AtenQuantileScalarOp>,
                     quantile<true, AtenNanquantileOp>,
                     quantile<true, AtenNanquantileScalarOp>,
                     searchsortedScalar, searchsortedTensor, sort);
}

} // namespace isthmus::decompose_torch
