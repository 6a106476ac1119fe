//===- Reduction.cpp - Type rules of reductions and scans -----------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "Dtypes.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// Operand `dimIndex` names the dims (an int, a list or none; none and [] mean
/// all), operand `keepdimIndex` determines whether they stay with size 1;
/// without such an operand, they go.
static LogicalResult reduceAs(TypeInference &op, Type dtype,
                              std::optional<unsigned> keepdimIndex,
                              unsigned dimIndex = 1) {
  ValueTensorType type = op.tensor(0);
  std::optional<bool> keepdim =
      keepdimIndex ? op.boolean(*keepdimIndex) : std::optional(false);
  if (!type.hasRank() || !keepdim)
    return op.giveUnranked(dtype);
  int64_t rank = type.getRank();

  std::optional<SmallVector<int64_t>> dims;
  if (op.isNone(dimIndex))
    dims.emplace();
  else
    dims = op.dims(dimIndex);
  if (!dims)
    return op.giveUnranked(dtype);
  SmallVector<bool> reduced(rank, dims->empty());
  for (int64_t dim : *dims) {
    FailureOr<int64_t> normal = op.normalizeDim(dim, rank);
    if (failed(normal))
      return failure();
    if (rank > 0 && std::exchange(reduced[*normal], true))
      return op.fail("expected each dim once, got " + shapeText(*dims));
  }
  SmallVector<int64_t> sizes;
  for (auto [size, isReduced] : llvm::zip(type.getSizes(), reduced)) {
    if (!isReduced)
      sizes.push_back(size);
    else if (*keepdim)
      sizes.push_back(1);
  }
  return op.give(sizes, dtype);
}

/// Sums and products of integers are si64 by default.
static Type sumDtype(TypeInference &op, unsigned dtypeIndex) {
  Type own = op.dtype(0);
  if (isIntegral(own))
    own = signedDtype(op, 64);
  return op.dtypeArgument(dtypeIndex, own);
}

/// aten.amax(self, dim, keepdim)
LogicalResult reduce(TypeInference &op) { return reduceAs(op, op.dtype(0), 2); }

/// aten.mean.dim(self, dim, keepdim, dtype)
LogicalResult reduce_as(TypeInference &op) {
  return reduceAs(op, op.dtypeArgument(3, op.dtype(0)), 2);
}

/// aten.var.correction(self, dim, correction, keepdim): real, also of complex
/// numbers.
LogicalResult spread(TypeInference &op) {
  return reduceAs(op, partDtype(op.dtype(0)), 3);
}

/// aten.logsumexp(self, dim, keepdim)
LogicalResult reduce_floating(TypeInference &op) {
  return reduceAs(op, toFloating(op.dtype(0)), 2);
}

/// aten.sum.dim_IntList(self, dim, keepdim, dtype)
LogicalResult reduce_sum(TypeInference &op) {
  return reduceAs(op, sumDtype(op, 3), 2);
}

/// aten.sum(self, dtype)
LogicalResult reduce_all_sum(TypeInference &op) {
  return op.give(ArrayRef<int64_t>(), sumDtype(op, 1));
}

/// aten.var_mean.correction(self, dim, correction, keepdim): the variance,
/// which is real, and the mean.
LogicalResult var_mean(TypeInference &op) {
  return failure(failed(reduceAs(op, partDtype(op.dtype(0)), 3)) ||
                 failed(reduceAs(op, op.dtype(0), 3)));
}

/// aten.linalg_vector_norm(self, ord, dim, keepdim, dtype): its dims are
/// operand 2.
LogicalResult vector_norm(TypeInference &op) {
  return reduceAs(op, partDtype(op.dtypeArgument(4, op.dtype(0))), 3,
                  /*dimIndex=*/2);
}

/// The dtype of a truth value: i1, but ui8 for an operand of ui8.
static Type truthDtype(TypeInference &op) {
  Type own = op.dtype(0);
  bool isByte = own && own.isUnsignedInteger(8);
  return isByte ? own : IntegerType::get(op.getContext(), 1);
}

/// aten.norm(self, p, dim, keepdim), and the form with a dtype behind it
LogicalResult vector_norm_of(TypeInference &op) {
  Type dtype = partDtype(op.dtype(0));
  if (op.getOperands().size() > 4)
    dtype = partDtype(op.dtypeArgument(4, dtype));
  return reduceAs(op, dtype, 3, /*dimIndex=*/2);
}

/// aten.norm(self, p) of all elements, and the form with a dtype behind p
LogicalResult norm_of_all(TypeInference &op) {
  Type dtype = partDtype(op.dtype(0));
  if (op.getOperands().size() > 2)
    dtype = partDtype(op.dtypeArgument(2, dtype));
  return op.give(ArrayRef<int64_t>(), dtype);
}

/// aten.cosine_similarity(x1, x2, dim, eps): x1 and x2 broadcast, and the
/// result drops the dim.
LogicalResult cosine_similarity(TypeInference &op) {
  ValueTensorType a = op.tensor(0), b = op.tensor(1);
  std::optional<int64_t> dim = op.integer(2);
  Type dtype = resultDtype(op.getOperands().take_front(2));
  if (!a.hasRank() || !b.hasRank() || !dim)
    return op.giveUnranked(dtype);
  auto sizes = broadcastShapes(a.getSizes(), b.getSizes());
  if (!sizes)
    return op.fail("expected shapes that broadcast, got " +
                   shapeText(a.getSizes()) + " and " + shapeText(b.getSizes()));
  FailureOr<int64_t> normal = op.normalizeDim(*dim, sizes->size());
  if (failed(normal))
    return failure();
  if (!sizes->empty())
    sizes->erase(sizes->begin() + *normal);
  return op.give(*sizes, dtype);
}

LogicalResult reduce_to_bool(TypeInference &op) {
  return reduceAs(op, truthDtype(op), 2);
}

/// aten.argmax(self, dim?, keepdim)
LogicalResult reduce_to_index(TypeInference &op) {
  return reduceAs(op, signedDtype(op, 64), 2);
}

/// aten.max.dim(self, dim, keepdim): the values and their indices.
LogicalResult reduce_with_index(TypeInference &op) {
  return failure(failed(reduceAs(op, op.dtype(0), 2)) ||
                 failed(reduce_to_index(op)));
}

/// aten.kthvalue(self, k, dim, keepdim): the values and their indices.
LogicalResult kthvalue(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> k = op.integer(1), dim = op.integer(2);
  if (type.hasRank() && k && dim) {
    FailureOr<int64_t> normal = op.normalizeDim(*dim, type.getRank());
    if (failed(normal))
      return failure();
    int64_t count = type.getRank() ? type.getSizes()[*normal] : 1;
    if (*k < 1 || (!ShapedType::isDynamic(count) && *k > count))
      return op.fail("expected a k from 1 to the size of the dim, got " +
                     Twine(*k) + " for " + shapeText(type.getSizes()));
  }
  Type index = signedDtype(op, 64);
  return failure(failed(reduceAs(op, op.dtype(0), 3, /*dimIndex=*/2)) ||
                 failed(reduceAs(op, index, 3, /*dimIndex=*/2)));
}

/// aten.max(self), aten.mean(self, dtype), aten.std(self, unbiased),
/// aten.dist(self, other, p): rank 0.
LogicalResult reduce_all(TypeInference &op) {
  Type dtype = op.dtype(0);
  bool hasSecond = op.getOperands().size() > 1;
  if (hasSecond && isTensor(op[1].getType()))
    dtype = partDtype(resultDtype(op.getOperands().take_front(2)));
  else if (hasSecond && isBool(op[1].getType()))
    dtype = partDtype(dtype);
  else if (hasSecond)
    dtype = op.dtypeArgument(1, dtype);
  return op.give(ArrayRef<int64_t>(), dtype);
}

LogicalResult reduce_all_to_bool(TypeInference &op) {
  return op.give(ArrayRef<int64_t>(), truthDtype(op));
}

/// aten.cumsum(self, dim, dtype)
LogicalResult scan(TypeInference &op) {
  if (failed(op.expectDims(1)))
    return failure();
  return op.giveLike(op.tensor(0), sumDtype(op, 2));
}

/// aten.softmax.int(self, dim, dtype)
LogicalResult softmax(TypeInference &op) {
  if (failed(op.expectDims(1)))
    return failure();
  return op.giveLike(op.tensor(0), op.dtypeArgument(2, op.dtype(0)));
}

/// aten._softmax(self, dim, half_to_float)
LogicalResult softmax_half(TypeInference &op) {
  if (failed(op.expectDims(1)))
    return failure();
  std::optional<bool> toFloat = op.boolean(2);
  Type wide = Float32Type::get(op.getContext());
  return op.giveLike(op.tensor(0), !toFloat   ? Type()
                                   : *toFloat ? wide
                                              : op.dtype(0));
}

/// The common batches of x1 [...,P,M] and x2 [...,R,M], which are operands
/// `first` and `first` + 1, and then what `matrix` gives for them; in the dtype
/// of operand 0.
static LogicalResult giveOfPairs(
    TypeInference &op, unsigned first,
    function_ref<SmallVector<int64_t>(ArrayRef<int64_t>, ArrayRef<int64_t>)>
        matrix) {
  ValueTensorType a = op.tensor(first), b = op.tensor(first + 1);
  if (!a.hasRank() || !b.hasRank())
    return op.giveUnranked(op.dtype(0));
  if (a.getRank() < 2 || b.getRank() < 2)
    return op.fail("expected operands of rank 2 or more, got " +
                   shapeText(a.getSizes()) + " and " + shapeText(b.getSizes()));
  auto sizes =
      broadcastShapes(a.getSizes().drop_back(2), b.getSizes().drop_back(2));
  if (!sizes)
    return op.fail("expected batches that broadcast, got " +
                   shapeText(a.getSizes()) + " and " + shapeText(b.getSizes()));
  sizes->append(matrix(a.getSizes().take_back(2), b.getSizes().take_back(2)));
  return op.give(*sizes, op.dtype(0));
}

/// aten._cdist_forward(x1 [...,P,M], x2 [...,R,M], ...): [...,P,R].
LogicalResult cdist(TypeInference &op) {
  return giveOfPairs(
      op, 0, [](auto a, auto b) { return SmallVector<int64_t>{a[0], b[0]}; });
}

/// aten._cdist_backward(grad [...,P,R], x1 [...,P,M], x2 [...,R,M], ...): [...,
/// P,M]. The program itself sums over batches that x1 lacks.
LogicalResult cdist_backward(TypeInference &op) {
  return giveOfPairs(op, 1, [](auto a, auto) {
    return SmallVector<int64_t>(a.begin(), a.end());
  });
}

/// aten._pdist_forward(self [n,m], p): one element for each pair of rows.
LogicalResult pdist(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  if (type.getRank() != 2)
    return op.fail("expected a matrix, got " + shapeText(type.getSizes()));
  StaticSizes a;
  int64_t n = type.getSizes()[0];
  return op.give({a.floorDiv(a.mul(n, a.sub(n, 1)), 2)}, type.getDtype());
}

/// aten.count_nonzero(self, dim), aten.count_nonzero.dim_IntList(self, dim)
LogicalResult count_nonzero(TypeInference &op) {
  Type number = signedDtype(op, 64);
  return reduceAs(op, number, /*keepdimIndex=*/std::nullopt);
}

/// aten._aminmax(self): two numbers.
LogicalResult aminmax_of_all(TypeInference &op) {
  ArrayRef<int64_t> none;
  return failure(failed(op.give(none, op.dtype(0))) ||
                 failed(op.give(none, op.dtype(0))));
}

/// aten.aminmax(self, dim, keepdim): two results of the same type.
LogicalResult aminmax(TypeInference &op) {
  return failure(failed(reduceAs(op, op.dtype(0), 2)) ||
                 failed(reduceAs(op, op.dtype(0), 2)));
}

/// aten.var_mean(self, unbiased): two numbers, of which the variance is real.
LogicalResult var_mean_all(TypeInference &op) {
  ArrayRef<int64_t> none;
  return failure(failed(op.give(none, partDtype(op.dtype(0)))) ||
                 failed(op.give(none, op.dtype(0))));
}

/// aten.pairwise_distance(x1, x2, p, eps, keepdim): x1 and x2 broadcast, and
/// the last dim is reduced. eps is no integer.
LogicalResult pairwise_distance(TypeInference &op) {
  ValueTensorType a = op.tensor(0), b = op.tensor(1);
  std::optional<bool> keepdim = op.boolean(4);
  Type dtype =
      partDtype(toFloating(resultDtype(op.getOperands().take_front(2))));
  if (!a.hasRank() || !b.hasRank() || !keepdim)
    return op.giveUnranked(dtype);
  auto sizes = broadcastShapes(a.getSizes(), b.getSizes());
  if (!sizes || sizes->empty())
    return op.fail("expected shapes that broadcast to rank 1 or more, got " +
                   shapeText(a.getSizes()) + " and " + shapeText(b.getSizes()));
  sizes->pop_back();
  if (*keepdim)
    sizes->push_back(1);
  return op.give(*sizes, dtype);
}

/// aten.renorm(self, p, dim, maxnorm)
LogicalResult renorm(TypeInference &op) {
  if (failed(op.expectDims(2)))
    return failure();
  return op.give(op.tensor(0));
}

} // namespace isthmus::torch::rules
