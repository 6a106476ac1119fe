//===- Arrangement.cpp - Type rules of tensors put together and turned ----===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/RegistryOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

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
LogicalResult rules::at_least_1d(TypeInference &op) {
  return giveAtLeast(op, 1);
}
LogicalResult rules::at_least_2d(TypeInference &op) {
  return giveAtLeast(op, 2);
}
LogicalResult rules::at_least_3d(TypeInference &op) {
  return giveAtLeast(op, 3);
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
  StaticSizes a;
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
    if (sizes.size() != common->size())
      return op.fail("expected tensors of one rank, got " + shapeText(*common) +
                     " and " + shapeText(sizes));
    for (auto [place, size] : llvm::enumerate(sizes)) {
      int64_t &known = (*common)[place];
      if (place == dim)
        known = a.add(known, size);
      else if (ShapedType::isDynamic(known))
        known = size;
      else if (StaticSizes::known(known, size) && known != size)
        return op.fail("expected tensors that agree in all dims but " +
                       Twine(dim) + ", got " + shapeText(*common) + " and " +
                       shapeText(sizes));
    }
  }
  return op.give(*common, dtype);
}

LogicalResult rules::hstack(TypeInference &op) {
  return giveTogether(op, 1, [](ArrayRef<int64_t> x) { return atLeast(x, 1); });
}
LogicalResult rules::vstack(TypeInference &op) {
  return giveTogether(op, 0, [](ArrayRef<int64_t> x) { return atLeast(x, 2); });
}
LogicalResult rules::dstack(TypeInference &op) {
  return giveTogether(op, 2, [](ArrayRef<int64_t> x) { return atLeast(x, 3); });
}

/// aten.column_stack(tensors): tensors of rank 0 and 1 are columns.
LogicalResult rules::column_stack(TypeInference &op) {
  return giveTogether(op, 1, [](ArrayRef<int64_t> x) {
    if (x.size() >= 2)
      return SmallVector<int64_t>(x);
    return SmallVector<int64_t>{x.empty() ? 1 : x[0], 1};
  });
}

/// aten.flipud(self), aten.fliplr(self)
LogicalResult rules::flipud(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (type.hasRank() && type.getRank() < 1)
    return op.fail("expected at least 1 dim");
  return op.give(type);
}
LogicalResult rules::fliplr(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (type.hasRank() && type.getRank() < 2)
    return op.fail("expected at least 2 dims, got " +
                   shapeText(type.getSizes()));
  return op.give(type);
}

/// aten.rot90(self, k, dims): odd turns swap the sizes of the two dims.
LogicalResult rules::rot90(TypeInference &op) {
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
LogicalResult rules::diag_embed(TypeInference &op) {
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
LogicalResult rules::diag(TypeInference &op) {
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
  int64_t rows = a.sub(sizes[0], a.max(a.sub(0, *offset), 0)),
          columns = a.sub(sizes[1], a.max(*offset, 0));
  return op.give({a.max(a.min(rows, columns), 0)}, type.getDtype());
}

/// aten.trace(self [m,n])
LogicalResult rules::trace(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  if (type.hasRank() && type.getRank() != 2)
    return op.fail("expected a matrix, got " + shapeText(type.getSizes()));
  Type dtype = type.getDtype();
  if (isIntegral(dtype))
    dtype = IntegerType::get(op.getContext(), 64, IntegerType::Signed);
  return op.give(ArrayRef<int64_t>(), dtype);
}
