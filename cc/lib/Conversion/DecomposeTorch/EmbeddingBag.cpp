//===- EmbeddingBag.cpp - Sums of rows of a table, and their gradients ----===//
//
// A bag is the part of a list of indices from one offset to the next. Its
// result is the sum, mean or maximum of the rows of a table that the indices
// name.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

enum Mode { Sum, Mean, Max };

/// The mode of an op; nothing, and a failure, if it is not known.
static std::optional<Mode> modeOf(Value mode, TorchBuilder &b) {
  std::optional<int64_t> known = matchInt(mode);
  if (known && *known >= Sum && *known <= Max)
    return Mode(*known);
  b.fail("expected a mode from 0 to 2 that is known while compiling");
  return std::nullopt;
}

/// The bag of each of the indices [n], as [n]: the last whose offset is at most
/// the index's position.
static Tensor bagOfEach(Tensor indices, Tensor offsets) {
  TorchBuilder &b = indices.builder();
  Tensor position(b,
                  b.unsqueeze(range(b, b.constant(0), b.size(indices, 0)), 1));
  Tensor starts = (offsets <= position).as(position.dtype());
  return Tensor(b, b.sum(starts, 1, /*keepdim=*/false)) - 1;
}

static Tensor column(Tensor x) {
  return {x.builder(), x.builder().unsqueeze(x, 1)};
}

/// Reduces the rows [n,E] of each bag; `identity` for a bag without any.
static Tensor reduceBags(Tensor bag, Tensor rows, Value bags, double identity,
                         StringRef reduction) {
  TorchBuilder &b = bag.builder();
  Value all = filled(b, {bags, b.size(rows, 1)}, identity, rows.dtype());
  return Tensor(b, all).apply<AtenScatterReduceTwoOp>(
      b.constant(0), b.expand(column(bag), b.sizes(rows)), rows,
      b.constantStr(reduction), b.constantBool(false));
}

/// The row that an op ignores; null if it has none. A negative one counts from
/// the end in the overload with padding_idx, and means none in other ops.
/// Nothing if it is not known while compiling.
template <typename Op>
static std::optional<Value> paddingOf(Op op, TorchBuilder &b) {
  if constexpr (std::is_same_v<Op, AtenEmbeddingBagOp>) {
    return Value();
  } else {
    Value row = op.getPaddingIdx();
    if (isNone(row))
      return Value();
    std::optional<int64_t> known = matchInt(row);
    if (!known)
      return std::nullopt;
    if constexpr (std::is_same_v<Op, AtenEmbeddingBagPaddingIdxOp>)
      return fromStart(b, row, b.size(op.getWeight(), 0));
    return *known < 0 ? Value() : row;
  }
}

/// embedding_bag(weight [V,E], indices [n], offsets [B]): the bags [B,E]; 0 for
/// an empty one. Rows of padding_idx are ignored. The other results serve
/// gradients: the bag of each index, the number of indices of each bag, and the
/// index that has each maximum. As in PyTorch, those that a mode does not need
/// are zeros or, for the bag of each index, perhaps empty.
template <typename Op>
static Decompositions::Values embeddingBag(Op op, TorchBuilder &b) {
  auto decline = [&](const Twine &reason) {
    return Decompositions::Values{b.fail(reason), {}, {}, {}};
  };
  std::optional<Value> padding = paddingOf(op, b);
  std::optional<Mode> mode = modeOf(op.getMode(), b);
  std::optional<bool> includesLast = matchBool(op.getIncludeLastOffset());
  if (!mode || !padding || !includesLast)
    return decline("expected a padding_idx and an include_last_offset that are "
                   "known while compiling");

  Tensor indices(b, op.getIndices()), offsets(b, op.getOffsets());
  Value zero = b.constant(0), one = b.constant(1);
  Value count = b.size(indices, 0);
  checkAll((offsets >= 0) & (offsets <= scalar(b, count, offsets.dtype())),
           "offsets from 0 to the number of indices");
  checkAll(Tensor(b, b.slice(offsets, 0, zero, one)) == 0,
           "a first offset of 0");
  Value bags = b.size(offsets, 0);
  if (*includesLast) // the end of the last bag
    bags = b.subInt(bags, one);
  Tensor own(b, b.create<AtenIndexSelectOp>(op.getWeight(), zero, indices));
  Tensor rows = own.widened();
  if (!isNone(op.getPerSampleWeights()))
    rows = rows * column({b, op.getPerSampleWeights()}).widened();

  // Padding is assigned to an additional bag, which is dropped; so are indices
  // after the end of the last bag.
  Tensor named = bagOfEach(indices, offsets), bag = named;
  if (*padding)
    bag = where(indices == scalar(b, *padding, indices.dtype()),
                scalar(b, bags, bag.dtype()), bag);
  Value all = b.addInt(bags, one);
  auto dropLast = [&](Value x) { return b.slice(x, 0, zero, bags); };
  static constexpr StringRef reductions[] = {"sum", "mean", "amax"};
  Tensor reduced = reduceBags(bag, rows, all, 0, reductions[*mode]);
  Decompositions::Values results = {
      b.convert(dropLast(reduced), own.dtype()), {}, {}, {}};
  auto isUsed = [&](unsigned result) {
    return !op->getResult(result).use_empty();
  };

  Type dtype = indices.dtype();
  auto zeros = [&](ArrayRef<Value> sizes) {
    return filled(b, sizes, 0, dtype);
  };
  if (isUsed(1)) { // empty where PyTorch's kernel adds rows without a copy
    auto type = cast<ValueTensorType>(op->getResult(1).getType());
    bool isEmpty = type.hasStaticShape()
                       ? type.getSizes() == ArrayRef<int64_t>{0}
                       : *mode == Sum && !*padding && !own.dtype().isF64();
    results[1] = isEmpty ? zeros(zero) : named.as(dtype);
  }
  if (!isUsed(2) && !isUsed(3))
    return results;
  // A sum does not count.
  Tensor ones(b, filled(b, {count, one}, 1, dtype));
  Tensor members(b, *mode == Sum
                        ? zeros({bags, one})
                        : dropLast(reduceBags(bag, ones, all, 0, "sum")));
  Value counts = b.squeeze(members, 1);
  if (isUsed(2))
    results[2] = counts;
  if (!isUsed(3))
    return results;
  if (*mode != Max) {
    results[3] = counts;
    return results;
  }
  // The first index of the bag whose row has the maximum; 0 for an empty bag.
  Tensor isLargest =
      rows == Tensor(b, b.create<AtenIndexSelectOp>(reduced, zero, bag));
  Tensor position(b, range(b, zero, count));
  Tensor candidates =
      where(isLargest, column(position), scalar(b, count, position.dtype()));
  Value first = reduceBags(bag, candidates, all, 0, "amin");
  Value withNone = b.cat({indices, zeros(one)}, 0);
  Tensor index(b, b.create<AtenTakeOp>(withNone, dropLast(first)));
  results[3] = where(members == 0, 0, index);
  return results;
}

/// The rows [n,E] of a gradient [B,E] that the indices of each bag take; 0 for
/// indices after the end of the last bag.
static Tensor rowsOfBags(Tensor gradient, Tensor bag) {
  TorchBuilder &b = bag.builder();
  Tensor bags = scalar(b, b.size(gradient, 0), bag.dtype());
  Tensor row(b, b.create<AtenIndexSelectOp>(gradient, b.constant(0),
                                            min(bag, bags - 1)));
  return where(column(bag < bags), row, 0);
}

/// The gradient of the table: the sum of those of the uses of each row. With
/// `bag`, the bag of each index.
template <typename Op>
static Value tableGradient(Op op, TorchBuilder &b, Tensor bag) {
  std::optional<Mode> mode = modeOf(op.getMode(), b);
  if (!mode)
    return Value();
  Tensor gradient(b, op.getGrad()), members(b, op.getBagSize());
  Type dtype = gradient.dtype();
  gradient = gradient.widened();
  if (*mode == Max) {
    Tensor rows = where(column(members != 0), gradient, 0);
    return Tensor(b, filled(b, {op.getNumWeights(), b.size(rows, 1)}, 0,
                            rows.dtype()))
        .template apply<AtenScatterAddOp>(b.constant(0), op.getMaximumIndices(),
                                          rows)
        .as(dtype);
  }
  if (*mode == Mean)
    gradient = gradient / column(max(members, 1)).as(gradient.dtype());
  Tensor rows = rowsOfBags(gradient, bag);
  if (!isNone(op.getPerSampleWeights()))
    rows = rows * column({b, op.getPerSampleWeights()}).as(rows.dtype());
  return Tensor(b, b.create<AtenEmbeddingDenseBackwardOp>(
                       rows, op.getIndices(), op.getNumWeights(),
                       op.getPaddingIdx(), op.getScaleGradByFreq()))
      .as(dtype);
}

static Value embeddingBagBackward(Aten_EmbeddingBagBackwardOp op,
                                  TorchBuilder &b) {
  if (matchBool(op.getSparse()) != false)
    return b.fail("expected sparse to be false: gradients are dense");
  return tableGradient(op, b,
                       bagOfEach({b, op.getIndices()}, {b, op.getOffsets()}));
}

static Value embeddingBagDenseBackward(Aten_EmbeddingBagDenseBackwardOp op,
                                       TorchBuilder &b) {
  return tableGradient(op, b, {b, op.getOffset2bag()});
}

/// The gradient of the weight of each index: the product of its row of the
/// table and the gradient of its bag; 0 for padding.
static Value weightsGradient(Aten_EmbeddingBagPerSampleWeightsBackwardOp op,
                             TorchBuilder &b) {
  Tensor indices(b, op.getIndices());
  Tensor rows =
      rowsOfBags({b, op.getGrad()}, bagOfEach(indices, {b, op.getOffsets()}));
  Tensor own(
      b, b.create<AtenIndexSelectOp>(op.getWeight(), b.constant(0), indices));
  Tensor sums(b, b.sum(rows.widened() * own.widened(), 1, /*keepdim=*/false));
  Tensor isPadding = indices == scalar(b, op.getPaddingIdx(), indices.dtype());
  return where(isPadding, 0, sums.as(rows.dtype()));
}

void populateEmbeddingBag(Decompositions &decompositions) {
  decompositions.add(
      embeddingBag<Aten_EmbeddingBagForwardOnlyOp>,
      embeddingBag<Aten_EmbeddingBagOp>, embeddingBag<AtenEmbeddingBagOp>,
      embeddingBag<AtenEmbeddingBagPaddingIdxOp>, embeddingBagBackward,
      embeddingBagDenseBackward, weightsGradient);
}

} // namespace isthmus::decompose_torch
