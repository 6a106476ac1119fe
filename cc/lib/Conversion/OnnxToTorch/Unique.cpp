//===- Unique.cpp - ONNX Unique to ATen -----------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/SortingComposites.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Longer rows would take a sort for each of too many columns.
constexpr int64_t longestRow = 64;

Value selected(NodeBuilder &b, Value x, Value indices) {
  return b.create<torch::AtenIndexSelectOp>(x, b.constant(0), indices);
}

/// result[places[i]] = values[i], for places that are a permutation.
Value scattered(NodeBuilder &b, Value places, Value values) {
  return b.create<torch::AtenScatterSrcOp>(places, b.constant(0), places,
                                           values);
}

/// Places of the rows of a matrix in lexicographic order; of equal rows the
/// first one comes first, because each column is sorted stably, the last column
/// first.
Value sortedPlaces(NodeBuilder &b, Value rows, Value count) {
  Value order = iota(b, b.constant(0), count);
  for (int64_t column = sizeOf(rows, 1) - 1; column >= 0; --column) {
    Value keys = b.create<torch::AtenSelectIntOp>(rows, b.constant(1),
                                                  b.constant(column));
    Value places = b.create<torch::AtenSortStableOp>(
                        selected(b, keys, order), b.constantBool(true),
                        b.constant(0), b.constantBool(false))
                       ->getResult(1);
    order = selected(b, order, places);
  }
  return order;
}

/// Unique-28: the distinct slices along `axis` (elements of the flat input if
/// there is none), sorted or by first occurrence; the index of the first
/// occurrence of each, the inverse indices, and the counts.
FailureOr<SmallVector<Value>> uniqueOf(NodeBuilder &b, Value input,
                                       std::optional<int64_t> given,
                                       bool isSorted) {
  Value x = input, zero = b.constant(0), one = b.constant(1);
  Value all = b.constant(-1);
  int64_t axis = 0;
  if (given) {
    FailureOr<int64_t> dim = axisOf(b, *given, rankOf(x));
    if (failed(dim))
      return failure();
    axis = *dim;
  } else {
    x = b.view(x, all);
  }
  Value count = b.size(x, axis);
  // As a matrix, a row for each slice.
  SmallVector<int64_t> order = {axis};
  Value width = one;
  for (int64_t dim = 0; dim < rankOf(x); ++dim)
    if (dim != axis) {
      order.push_back(dim);
      width = b.mulInt(width, b.size(x, dim));
    }
  Value rows = b.view(axis ? b.permute(x, order) : x, {count, width});
  int64_t columns = sizeOf(rows, 1);
  if (ShapedType::isDynamic(columns) || columns > longestRow)
    return b.decline() << "expected slices of at most " << longestRow
                       << " elements, a number known while compiling, got "
                       << input.getType();

  Value byValue = sortedPlaces(b, rows, count);
  Value sorted = selected(b, rows, byValue);
  // A row is new where it differs from the one before it.
  Value places = iota(b, zero, count);
  Value before = b.create<torch::AtenClampOp>(
      b.create<torch::AtenSubScalarOp>(places, one, one), zero, b.none());
  Value differs =
      b.create<torch::AtenNeTensorOp>(sorted, selected(b, sorted, before));
  Value isNew = b.create<torch::AtenLogicalOrOp>(
      b.create<torch::AtenAnyDimOp>(differs, one, b.constantBool(false)),
      b.create<torch::AtenEqScalarOp>(places, zero));
  Value starts = b.squeeze(b.create<torch::AtenNonzeroOp>(isNew), {1});
  Value firsts = selected(b, byValue, starts);
  Value ends = b.cat(
      {b.slice(starts, 0, one), b.unsqueeze(b.tensorOfInts(count, int64Dtype(b),
                                                           /*scalar=*/true),
                                            0)},
      0);
  Value counts = b.sub(ends, starts);
  Value group = b.create<torch::AtenSubScalarOp>(
      b.create<torch::AtenCumsumOp>(b.convert(isNew, int64Dtype(b)), zero,
                                    b.none()),
      one, one);
  if (!isSorted) {
    Value byPlace =
        b.create<torch::AtenSortOp>(firsts, zero, b.constantBool(false))
            ->getResult(1);
    Value rank = scattered(b, byPlace, iota(b, zero, b.size(byPlace, 0)));
    firsts = selected(b, firsts, byPlace);
    counts = selected(b, counts, byPlace);
    group = selected(b, rank, group);
  }
  Value y = b.create<torch::AtenIndexSelectOp>(x, b.constant(axis), firsts);
  return SmallVector<Value>{y, firsts, scattered(b, byValue, group), counts};
}

FailureOr<SmallVector<Value>>
lowerUnique(onnx::UniqueOp op, onnx::UniqueOp::Adaptor in, NodeBuilder &b) {
  return uniqueOf(b, in.getX(), op.getAxis(), op.getSorted());
}

/// Unique of onnxruntime's, from before ONNX had it: the distinct elements in
/// the order of their first occurrence, the inverse indices, and the counts.
FailureOr<SmallVector<Value>>
lowerContribUnique(onnx::MicrosoftUniqueOp, onnx::MicrosoftUniqueOp::Adaptor in,
                   NodeBuilder &b) {
  FailureOr<SmallVector<Value>> results =
      uniqueOf(b, in.getX(), std::nullopt, /*isSorted=*/false);
  if (failed(results))
    return failure();
  return SmallVector<Value>{(*results)[0], (*results)[2], (*results)[3]};
}

} // namespace

void onnx_to_torch::populateUnique(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerContribUnique);
  lowerings.add(lowerUnique);
}
