//===- Indexing.cpp - Type rules of ops that index by tensors -------------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "Dims.h"
#include "Dtypes.h"
#include "Rules.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// aten.index_select(self, dim, index [n]): dim becomes n.
LogicalResult index_select(TypeInference &op) {
  ValueTensorType type = op.tensor(0), index = op.tensor(2);
  std::optional<int64_t> dim = op.integer(1);
  if (!type.hasRank() || !dim)
    return op.giveUnranked(type.getDtype());
  FailureOr<int64_t> normal = op.normalizeDim(*dim, type.getRank());
  if (failed(normal))
    return failure();
  if (index.hasRank() && index.getRank() > 1)
    return op.fail("expected an index of rank 0 or 1, got " +
                   shapeText(index.getSizes()));
  SmallVector<int64_t> sizes(type.getSizes());
  if (!sizes.empty())
    sizes[*normal] = !index.hasRank()  ? ShapedType::kDynamic
                     : index.getRank() ? index.getSizes()[0]
                                       : 1;
  return op.give(sizes, type.getDtype());
}

/// aten.gather(self, dim, index, sparse_grad): the shape of the index. An index
/// without elements may have any rank.
LogicalResult gather(TypeInference &op) {
  ValueTensorType type = op.tensor(0), index = op.tensor(2);
  if (failed(op.expectDims(1)))
    return failure();
  bool isEmpty = index.hasRank() && llvm::is_contained(index.getSizes(), 0);
  // PyTorch treats a rank-0 tensor as a tensor of rank 1.
  if (!isEmpty && type.hasRank() && index.hasRank() &&
      std::max<int64_t>(type.getRank(), 1) !=
          std::max<int64_t>(index.getRank(), 1))
    return op.fail("expected an index of the input's rank, got " +
                   shapeText(index.getSizes()) + " for " +
                   shapeText(type.getSizes()));
  return op.giveLike(index, type.getDtype());
}

/// aten.embedding(weight [V,E], indices, ...): [*indices, E].
LogicalResult embedding(TypeInference &op) {
  ValueTensorType weight = op.tensor(0), indices = op.tensor(1);
  if (!weight.hasRank() || !indices.hasRank())
    return op.giveUnranked(weight.getDtype());
  if (weight.getRank() != 2)
    return op.fail("expected a weight of rank 2, got " +
                   shapeText(weight.getSizes()));
  SmallVector<int64_t> sizes(indices.getSizes());
  sizes.push_back(weight.getSizes()[1]);
  return op.give(sizes, weight.getDtype());
}

/// Elements of self by the indices of an operand, which broadcast together.
/// Their common shape replaces the indexed dims if those are adjacent;
/// otherwise it comes first. Boolean indices give sizes known only at run time.
static LogicalResult giveIndexed(TypeInference &op, unsigned operand) {
  ValueTensorType type = op.tensor(0);
  auto indices = op.elements(operand);
  if (!type.hasRank() || !indices)
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> common, sizes;
  SmallVector<int64_t>
      indexedAt; // positions among the kept dims, to see whether adjacent
  int64_t dim = 0;
  for (Value index : *indices) {
    auto indexType = dyn_cast<ValueTensorType>(index.getType());
    int64_t consumed = 1;
    if (!indexType) { // none: the dim is kept
      if (dim >= type.getRank())
        return op.fail("expected at most " + Twine(type.getRank()) +
                       " indices");
      sizes.push_back(type.getSizes()[dim++]);
      continue;
    }
    if (!indexType.hasRank())
      return op.giveUnranked(type.getDtype());
    SmallVector<int64_t> shape(indexType.getSizes());
    if (isBoolean(indexType.getDtype())) {
      consumed = shape.size();
      shape = {ShapedType::kDynamic};
    }
    auto broadcast = broadcastShapes(common, shape);
    if (!broadcast)
      return op.fail("expected index shapes that broadcast, got " +
                     shapeText(common) + " and " + shapeText(shape));
    common = *broadcast;
    indexedAt.push_back(sizes.size());
    dim += consumed;
    if (dim > type.getRank())
      return op.fail("expected indices for at most " + Twine(type.getRank()) +
                     " dims");
  }
  llvm::append_range(sizes, type.getSizes().drop_front(dim));
  bool adjacent = llvm::all_equal(indexedAt);
  int64_t place = adjacent && !indexedAt.empty() ? indexedAt.front() : 0;
  sizes.insert(sizes.begin() + place, common.begin(), common.end());
  return op.give(sizes, type.getDtype());
}

/// aten.index.Tensor(self, indices)
LogicalResult index(TypeInference &op) { return giveIndexed(op, 1); }

/// aten._unsafe_masked_index(self, mask, indices, fill)
LogicalResult index_masked(TypeInference &op) { return giveIndexed(op, 2); }

/// aten.nonzero(self): [count, rank]; the count is known only at run time.
LogicalResult nonzero(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  return op.give({ShapedType::kDynamic,
                  type.hasRank() ? type.getRank() : ShapedType::kDynamic},
                 signedDtype(op, 64));
}

/// aten.nonzero_static(self, size, fill_value): [size, rank]
LogicalResult nonzero_static(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> size = op.integer(1);
  if (size && *size < 0)
    return op.fail("expected a size of at least 0, got " + Twine(*size));
  return op.give({size.value_or(ShapedType::kDynamic),
                  type.hasRank() ? type.getRank() : ShapedType::kDynamic},
                 signedDtype(op, 64));
}

/// aten.masked_select(self, mask): the mask determines the size at run time.
LogicalResult masked_select(TypeInference &op) {
  return op.give({ShapedType::kDynamic}, op.dtype(0));
}

/// The unique values, for each element the index of its value, and the count of
/// each value. A result that is not requested is empty: operand `inverseFlag`
/// and the next one request them.
static LogicalResult uniqueAs(TypeInference &op, unsigned inverseFlag) {
  ValueTensorType type = op.tensor(0);
  Type number = signedDtype(op, 64);
  auto give = [&](std::optional<bool> isWanted, ValueTensorType wanted) {
    return !isWanted   ? op.giveUnranked(number)
           : *isWanted ? op.giveLike(wanted, number)
                       : op.give({0}, number);
  };
  auto values = ValueTensorType::get(op.getContext(),
                                     ArrayRef<int64_t>{ShapedType::kDynamic},
                                     type.getDtype());
  return failure(failed(op.give(values)) ||
                 failed(give(op.boolean(inverseFlag), type)) ||
                 failed(give(op.boolean(inverseFlag + 1), values)));
}

/// aten._unique2(self, sorted, return_inverse, return_counts)
LogicalResult unique(TypeInference &op) {
  return uniqueAs(op, /*inverseFlag=*/2);
}

/// Slices [?] of the dim in operand `dimIndex` that differ, the number of each
/// slice among them, and how often each occurs. PyTorch computes all of them,
/// even if they are not asked for.
static LogicalResult uniqueSlices(TypeInference &op, unsigned dimIndex) {
  ValueTensorType type = op.tensor(0);
  Type number = signedDtype(op, 64);
  std::optional<int64_t> dim = op.integer(dimIndex);
  if (!type.hasRank() || !dim)
    return failure(failed(op.giveUnranked(type.getDtype())) ||
                   failed(op.giveUnranked(number)) ||
                   failed(op.giveUnranked(number)));
  FailureOr<int64_t> normal = dimOfRow(op, *dim);
  if (failed(normal))
    return failure();
  SmallVector<int64_t> sizes(type.getSizes());
  int64_t all = std::exchange(sizes[*normal], ShapedType::kDynamic);
  return failure(failed(op.give(sizes, type.getDtype())) ||
                 failed(op.give({all}, number)) ||
                 failed(op.give({ShapedType::kDynamic}, number)));
}

/// aten.unique_consecutive(self, return_inverse, return_counts, dim): the
/// results of _unique2, for runs of equal elements, or slices of a dim.
LogicalResult unique_consecutive(TypeInference &op) {
  return op.isNone(3) ? uniqueAs(op, /*inverseFlag=*/1)
                      : uniqueSlices(op, /*dimIndex=*/3);
}

/// aten.unique_dim(self, dim, sorted, return_inverse, return_counts)
LogicalResult unique_dim(TypeInference &op) {
  return uniqueSlices(op, /*dimIndex=*/1);
}

/// aten.segment_reduce(data [batch...,n,...], reduce, lengths [batch...,m],
/// indices, offsets [batch...,m+1], axis, ...): [batch...,m,...]
LogicalResult segment_reduce(TypeInference &op) {
  ValueTensorType data = op.tensor(0);
  bool hasLengths = !op.isNone(2);
  ValueTensorType parts = op.tensor(hasLengths ? 2 : 4);
  if (!data.hasRank() || !parts.hasRank())
    return op.giveUnranked(data.getDtype());
  int64_t dims = parts.getRank();
  if (dims == 0 || dims > data.getRank())
    return op.fail("expected lengths or offsets of rank 1 to " +
                   Twine(data.getRank()) + ", got rank " + Twine(dims));
  SmallVector<int64_t> sizes(parts.getSizes());
  if (!hasLengths && !ShapedType::isDynamic(sizes.back()) && --sizes.back() < 0)
    return op.fail("expected offsets of 1 or more, got none");
  llvm::append_range(sizes, data.getSizes().drop_front(dims));
  return op.give(sizes, data.getDtype());
}

/// aten.bincount(self [n], weights [n]?, minlength): the largest element, or
/// minlength, determines the size.
LogicalResult bincount(TypeInference &op) {
  Type dtype = signedDtype(op, 64);
  if (!op.isNone(1)) {
    Type weight = op.dtype(1);
    dtype =
        !weight || weight.isF32() ? weight : Float64Type::get(op.getContext());
  }
  return op.give({ShapedType::kDynamic}, dtype);
}

/// aten._local_scalar_dense(self): the number in a one-element tensor.
LogicalResult item(TypeInference &op) {
  Type dtype = op.dtype(0);
  MLIRContext *context = op.getContext();
  if (isBoolean(dtype))
    return op.give(torch::BoolType::get(context));
  if (isIntegral(dtype))
    return op.give(torch::IntType::get(context));
  return isFloatingPoint(dtype) ? op.give(torch::FloatType::get(context))
                                : op.give(NumberType::get(context));
}

/// aten._embedding_bag(weight [V,E], indices, offsets [B], ...,
/// include_last_offset, padding_idx): the bags [B,E]; what serves gradients:
/// the bag of each index, which a sum may leave empty, [B] numbers of indices,
/// and the indices of maxima, [B,E], or [B] in other modes.
LogicalResult embedding_bag(TypeInference &op) {
  ValueTensorType weight = op.tensor(0), offsets = op.tensor(2);
  Type index = offsets.getDtype();
  std::optional<bool> includesLast = op.boolean(7);
  int64_t open = ShapedType::kDynamic;
  SmallVector<int64_t> bags = {open}, rows = {open, open};
  if (offsets.hasRank() && offsets.getRank() == 1 && includesLast)
    bags[0] = rows[0] =
        StaticSizes().sub(offsets.getSizes()[0], *includesLast ? 1 : 0);
  if (weight.hasRank() && weight.getRank() == 2)
    rows[1] = weight.getSizes()[1];
  // PyTorch's tracer counts the end of the last bag, its kernel does not.
  SmallVector<int64_t> counts =
      includesLast == false ? bags : SmallVector{open};
  std::optional<int64_t> mode = op.integer(4);
  return failure(failed(op.give(rows, weight.getDtype())) ||
                 failed(op.give({open}, index)) ||
                 failed(op.give(counts, index)) ||
                 failed(mode ? op.give(*mode == 2 ? rows : counts, index)
                             : op.giveUnranked(index)));
}

/// aten.one_hot(self, num_classes): [*self, num_classes].
LogicalResult one_hot(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (!type.hasRank())
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> sizes(type.getSizes());
  int64_t classes = op.integer(1).value_or(ShapedType::kDynamic);
  sizes.push_back(classes < 0 ? ShapedType::kDynamic : classes);
  return op.give(sizes, type.getDtype());
}

/// aten.take(self, index): the index's sizes.
LogicalResult take(TypeInference &op) {
  if (op.dtype(1) && (!isIntegral(op.dtype(1)) || isBoolean(op.dtype(1))))
    return op.fail("expected indices that are integers");
  return op.giveLike(op.tensor(1), op.dtype(0));
}

/// aten.take_along_dim(self, indices, dim): both broadcast in all dims but
/// `dim`, whose size is the indices'. Without a dim, [numel(indices)].
LogicalResult take_along_dim(TypeInference &op) {
  ValueTensorType type = op.tensor(0), indices = op.tensor(1);
  std::optional<int64_t> dim = op.integer(2);
  bool isFlat = op.isNone(2);
  if (indices.getDtype() &&
      (!isIntegral(indices.getDtype()) || isBoolean(indices.getDtype())))
    return op.fail("expected indices that are integers");
  if (!type.hasRank() || !indices.hasRank() || (!isFlat && !dim))
    return op.giveUnranked(type.getDtype());
  SmallVector<int64_t> own(type.getSizes()), wanted(indices.getSizes());
  if (isFlat) {
    int64_t count = 1;
    for (int64_t size : wanted)
      count = StaticSizes().mul(count, size);
    return op.give({count}, type.getDtype());
  }
  FailureOr<int64_t> normal = op.normalizeDim(*dim, type.getRank());
  if (failed(normal))
    return failure();
  if (own.size() != wanted.size() || own.empty())
    return op.fail("expected indices of the rank of the tensor, got " +
                   shapeText(wanted) + " for " + shapeText(own));
  int64_t count = wanted[*normal];
  own[*normal] = wanted[*normal] = 1;
  auto sizes = broadcastShapes(own, wanted);
  if (!sizes)
    return op.fail("expected shapes that broadcast, got " + shapeText(own) +
                   " and " + shapeText(wanted));
  (*sizes)[*normal] = count;
  return op.give(*sizes, type.getDtype());
}

/// aten.isin(elements, test_elements, ...): a number as elements has rank 0.
LogicalResult isin(TypeInference &op) {
  Type truth = IntegerType::get(op.getContext(), 1);
  if (!isTensor(op[0].getType()))
    return op.give(ArrayRef<int64_t>(), truth);
  return op.giveLike(op.tensor(0), truth);
}

} // namespace isthmus::torch::rules
