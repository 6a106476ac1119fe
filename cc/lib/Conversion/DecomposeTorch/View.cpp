//===- View.cpp - Other arrangements of the same elements -----------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include <numeric>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static Value broadcastTo(AtenBroadcastToOp op, TorchBuilder &b) {
  return b.create<AtenExpandOp>(op.getSelf(), op.getSize(), b.constantBool(false));
}

/// With value semantics a reshape is a view.
static Value reshape(AtenReshapeOp op, TorchBuilder &b) {
  return b.create<AtenViewOp>(op.getSelf(), op.getShape());
}

/// flatten(x, start, end): the dims start ... end become one.
static Value flatten(AtenFlattenUsingIntsOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  std::optional<int64_t> first = matchInt(op.getStartDim()), last = matchInt(op.getEndDim());
  if (!first || !last)
    return b.fail("expected dims that are known while compiling");
  int64_t rank = tensorType(x).getRank();
  int64_t start = normalDim(*first, rank), end = normalDim(*last, rank);
  SmallVector<Value> sizes = b.sizes(x);
  Value flat = b.constant(1);
  for (int64_t dim = start; dim <= end && dim < rank; ++dim)
    flat = b.mulInt(flat, sizes[dim]);
  sizes.erase(sizes.begin() + start, sizes.begin() + std::min(end + 1, rank));
  sizes.insert(sizes.begin() + start, flat);
  return b.view(x, sizes);
}

static Value swapDims(TorchBuilder &b, Value x, int64_t first, int64_t second) {
  SmallVector<int64_t> order(tensorType(x).getRank());
  std::iota(order.begin(), order.end(), 0);
  if (!order.empty())
    std::swap(order[normalDim(first, order.size())], order[normalDim(second, order.size())]);
  return b.permute(x, order);
}

static Value transpose(AtenTransposeIntOp op, TorchBuilder &b) {
  std::optional<int64_t> first = matchInt(op.getDim0()), second = matchInt(op.getDim1());
  if (!first || !second)
    return b.fail("expected dims that are known while compiling");
  return swapDims(b, op.getSelf(), *first, *second);
}

/// t(x) transposes a matrix and leaves vectors and scalars alone.
static Value t(AtenTOp op, TorchBuilder &b) {
  return tensorType(op.getSelf()).getRank() < 2 ? op.getSelf() : swapDims(b, op.getSelf(), 0, 1);
}

static Value squeezeDim(AtenSqueezeDimOp op, TorchBuilder &b) {
  return b.create<AtenSqueezeDimsOp>(op.getSelf(), b.ints(ValueRange(op.getDim())));
}

/// select(x, dim, i) = x[..., i, ...], a slice of one element without its dim. A
/// negative index counts from the end.
static Value select(AtenSelectIntOp op, TorchBuilder &b) {
  Value x = op.getSelf(), index = op.getIndex();
  std::optional<int64_t> dim = matchInt(op.getDim()), known = matchInt(index);
  if (!dim)
    return b.fail("expected a dim that is known while compiling");
  int64_t normal = normalDim(*dim, tensorType(x).getRank());
  if (!known || *known < 0) {
    Value isNegative = known ? b.constantBool(true)
                             : b.fold<AtenLtIntOp>(index, b.constant(0));
    index = b.addInt(index, b.mulInt(b.fold<AtenIntBoolOp>(isNegative), b.size(x, normal)));
  }
  Value slice = b.slice(x, normal, index, b.addInt(index, b.constant(1)));
  return b.squeeze(slice, normal);
}

/// stack([x, y], dim) = cat([x, y], dim) with a new dim of size 1 in each.
static Value stack(AtenStackOp op, TorchBuilder &b) {
  auto tensors = matchList(op.getTensors());
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!tensors || tensors->empty() || !dim)
    return b.fail("expected a list of tensors and a dim that are known while compiling");
  int64_t normal = normalDim(*dim, tensorType(tensors->front()).getRank() + 1);
  for (Value &tensor : *tensors)
    tensor = b.unsqueeze(tensor, normal);
  return b.cat(*tensors, normal);
}

/// repeat(x, [2, 3]): every dim [n] is seen as [1, n], expanded to [r, n] and joined
/// to [r * n]. Dims that are not repeated are left alone.
static Value repeat(AtenRepeatOp op, TorchBuilder &b) {
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
  Value result = split.size() == tensorType(x).getSizes().size() ? x : b.view(x, split);
  result = b.expand(result, expanded);
  return split.size() == joined.size() ? result : b.view(result, joined);
}

/// The number of each position along a dim, as [n].
static Tensor positions(Tensor x, int64_t dim) {
  TorchBuilder &b = x.builder();
  return {b, b.create<AtenArangeStartStepOp>(b.constant(0), b.size(x, dim), b.constant(1), b.none(),
                                             b.none(), b.none(), b.none())};
}

/// triu(x, d) keeps the elements whose column - row is at least d, tril(x, d) those
/// for which it is at most d; the others are 0.
template <typename Op>
static Value triangle(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  if (x.rank() < 2)
    return b.fail("expected a matrix, or a batch of them");
  Tensor row(b, b.unsqueeze(positions(x, x.rank() - 2), 1)), column = positions(x, x.rank() - 1);
  Tensor distance = column - row;
  Tensor diagonal = scalar(b, op.getDiagonal(), distance.dtype());
  return where(std::is_same_v<Op, AtenTriuOp> ? distance >= diagonal : distance <= diagonal, x, 0);
}

void populateView(Decompositions &decompositions) {
  decompositions.add(broadcastTo,
                     flatten,
                     repeat,
                     reshape,
                     select,
                     squeezeDim,
                     stack,
                     t,
                     transpose,
                     triangle<AtenTrilOp>,
                     triangle<AtenTriuOp>);
}

} // namespace isthmus::decompose_torch
