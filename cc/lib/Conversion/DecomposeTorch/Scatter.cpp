//===- Scatter.cpp - Tensors with some elements replaced ------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// Replaces the elements [start, end) of a dim.
static Value splice(TorchBuilder &b, Value x, int64_t dim, Value start,
                    Value end, Value source) {
  SmallVector<Value> pieces;
  auto add = [&](Value piece) {
    if (tensorType(piece).getSizes()[dim] != 0)
      pieces.push_back(piece);
  };
  add(b.slice(x, dim, b.constant(0), start));
  add(b.convert(source, tensorType(x).getDtype()));
  add(b.slice(x, dim, end));
  if (pieces.empty())
    return x;
  return pieces.size() == 1 ? pieces.front() : b.cat(pieces, dim);
}

/// select_scatter(x, source, dim, i): x with source at x[..., i, ...].
static Value selectScatter(AtenSelectScatterOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  int64_t normal = normalDim(*dim, tensorType(x).getRank());
  Value index = fromStart(b, op.getIndex(), b.size(x, normal));
  return splice(b, x, normal, index, b.addInt(index, b.constant(1)),
                b.unsqueeze(op.getSrc(), normal));
}

/// slice_scatter(x, source, dim, start, end, step): x with source at
/// x[..., start:end:step, ...].
static Value sliceScatter(AtenSliceScatterOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf()), source = Tensor(b, op.getSrc()).as(x.dtype());
  std::optional<int64_t> dim = matchInt(op.getDim()),
                         step = matchInt(op.getStep());
  if (!dim || !step)
    return b.fail("expected a dim and a step that are known while compiling");
  int64_t normal = normalDim(*dim, x.rank());
  Value size = b.size(x, normal), zero = b.constant(0);
  auto bound = [&](Value position, Value otherwise) {
    return isNone(position)
               ? otherwise
               : b.maxInt(b.minInt(fromStart(b, position, size), size), zero);
  };
  Value start = bound(op.getStart(), zero), end = bound(op.getEnd(), size);
  if (source.sizes()[normal] == 0)
    return x;
  if (*step == 1)
    return splice(b, x, normal, start, b.maxInt(start, end), source);

  // Element p of the dim is element (p - start) / step of the source, if that
  // is whole and in its range.
  Tensor distance = range(b, zero, size);
  distance = distance - scalar(b, start, distance.dtype());
  Tensor apart = scalar(b, op.getStep(), distance.dtype());
  Tensor place =
      distance.apply<AtenDivTensorModeOp>(apart, b.constantStr("floor"));
  Tensor last =
      scalar(b, b.subInt(b.size(source, normal), b.constant(1)), place.dtype());
  Tensor nearest = min(max(place, 0), last);
  Tensor isReplaced = nearest * apart == distance;
  return where({b, alongFirst(b, isReplaced, size, x.rank() - normal)},
               source.apply<AtenIndexSelectOp>(b.constant(normal), nearest), x);
}

/// masked_scatter(x, mask, source): replaces the elements of x where the mask
/// is true by those of the source, in order.
static Value maskedScatter(AtenMaskedScatterOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf()), mask(b, op.getMask());
  SmallVector<Value> sizes = broadcastSizes(b, b.sizes(x), b.sizes(mask));
  mask = {b, b.expand(mask, sizes)};
  Value rest = b.constant(-1);
  // The number of true elements before an element is its index into the source.
  Value inRow = b.view(mask, rest);
  Tensor count(b, b.create<AtenCumsumOp>(inRow, b.constant(0), b.none()));
  // Elements that are not replaced pick one behind the source, which may be
  // empty. With more true elements than the source has, an index is outside.
  Tensor source(b, b.view(op.getSource(), rest));
  Value zero =
      b.create<AtenFullOp>(b.ints(1), b.constant(0), b.dtype(source.dtype()),
                           b.none(), b.none(), b.none());
  Tensor end = scalar(b, b.size(source, 0), count.dtype());
  Tensor place =
      where({b, inRow}, where(count <= end, count - 1, end + 1), end);
  Value picked = b.create<AtenIndexSelectOp>(b.cat({source, zero}, 0),
                                             b.constant(0), place);
  return where(mask, {b, b.view(picked, sizes)}, x);
}

/// The elements of the gradient where the mask is true, in order, and then
/// zeros.
static Value maskedScatterBackward(AtenMaskedScatterBackwardOp op,
                                   TorchBuilder &b) {
  auto sizes = matchList(op.getSizes());
  if (!sizes)
    return b.fail(kListOfSizes);
  auto [gradient, mask] = broadcast({b, op.getGradOutput()}, {b, op.getMask()});
  Value rest = b.constant(-1), zero = b.constant(0), one = b.constant(1);
  Value inRow = b.view(mask, rest);
  Tensor count(b, b.create<AtenCumsumOp>(inRow, zero, b.none()));
  // The others are added to an element behind the last one.
  Value end = b.product(*sizes);
  Tensor place = where({b, inRow}, count - 1, scalar(b, end, count.dtype()));
  Value all =
      filled(b, b.addInt(end, one), 0, gradient.dtype())
          .apply<AtenIndexAddOp>(zero, place, b.view(gradient, rest), one);
  return b.view(b.slice(all, 0, zero, end), *sizes);
}

static Value scatterAdd(AtenScatterAddOp op, TorchBuilder &b) {
  return b.create<AtenScatterReduceTwoOp>(
      op.getSelf(), op.getDim(), op.getIndex(), op.getSrc(),
      b.constantStr("sum"), b.constantBool(true));
}

/// A source for all positions of the index.
template <typename Op>
static Value fullSource(Op op, TorchBuilder &b) {
  return b.create<AtenFullOp>(b.ints(b.sizes(op.getIndex())), op.getValue(),
                              b.dtype(tensorType(op.getSelf()).getDtype()),
                              b.none(), b.none(), b.none());
}

static Value scatterValue(AtenScatterValueOp op, TorchBuilder &b) {
  return b.create<AtenScatterSrcOp>(op.getSelf(), op.getDim(), op.getIndex(),
                                    fullSource(op, b));
}

/// scatter(x, dim, index, source, reduce) with a reduce of "add" or "multiply".
template <typename Op>
static Value scatterCombined(Op op, TorchBuilder &b, Value source) {
  std::optional<StringRef> reduce = matchStr(op.getReduce());
  if (reduce != "add" && reduce != "multiply")
    return b.fail("expected a reduce of add or multiply that is known while "
                  "compiling");
  return b.create<AtenScatterReduceTwoOp>(
      op.getSelf(), op.getDim(), op.getIndex(), source,
      b.constantStr(reduce == "add" ? "sum" : "prod"), b.constantBool(true));
}

static Value scatterReduce(AtenScatterReduceOp op, TorchBuilder &b) {
  return scatterCombined(op, b, op.getSrc());
}

static Value scatterValueReduce(AtenScatterValueReduceOp op, TorchBuilder &b) {
  return scatterCombined(op, b, fullSource(op, b));
}

/// The gradient of a view with respect to its input, which has `removedDims`
/// more dims: that of the view in its place, and zeros.
template <typename Scatter, size_t removedDims, typename Op, typename... Place>
static Value viewBackward(Op op, TorchBuilder &b, Place... place) {
  auto sizes = matchList(op.getInputSizes());
  if (!sizes)
    return b.fail(kListOfSizes);
  Value gradient = op.getGradOutput();
  size_t rank = tensorType(gradient).getRank() + removedDims;
  if (sizes->size() != rank)
    return b.fail("expected " + Twine(rank) + " sizes of the input, got " +
                  Twine(sizes->size()));
  Value zeros = filled(b, *sizes, 0, tensorType(gradient).getDtype());
  return b.create<Scatter>(zeros, gradient, place...);
}
static Value diagonalBackward(AtenDiagonalBackwardOp op, TorchBuilder &b) {
  return viewBackward<AtenDiagonalScatterOp, 1>(op, b, op.getOffset(),
                                                op.getDim1(), op.getDim2());
}
static Value selectBackward(AtenSelectBackwardOp op, TorchBuilder &b) {
  return viewBackward<AtenSelectScatterOp, 1>(op, b, op.getDim(),
                                              op.getIndex());
}
static Value sliceBackward(AtenSliceBackwardOp op, TorchBuilder &b) {
  return viewBackward<AtenSliceScatterOp, 0>(op, b, op.getDim(), op.getStart(),
                                             op.getEnd(), op.getStep());
}

void populateScatter(Decompositions &decompositions) {
  decompositions.add(diagonalBackward, maskedScatter, maskedScatterBackward,
                     scatterAdd, scatterReduce, scatterValue,
                     scatterValueReduce, selectBackward, selectScatter,
                     sliceBackward, sliceScatter);
}

} // namespace isthmus::decompose_torch
