//===- FixedCaches.cpp - Caches that do not grow --------------------------===//

#include "FixedCaches.h"
#include "Heads.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// x plus or minus a !torch.int.
Value plus(NodeBuilder &b, Value x, Value number) {
  return b.create<torch::AtenAddScalarOp>(x, number, b.constant(1));
}
Value minus(NodeBuilder &b, Value x, Value number) {
  return b.create<torch::AtenSubScalarOp>(x, number, b.constant(1));
}

/// Whether 0 <= distance, and distance < window if that is not negative.
Value isWithin(NodeBuilder &b, Value distance, int64_t window) {
  Value isBefore = b.create<torch::AtenGeScalarOp>(distance, b.constant(0));
  if (window < 0)
    return isBefore;
  return b.create<torch::AtenLogicalAndOp>(
      isBefore, b.create<torch::AtenLtScalarOp>(distance, b.constant(window)));
}

/// The bias for all heads [B, 1, S, K] that hides what a token does not see [B,
/// S, K].
Value hidingBias(NodeBuilder &b, Value sees, Type dtype) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return b.unsqueeze(unless(b, sees, -infinity, dtype), 1);
}

} // namespace

FixedCache::FixedCache(NodeBuilder &b, Value tokens, Value capacity,
                       Value steps, int64_t window)
    : b(b), capacity(capacity), steps(steps), window(window),
      // A sample of a first step may have fewer tokens than the step.
      earlier(b.create<torch::AtenClampOp>(minus(b, tokens, steps),
                                           b.constant(0), b.none())) {}

Value FixedCache::places() const {
  return b.add(b.unsqueeze(earlier, 1),
               b.unsqueeze(iota(b, b.constant(0), steps), 0));
}

Value FixedCache::pick(Value rows, Value source) const {
  Value last = b.subInt(b.addInt(capacity, steps), b.constant(1));
  Value known =
      b.create<torch::AtenClampOp>(source, b.constant(0), last); // [B, C]
  SmallVector<Value> shape = b.sizes(rows);
  shape[2] = capacity;
  Value index = b.unsqueeze(b.unsqueeze(known, 1), 3);
  return b.create<torch::AtenGatherOp>(
      rows, b.constant(2), b.expand(index, shape), b.constantBool(false));
}

//===----------------------------------------------------------------------===//
// All tokens
//===----------------------------------------------------------------------===//

Value BufferCache::bias(Type dtype) const {
  Value place = b.unsqueeze(places(), 2); // [B, S, 1]
  Value row = iota(b, b.constant(0), capacity);
  return hidingBias(b, isWithin(b, b.sub(place, row), window), dtype);
}

Value BufferCache::after(Value rows) const {
  Value row = b.unsqueeze(iota(b, b.constant(0), capacity), 0); // [1, C]
  Value step = b.sub(row, b.unsqueeze(earlier, 1));             // [B, C]
  Value isNew = b.create<torch::AtenLogicalAndOp>(
      b.create<torch::AtenGeScalarOp>(step, b.constant(0)),
      b.create<torch::AtenLtScalarOp>(step, steps));
  return pick(rows, b.where(isNew, plus(b, step, capacity), row));
}

//===----------------------------------------------------------------------===//
// A window
//===----------------------------------------------------------------------===//

WindowCache::WindowCache(NodeBuilder &b, Value tokens, Value capacity,
                         Value steps, int64_t window)
    : FixedCache(b, tokens, capacity, steps, window),
      rowsBefore(rowsOf(earlier)), rowsAfter(rowsOf(tokens)) {}

Value WindowCache::rowsOf(Value tokens) const {
  Value group = b.addInt(b.subInt(capacity, b.constant(window)), b.constant(1));
  Value beyond = b.create<torch::AtenClampOp>(
      minus(b, tokens, b.constant(window)), b.constant(0), b.none());
  Value moves = b.create<torch::AtenFloorDivideScalarOp>(beyond, group);
  return b.sub(tokens, b.create<torch::AtenMulScalarOp>(moves, group));
}

Value WindowCache::bias(Type dtype) const {
  Value step = alongAxis(b, iota(b, b.constant(0), steps), 0, 2); // [S, 1]
  Value row = iota(b, b.constant(0), capacity);
  // Row i of the cache is rowsBefore + step - i tokens before the new one.
  Value last = alongAxis(b, rowsBefore, 0, 3); // [B, 1, 1]
  Value sees = b.create<torch::AtenLogicalAndOp>(
      isWithin(b, b.sub(b.add(last, step), row), window),
      b.create<torch::AtenLtTensorOp>(row, last));
  Value seesNew =
      isWithin(b, b.sub(step, iota(b, b.constant(0), steps)), window);
  SmallVector<Value> shape = {b.size(rowsBefore, 0), steps, steps};
  Value all = b.cat({sees, b.expand(seesNew, shape)}, 2);
  return hidingBias(b, all, dtype);
}

Value WindowCache::after(Value rows) const {
  // Of the rows that stay, rowsAfter - S are of the cache, unless there are
  // more new ones than that; the others are new.
  Value kept = b.unsqueeze(minus(b, rowsAfter, steps), 1); // [B, 1]
  Value row = b.unsqueeze(iota(b, b.constant(0), capacity), 0);
  Value ofCache = b.add(b.sub(row, kept), b.unsqueeze(rowsBefore, 1));
  Value ofNew = plus(b, b.sub(row, kept), capacity);
  Value isKept = b.create<torch::AtenLtTensorOp>(row, kept);
  return pick(rows, b.where(isKept, ofCache, ofNew));
}
