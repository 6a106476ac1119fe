//===- Sorting.cpp - Type rules of sorts and topk -------------------------===//
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

/// aten.argsort(self, dim, descending)
LogicalResult argsort(TypeInference &op) {
  if (failed(op.expectDims(1)))
    return failure();
  return op.giveLike(op.tensor(0), signedDtype(op, 64));
}

/// Positions for operand `index`, a tensor or a number: si32 if operand 2,
/// out_int32, is true.
static LogicalResult positionsFor(TypeInference &op, unsigned index) {
  std::optional<bool> isNarrow = op.boolean(2);
  Type dtype = isNarrow ? signedDtype(op, *isNarrow ? 32 : 64) : Type();
  return isTensor(op[index].getType()) ? op.giveLike(op.tensor(index), dtype)
                                       : op.give(ArrayRef<int64_t>(), dtype);
}

/// aten.bucketize.Tensor(self, boundaries, out_int32, right)
LogicalResult bucketize(TypeInference &op) { return positionsFor(op, 0); }

/// aten.searchsorted.Tensor(sorted_sequence, self, out_int32, right, side,
/// sorter); self is a number in searchsorted.Scalar.
LogicalResult searchsorted(TypeInference &op) { return positionsFor(op, 1); }

/// aten.sort(self, dim, descending), aten.sort.stable(self, stable, dim,
/// descending), aten.cummax(self, dim)
LogicalResult sort(TypeInference &op) {
  return failure(failed(op.expectDims(isInt(op[1].getType()) ? 1 : 2)) ||
                 failed(op.give(op.tensor(0))) ||
                 failed(op.giveLike(op.tensor(0), signedDtype(op, 64))));
}

/// aten.topk(self, k, dim, largest, sorted): dim `dim` becomes k.
LogicalResult topk(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  Type index = signedDtype(op, 64);
  std::optional<int64_t> dim = op.integer(2);
  if (!type.hasRank() || !dim)
    return failure(failed(op.giveUnranked(type.getDtype())) ||
                   failed(op.giveUnranked(index)));
  FailureOr<int64_t> normal = op.normalizeDim(*dim, type.getRank());
  if (failed(normal))
    return failure();
  SmallVector<int64_t> sizes(type.getSizes());
  if (std::optional<int64_t> k = op.integer(1);
      k &&
      (*k < 0 || (!sizes.empty() && StaticSizes::known(sizes[*normal], *k) &&
                  *k > sizes[*normal])))
    return op.fail("expected to choose among as many elements, got " +
                   Twine(*k) + " of " + shapeText(sizes));
  if (!sizes.empty())
    sizes[*normal] = op.integer(1).value_or(ShapedType::kDynamic);
  return failure(failed(op.give(sizes, type.getDtype())) ||
                 failed(op.give(sizes, index)));
}

/// aten.quantile(self, q, dim?, keepdim, interpolation): the dim is reduced; a
/// q of rank 1 adds a first dim.
LogicalResult quantile(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<bool> keepdim = op.boolean(3);
  std::optional<int64_t> dim = op.integer(2);
  bool isList = isTensor(op[1].getType());
  if (!type.hasRank() || !keepdim || (!op.isNone(2) && !dim) ||
      (isList && !op.tensor(1).hasRank()))
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  if (!dim) {
    sizes.assign(*keepdim ? sizes.size() : 0, 1);
  } else {
    FailureOr<int64_t> normal = op.normalizeDim(*dim, type.getRank());
    if (failed(normal))
      return failure();
    if (*keepdim && !sizes.empty())
      sizes[*normal] = 1;
    else if (!sizes.empty())
      sizes.erase(sizes.begin() + *normal);
  }
  if (isList) {
    ArrayRef<int64_t> asked = op.tensor(1).getSizes();
    if (asked.size() > 1)
      return op.fail("expected q of rank 0 or 1, got " + shapeText(asked));
    sizes.insert(sizes.begin(), asked.begin(), asked.end());
  }
  return op.give(sizes, type.getDtype());
}

} // namespace isthmus::torch::rules
