//===- Arrangement.cpp - Type rules of tensors put together and turned ----===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "Dims.h"
#include "Dtypes.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

/// Sizes of at least `rank` dims: [n] is [1,n] or [1,n,1], and [m,n] is
/// [m,n,1].
static SmallVector<int64_t> atLeast(ArrayRef<int64_t> own, size_t rank) {
  SmallVector<int64_t> sizes(own);
  if (sizes.size() < rank && sizes.size() < 2)
    sizes.insert(sizes.begin(), std::min<size_t>(rank, 2) - sizes.size(), 1);
  sizes.resize(std::max(sizes.size(), rank), 1);
  return sizes;
}

static LogicalResult giveAtLeast(TypeInference &op, size_t rank) {
  ValueTensorType type = op.tensor(0);
  return type.hasRank()
             ? op.give(atLeast(type.getSizes(), rank), type.getDtype())
             : op.giveUnranked(type.getDtype());
}
LogicalResult at_least_1d(TypeInference &op) { return giveAtLeast(op, 1); }
LogicalResult at_least_2d(TypeInference &op) { return giveAtLeast(op, 2); }
LogicalResult at_least_3d(TypeInference &op) { return giveAtLeast(op, 3); }

/// Adds a tensor of `sizes` to those that have `common` sizes together, along a
/// dim; fails unless the other sizes agree.
static LogicalResult join(TypeInference &op, SmallVectorImpl<int64_t> &common,
                          ArrayRef<int64_t> sizes, size_t dim) {
  if (sizes.size() != common.size())
    return op.fail("expected tensors of one rank, got " + shapeText(common) +
                   " and " + shapeText(sizes));
  for (auto [place, size] : llvm::enumerate(sizes)) {
    int64_t &known = common[place];
    if (place == dim)
      known = StaticSizes().add(known, size);
    else if (ShapedType::isDynamic(known))
      known = size;
    else if (StaticSizes::known(known, size) && known != size)
      return op.fail("expected tensors that agree in all dims but " +
                     Twine(dim) + ", got " + shapeText(common) + " and " +
                     shapeText(sizes));
  }
  return success();
}

/// aten.cat(tensors, dim). Empty rank-1 tensors are skipped, as PyTorch does.
LogicalResult cat(TypeInference &op) {
  auto tensors = op.elements(0);
  if (!tensors)
    return op.giveUnranked({});
  Type dtype = resultDtype(*tensors);
  std::optional<int64_t> dim = op.integer(1);
  std::optional<SmallVector<int64_t>> common;
  for (Value tensor : *tensors) {
    auto type = dyn_cast<ValueTensorType>(tensor.getType());
    if (!type || !type.hasRank() || !dim)
      return op.giveUnranked(dtype);
    if (type.getRank() == 1 && type.getSizes()[0] == 0 && tensors->size() > 1)
      continue;
    if (common) {
      if (failed(join(op, *common, type.getSizes(), *dim)))
        return failure();
      continue;
    }
    FailureOr<int64_t> normal = op.normalizeDim(*dim, type.getRank());
    if (failed(normal))
      return failure();
    dim = *normal;
    common = SmallVector<int64_t>(type.getSizes());
  }
  return common ? op.give(*common, dtype) : op.give({0}, dtype);
}

/// The tensors of operand 0, each with the sizes that `change` gives it, put
/// together along dim `dim` of those; along dim 0 if they have no other.
static LogicalResult giveTogether(
    TypeInference &op, size_t dim,
    llvm::function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> change) {
  auto tensors = op.elements(0);
  if (!tensors || tensors->empty())
    return op.giveUnranked({});
  std::optional<SmallVector<int64_t>> common;
  Type dtype;
  for (Value tensor : *tensors) {
    auto type = dyn_cast<ValueTensorType>(tensor.getType());
    if (!type || !type.hasRank() || !type.getDtype())
      return op.giveUnranked({});
    // All have dims in the end: none is promoted as a number.
    dtype = dtype ? promoteDtypes(dtype, type.getDtype()) : type.getDtype();
    SmallVector<int64_t> sizes = change(type.getSizes());
    if (!common) {
      common = sizes;
      dim = std::min(dim, sizes.size() - 1);
      continue;
    }
    if (failed(join(op, *common, sizes, dim)))
      return failure();
  }
  return op.give(*common, dtype);
}

LogicalResult hstack(TypeInference &op) {
  return giveTogether(op, 1, [](ArrayRef<int64_t> x) { return atLeast(x, 1); });
}
LogicalResult vstack(TypeInference &op) {
  return giveTogether(op, 0, [](ArrayRef<int64_t> x) { return atLeast(x, 2); });
}
LogicalResult dstack(TypeInference &op) {
  return giveTogether(op, 2, [](ArrayRef<int64_t> x) { return atLeast(x, 3); });
}

/// aten.column_stack(tensors): tensors of rank 0 and 1 are columns.
LogicalResult column_stack(TypeInference &op) {
  return giveTogether(op, 1, [](ArrayRef<int64_t> x) {
    if (x.size() >= 2)
      return SmallVector<int64_t>(x);
    return SmallVector<int64_t>{x.empty() ? 1 : x[0], 1};
  });
}

/// aten.flipud(self), aten.fliplr(self)
LogicalResult flipud(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (type.hasRank() && type.getRank() < 1)
    return op.fail("expected at least 1 dim");
  return op.give(type);
}
LogicalResult fliplr(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (type.hasRank() && type.getRank() < 2)
    return op.fail("expected at least 2 dims, got " +
                   shapeText(type.getSizes()));
  return op.give(type);
}

/// aten.rot90(self, k, dims): odd turns swap the sizes of the two dims.
LogicalResult rot90(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> turns = op.integer(1);
  auto dims = op.dims(2);
  if (!type.hasRank() || !turns || !dims)
    return op.giveUnranked(type.getDtype());
  if (dims->size() != 2)
    return op.fail("expected two dims, got " + shapeText(*dims));
  FailureOr<int64_t> first = op.normalizeDim((*dims)[0], type.getRank()),
                     second = op.normalizeDim((*dims)[1], type.getRank());
  if (failed(first) || failed(second))
    return failure();
  if (*first == *second)
    return op.fail("expected two different dims, got " + shapeText(*dims));
  SmallVector<int64_t> sizes(type.getSizes());
  if (*turns % 2 != 0)
    std::swap(sizes[*first], sizes[*second]);
  return op.give(sizes, type.getDtype());
}

/// The size of a square matrix with n elements on a diagonal.
static int64_t sideOf(int64_t n, int64_t offset) {
  StaticSizes a;
  return a.add(n, offset < 0 ? a.sub(0, offset) : offset);
}

/// aten.diag_embed(self [...,n], offset, dim1, dim2)
LogicalResult diag_embed(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> offset = op.integer(1), dim1 = op.integer(2),
                         dim2 = op.integer(3);
  if (!type.hasRank() || !dim1 || !dim2)
    return op.giveUnranked(type.getDtype());
  int64_t rank = type.getRank() + 1;
  FailureOr<int64_t> first = op.normalizeDim(*dim1, rank),
                     second = op.normalizeDim(*dim2, rank);
  if (failed(first) || failed(second))
    return failure();
  if (type.getRank() == 0 || *first == *second)
    return op.fail("expected rows and two different dims, got " +
                   shapeText(type.getSizes()) + " and " +
                   shapeText({*dim1, *dim2}));
  int64_t side =
      offset ? sideOf(type.getSizes().back(), *offset) : ShapedType::kDynamic;
  SmallVector<int64_t> sizes;
  ArrayRef<int64_t> others = type.getSizes().drop_back();
  for (int64_t dim : llvm::seq(rank)) {
    bool isOfMatrix = dim == *first || dim == *second;
    sizes.push_back(isOfMatrix ? side : others.front());
    if (!isOfMatrix)
      others = others.drop_front();
  }
  return op.give(sizes, type.getDtype());
}

/// aten.diag(self, diagonal): [n] to a square matrix, [m,n] to a row.
LogicalResult diag(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> offset = op.integer(1);
  if (!type.hasRank() || !offset)
    return op.giveUnranked(type.getDtype());
  ArrayRef<int64_t> sizes = type.getSizes();
  if (sizes.size() == 1) {
    int64_t side = sideOf(sizes[0], *offset);
    return op.give({side, side}, type.getDtype());
  }
  if (sizes.size() != 2)
    return op.fail("expected a row or a matrix, got " + shapeText(sizes));
  StaticSizes a;
  return op.give({diagonalSize(a, sizes[0], sizes[1], *offset)},
                 type.getDtype());
}

/// aten.trace(self [m,n])
LogicalResult trace(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (type.hasRank() && type.getRank() != 2)
    return op.fail("expected a matrix, got " + shapeText(type.getSizes()));
  Type dtype = type.getDtype();
  if (isIntegral(dtype))
    dtype = signedDtype(op, 64);
  return op.give(ArrayRef<int64_t>(), dtype);
}

/// aten.block_diag(tensors): matrices on the diagonal of one; vectors are rows.
LogicalResult block_diag(TypeInference &op) {
  auto tensors = op.elements(0);
  if (!tensors || tensors->empty())
    return op.giveUnranked({});
  StaticSizes a;
  int64_t rows = 0, columns = 0;
  for (Value tensor : *tensors) {
    auto type = dyn_cast<ValueTensorType>(tensor.getType());
    if (!type || !type.hasRank() || !type.getDtype())
      return op.giveUnranked({});
    if (type.getRank() > 2)
      return op.fail("expected matrices, got " + shapeText(type.getSizes()));
    SmallVector<int64_t> sizes = atLeast(type.getSizes(), 2);
    rows = a.add(rows, sizes[0]);
    columns = a.add(columns, sizes[1]);
  }
  return op.give({rows, columns}, resultDtype(*tensors));
}

/// aten.cartesian_prod(tensors [n], [m], ...): [n*m*...,number of tensors]; the
/// elements of a single tensor stay.
LogicalResult cartesian_prod(TypeInference &op) {
  auto tensors = op.elements(0);
  if (!tensors || tensors->empty())
    return op.giveUnranked({});
  StaticSizes a;
  int64_t rows = 1;
  Type dtype;
  for (Value tensor : *tensors) {
    auto type = dyn_cast<ValueTensorType>(tensor.getType());
    if (!type || !type.hasRank() || !type.getDtype())
      return op.giveUnranked({});
    if (type.getRank() != 1)
      return op.fail("expected tensors of rank 1, got " +
                     shapeText(type.getSizes()));
    if (dtype && dtype != type.getDtype())
      return op.fail("expected tensors of one dtype");
    dtype = type.getDtype();
    rows = a.mul(rows, type.getSizes()[0]);
  }
  if (tensors->size() == 1)
    return op.give({rows}, dtype);
  return op.give({rows, static_cast<int64_t>(tensors->size())}, dtype);
}

/// The number of ways to choose r of n elements, n! / (r! (n - r)!); unknown if
/// n is unknown or its computation overflows.
static int64_t choices(int64_t n, int64_t r) {
  if (ShapedType::isDynamic(n))
    return n;
  if (n < r)
    return 0;
  // The elements that are left out are chosen as well. There are at least as
  // many as are chosen, so that the rows double with each step until they
  // overflow.
  StaticSizes a;
  int64_t rows = 1, fewer = std::min(r, n - r);
  for (int64_t i = 1; i <= fewer && !ShapedType::isDynamic(rows); ++i)
    rows = a.floorDiv(a.mul(rows, n - fewer + i), i);
  return rows;
}

/// aten.combinations(self [n], r, with_replacement): a row of r elements for
/// each choice.
LogicalResult combinations(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> chosen = op.integer(1);
  std::optional<bool> repeats = op.boolean(2);
  if (!type.hasRank() || !chosen || !repeats)
    return op.giveUnranked(type.getDtype());
  if (type.getRank() != 1 || *chosen < 0)
    return op.fail("expected a tensor of rank 1 and a number of 0 or more, "
                   "got " +
                   shapeText(type.getSizes()) + " and " + Twine(*chosen));
  if (*chosen == 0)
    return op.give({0}, type.getDtype());
  // With replacement, there are as many as without it from n + r - 1 elements.
  StaticSizes a;
  int64_t n = type.getSizes()[0];
  if (*repeats && n != 0)
    n = a.add(n, *chosen - 1);
  return op.give({choices(n, *chosen), *chosen}, type.getDtype());
}

/// Sizes with one element fewer, of the pairs of neighbours along a dim.
static SmallVector<int64_t> pairsAlong(ArrayRef<int64_t> of, int64_t dim) {
  SmallVector<int64_t> sizes(of);
  StaticSizes a;
  sizes[dim] = a.max(a.sub(sizes[dim], 1), 0);
  return sizes;
}

/// The areas between samples y at places x, or at equal distances, along the
/// dim that the last operand names, or their sum. Places are a row along the
/// dim, or they broadcast.
static LogicalResult giveIntegral(TypeInference &op, bool isCumulative) {
  ValueTensorType y = op.tensor(0), x = op.tensor(1);
  bool hasPlaces = isTensor(op[1].getType());
  Type dtype =
      hasPlaces ? resultDtype(op.getOperands().take_front(2)) : y.getDtype();
  if (dtype && isIntegral(dtype))
    dtype = Float32Type::get(op.getContext());
  std::optional<int64_t> dim = op.integer(op.getOperands().size() - 1);
  if (!y.hasRank() || !dim || (hasPlaces && !x.hasRank()))
    return op.giveUnranked(dtype);
  FailureOr<int64_t> normal = dimOfRow(op, *dim);
  if (failed(normal))
    return failure();
  SmallVector<int64_t> sizes = pairsAlong(y.getSizes(), *normal);
  if (hasPlaces && x.getRank() == 1) {
    int64_t places = x.getSizes()[0], samples = y.getSizes()[*normal];
    if (StaticSizes::known(places, samples) && places != samples)
      return op.fail("expected a place for each of " + Twine(samples) +
                     " samples, got " + Twine(places));
  } else if (hasPlaces) {
    int64_t along = *normal - (y.getRank() - x.getRank());
    if (x.getRank() > y.getRank() || along < 0)
      return op.giveUnranked(dtype);
    auto common = broadcastShapes(sizes, pairsAlong(x.getSizes(), along));
    if (!common)
      return op.fail("expected places that broadcast to the samples, got " +
                     shapeText(x.getSizes()) + " and " +
                     shapeText(y.getSizes()));
    sizes = *common;
  }
  if (!isCumulative)
    sizes.erase(sizes.begin() + *normal);
  return op.give(sizes, dtype);
}

/// aten.trapezoid.x(y, x, dim), aten.trapezoid.dx(y, dx, dim)
LogicalResult trapezoid(TypeInference &op) {
  return giveIntegral(op, /*isCumulative=*/false);
}
LogicalResult cumulative_trapezoid(TypeInference &op) {
  return giveIntegral(op, /*isCumulative=*/true);
}

/// aten.sum_to_size(self, size): the sizes that broadcast to those of self. The
/// sum of integers is of si64, but without a dim to sum over it is self. Dims
/// known only at run time count as such.
LogicalResult sum_to_size(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  Type dtype = type.getDtype();
  auto sizes = op.integers(1);
  bool isIntegers = dtype && isIntegral(dtype);
  if (!sizes || (isIntegers && !type.hasRank()))
    return op.giveUnranked(isIntegers ? Type() : dtype);
  if (type.hasRank()) {
    ArrayRef<int64_t> own = type.getSizes();
    bool fits = sizes->size() <= own.size(),
         isSum = sizes->empty() || sizes->size() != own.size();
    if (fits)
      for (auto [size, from] :
           llvm::zip_equal(*sizes, own.take_back(sizes->size()))) {
        fits &= size == 1 || !StaticSizes::known(size, from) || size == from;
        isSum |= size == 1 && from != 1;
      }
    if (!fits)
      return op.fail("expected sizes that broadcast to " + shapeText(own) +
                     ", got " + shapeText(*sizes));
    if (isIntegers && isSum)
      dtype = signedDtype(op, 64);
  }
  return op.give(*sizes, dtype);
}

/// aten.diagflat(self, offset): a square matrix with all elements of self on a
/// diagonal.
LogicalResult diagflat(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> offset = op.integer(1);
  StaticSizes a;
  int64_t side = ShapedType::kDynamic;
  if (type.hasRank() && offset) {
    side = a.max(*offset, a.sub(0, *offset));
    int64_t count = 1;
    for (int64_t size : type.getSizes())
      count = a.mul(count, size);
    side = a.add(side, count);
  }
  return op.give({side, side}, type.getDtype());
}

/// aten.pad_sequence(sequences [n,...], batch_first, padding_value,
/// padding_side): [longest,sequences,...], or with the sequences first.
LogicalResult pad_sequence(TypeInference &op) {
  auto tensors = op.elements(0);
  std::optional<bool> isBatchFirst = op.boolean(1);
  if (!tensors || tensors->empty() || !isBatchFirst)
    return op.giveUnranked({});
  std::optional<SmallVector<int64_t>> common;
  int64_t longest = 0;
  StaticSizes a;
  Type dtype;
  for (Value tensor : *tensors) {
    auto type = dyn_cast<ValueTensorType>(tensor.getType());
    if (!type || !type.hasRank())
      return op.giveUnranked({});
    if (type.getRank() == 0)
      return op.fail("expected sequences of rank 1 or more, got rank 0");
    longest = a.max(longest, type.getSizes()[0]);
    if (!common) {
      common = SmallVector<int64_t>(type.getSizes());
      dtype = type.getDtype();
    } else if (failed(join(op, *common, type.getSizes(), 0))) {
      return failure();
    }
  }
  common->front() = static_cast<int64_t>(tensors->size());
  common->insert(common->begin() + (*isBatchFirst ? 1 : 0), longest);
  return op.give(*common, dtype);
}

} // namespace isthmus::torch::rules
