//===- Segments.cpp - Reductions of consecutive elements ------------------===//

#include "Checks.h"
#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// A reduction of segment_reduce: the name of scatter_reduce, and the result
/// for no elements.
struct Reduction {
  StringRef name;
  double ofNothing;
};

static std::optional<Reduction> findReduction(StringRef name) {
  return llvm::StringSwitch<std::optional<Reduction>>(name)
      .Cases({"sum", "mean"}, Reduction{"sum", 0})
      .Case("prod", Reduction{"prod", 1})
      .Case("max", Reduction{"amax", -infinity})
      .Case("min", Reduction{"amin", infinity})
      .Default(std::nullopt);
}

/// segment_reduce(data [batch...,n,...], reduce, lengths [batch...,m]):
/// reductions of the first lengths[0] rows, of the next lengths[1] ones, and so
/// on. `offsets` [batch...,m+1] are the bounds of the segments instead. The
/// mean of no rows is NaN, unless there is an initial value. Rows outside of
/// all segments do not count.
static Value segmentReduce(AtenSegmentReduceOp op, TorchBuilder &b) {
  std::optional<StringRef> name = matchStr(op.getReduce());
  auto reduction = name ? findReduction(*name) : std::nullopt;
  bool hasLengths = !isNone(op.getLengths());
  if (!reduction || hasLengths == !isNone(op.getOffsets()) ||
      !isNone(op.getIndices()))
    return b.fail("expected a reduction of sum, mean, prod, max or min, and "
                  "either lengths or offsets");
  Tensor data(b, op.getData()),
      given(b, hasLengths ? op.getLengths() : op.getOffsets());
  if (!isFloatingPoint(data.dtype()))
    return b.fail("expected floating-point numbers");
  int64_t axis = given.rank() - 1;
  if (matchInt(op.getAxis()) != axis)
    return b.fail("expected the axis to be the last dim of lengths or offsets, "
                  "which is " +
                  Twine(axis));
  Value zero = b.constant(0), one = b.constant(1);
  Value last = b.constant(axis);
  Tensor ends = hasLengths ? given.apply<AtenCumsumOp>(last, b.none())
                           : Tensor(b, b.slice(given, axis, one));
  Tensor lengths =
      hasLengths
          ? given
          : ends - Tensor(b, b.slice(given, axis, zero, b.size(ends, axis)));

  if (hasLengths && matchBool(op.getUnsafe()) != true) {
    checkAll(given >= 0, "lengths of 0 or more");
    Tensor total(b, b.sum(given, axis, /*keepdim=*/false));
    checkAll(total == scalar(b, b.size(data, axis), total.dtype()),
             "lengths whose sum is the size of the dim");
  }

  // Rows before the first segment or behind the last one are those of a further
  // segment, which is dropped.
  SmallVector<Value> sizes = b.sizes(data), results = b.sizes(ends);
  ArrayRef<Value> outer = ArrayRef(sizes).take_front(axis),
                  inner = ArrayRef(sizes).drop_front(axis + 1);
  Value batches = b.product(outer), rows = sizes[axis], count = results[axis];
  Value all = b.addInt(count, one);
  Tensor row(b, b.unsqueeze(range(b, zero, rows), 1));
  Tensor end(b, b.view(ends, {batches, one, count}));
  Tensor number(b, b.sum(row >= end.as(row.dtype()), 2, /*keepdim=*/false));
  if (!hasLengths) {
    Tensor start(b, b.view(b.slice(given, axis, zero, one), {batches, one}));
    number = where(range(b, zero, rows) < start.as(row.dtype()),
                   scalar(b, count, number.dtype()), number);
  }
  // All batches as one: segment i of batch j is number j * (m + 1) + i.
  Tensor batch(b, b.unsqueeze(range(b, zero, batches), 1));
  number = number + batch * scalar(b, all, number.dtype());

  SmallVector<Value> flat = {b.mulInt(batches, rows)};
  llvm::append_range(flat, inner);
  Value source = b.view(data, flat);
  flat[0] = b.mulInt(batches, all);
  bool hasInitial = !isNone(op.getInitial());
  Value initial =
      hasInitial ? op.getInitial() : b.constantFloat(reduction->ofNothing);
  Value into =
      b.create<AtenFullOp>(b.ints(flat), initial, b.dtype(data.dtype()),
                           b.none(), b.none(), b.none());
  Tensor reduced(
      b, b.create<AtenScatterReduceTwoOp>(
             into, zero,
             spreadIndex(b, b.view(number, b.constant(-1)), 0, b.sizes(source)),
             source, b.constantStr(reduction->name), b.constantBool(true)));
  results[axis] = all;
  llvm::append_range(results, inner);
  reduced = {b, b.slice(b.view(reduced, results), axis, zero, count)};
  if (*name != "mean")
    return reduced;
  SmallVector<Value> broadcast = b.sizes(ends);
  broadcast.append(inner.size(), one);
  Tensor divisor = Tensor(b, b.view(lengths, broadcast)).as(data.dtype());
  return hasInitial ? where(divisor == 0, reduced, reduced / divisor)
                    : reduced / divisor;
}

void populateSegments(Decompositions &decompositions) {
  decompositions.add(segmentReduce);
}

} // namespace isthmus::decompose_torch
