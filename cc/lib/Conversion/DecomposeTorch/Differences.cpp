//===- Differences.cpp - Derivatives and integrals of samples -------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// Elements [start, size + end) along a dim.
static Tensor part(Tensor x, int64_t dim, int64_t start, int64_t end) {
  TorchBuilder &b = x.builder();
  Value last = b.addInt(b.size(x, dim), b.constant(end));
  return {b, b.slice(x, dim, b.constant(start), last)};
}

/// The derivative along a dim of samples at a distance: (x[i + 1] - x[i - 1]) /
/// 2 inside, and at the borders, with order 1, the difference of the two
/// outermost, or, with order 2, of the parabola through the three outermost.
/// Integers are subtracted before they are converted, which may round them.
static Tensor derivative(Tensor x, int64_t dim, int64_t order,
                         Tensor distance) {
  TorchBuilder &b = x.builder();
  auto difference = [&](Tensor left, Tensor right) {
    return (left - right).as(distance.dtype());
  };
  Tensor inner = difference(part(x, dim, 2, 0), part(x, dim, 0, -2)) / 2;
  Value size = b.size(x, dim);
  auto from = [&](int64_t place) { // a negative one from the end
    Value start = b.constant(place);
    if (place < 0)
      start = b.addInt(size, start);
    return Tensor(b, b.slice(x, dim, start, b.addInt(start, b.constant(1))));
  };
  auto border = [&](int64_t first, int64_t second, int64_t third) {
    Tensor near = difference(from(second), from(first));
    return order == 1
               ? near
               : near * 1.5 - difference(from(third), from(second)) * 0.5;
  };
  Tensor start = border(0, 1, 2), end = -border(-1, -2, -3);
  return Tensor(b, b.cat({start, inner, end}, dim)) / distance;
}

/// gradient(x, spacing, dims, edge_order): the derivative along each dim, all
/// of them by default.
template <typename Op>
static Value gradient(Op op, TorchBuilder &b, Value spacing, Value dim) {
  auto order = matchInt(op.getEdgeOrder());
  Tensor x(b, op.getSelf());
  SmallVector<int64_t> dims = allDims(x.rank());
  if (auto list = matchInts(dim))
    dims = *list;
  else if (auto one = matchInt(dim))
    dims = {*one};
  else if (!isNone(dim))
    order = std::nullopt;
  if (order != 1 && order != 2)
    return b.fail("expected an edge_order of 1 or 2 and dims that are known "
                  "while compiling");
  Type dtype =
      isIntegral(x.dtype()) ? Float32Type::get(b.getContext()) : x.dtype();
  Tensor distance = isNone(spacing) ? Tensor(b, b.scalarTensor(1., dtype))
                                    : scalar(b, spacing, dtype);
  SmallVector<Value> results;
  for (int64_t dim : dims) {
    if (dim < -x.rank() || dim >= x.rank())
      return b.fail("expected dims of a tensor of rank " + Twine(x.rank()) +
                    ", got " + Twine(dim));
    int64_t normal = normalDim(dim, x.rank()), size = x.sizes()[normal];
    if (ShapedType::isDynamic(size) || size <= *order)
      return b.fail("expected more than " + Twine(*order) +
                    " elements along dim " + Twine(normal) +
                    ", known while compiling");
    results.push_back(derivative(x, normal, *order, distance));
  }
  return listOf(op, b, results);
}

static Value gradientOfInt(AtenGradientScalarintOp op, TorchBuilder &b) {
  return gradient(op, b, op.getSpacing(), op.getDim());
}
static Value gradientOfDims(AtenGradientScalararrayOp op, TorchBuilder &b) {
  return gradient(op, b, op.getSpacing(), op.getDim());
}
static Value gradientOfUnit(AtenGradientArrayOp op, TorchBuilder &b) {
  return gradient(op, b, b.none(), op.getDim());
}

/// y[i] + y[i + 1] along a dim, in y's dtype.
static Tensor neighbourSums(Tensor y, int64_t dim) {
  return part(y, dim, 1, 0) + part(y, dim, 0, -1);
}

/// The dim of an integral of y, counted from 0; a failure if it is unknown.
template <typename Op>
static std::optional<int64_t> integratedDim(Op op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  int64_t rank = tensorType(op.getY()).getRank();
  if (dim && rank > 0)
    return normalDim(*dim, rank);
  b.fail(kConstantDim);
  return std::nullopt;
}

/// Twice the areas between neighbours: (y[i] + y[i + 1]) * (x[i + 1] - x[i]),
/// for places x along the dim, or as many dims as broadcast to those of y. Both
/// are computed in their own dtypes: a conversion may round places that are
/// close together to the same number.
template <typename Op>
static std::optional<Tensor> areas(Op op, TorchBuilder &b, int64_t dim) {
  Tensor y(b, op.getY()), x(b, op.getX());
  int64_t along = dim - (y.rank() - x.rank());
  if (x.rank() == 1) {
    // One for each of y; a single one would broadcast.
    x = {b, alongFirst(b, x, b.size(y, dim), y.rank() - dim)};
    along = 0;
  } else if (x.rank() > y.rank() || along < 0) {
    b.fail("expected places of rank 1, or with the dim and at most " +
           Twine(y.rank()) + " dims, got rank " + Twine(x.rank()));
    return std::nullopt;
  }
  return neighbourSums(y, dim) * (part(x, along, 1, 0) - part(x, along, 0, -1));
}

/// trapezoid(y, x, dim): the sum of the areas.
static Value trapezoid(AtenTrapezoidXOp op, TorchBuilder &b) {
  auto dim = integratedDim(op, b);
  auto twice = dim ? areas(op, b, *dim) : std::nullopt;
  if (!twice)
    return {};
  return Tensor(b, b.sum(*twice, *dim, /*keepdim=*/false))
             .as(tensorType(op).getDtype()) *
         0.5;
}

/// cumulative_trapezoid(y, x, dim): the sums of the first areas.
static Value cumulativeTrapezoid(AtenCumulativeTrapezoidXOp op,
                                 TorchBuilder &b) {
  auto dim = integratedDim(op, b);
  auto twice = dim ? areas(op, b, *dim) : std::nullopt;
  if (!twice)
    return {};
  return twice->apply<AtenCumsumOp>(b.constant(*dim), b.none())
             .as(tensorType(op).getDtype()) *
         0.5;
}

/// trapezoid(y, dx, dim) = (sum(y) - (first + last) / 2) * dx
template <typename Op>
static Value evenTrapezoid(Op op, TorchBuilder &b) {
  auto dim = integratedDim(op, b);
  if (!dim)
    return {};
  Tensor y(b, op.getY());
  Type dtype = tensorType(op).getDtype();
  Value zero = b.constant(0), one = b.constant(1), size = b.size(y, *dim);
  // Slices: there are none of no samples.
  Tensor first(b, b.slice(y, *dim, zero, one)),
      last(b, b.slice(y, *dim, b.maxInt(b.subInt(size, one), zero), size));
  auto sum = [&](Tensor x) {
    return Tensor(b, b.sum(x, *dim, /*keepdim=*/false)).as(dtype);
  };
  return (sum(y) - sum(first + last) * 0.5) * scalar(b, op.getDx(), dtype);
}

/// cumulative_trapezoid(y, dx, dim): the sums of (y[i] + y[i + 1]) / 2 * dx.
static Value evenCumulativeTrapezoid(AtenCumulativeTrapezoidDxOp op,
                                     TorchBuilder &b) {
  auto dim = integratedDim(op, b);
  if (!dim)
    return {};
  Type dtype = tensorType(op).getDtype();
  Tensor each = neighbourSums({b, op.getY()}, *dim).as(dtype) *
                (scalar(b, op.getDx(), dtype) * 0.5);
  return each.apply<AtenCumsumOp>(b.constant(*dim), b.none());
}

void populateDifferences(Decompositions &decompositions) {
  decompositions.add(cumulativeTrapezoid, evenCumulativeTrapezoid,
                     evenTrapezoid<AtenTrapzDxOp>,
                     evenTrapezoid<AtenTrapezoidDxOp>, gradientOfDims,
                     gradientOfInt, gradientOfUnit, trapezoid);
}

} // namespace isthmus::decompose_torch
