//===- Differences.cpp - Derivatives and integrals of samples -------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

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
static Tensor derivative(Tensor x, int64_t dim, int64_t order,
                         Tensor distance) {
  TorchBuilder &b = x.builder();
  Tensor inner = (part(x, dim, 2, 0) - part(x, dim, 0, -2)) / 2;
  Value size = b.size(x, dim);
  auto from = [&](int64_t place) { // a negative one from the end
    Value start = b.constant(place);
    if (place < 0)
      start = b.addInt(size, start);
    return Tensor(b, b.slice(x, dim, start, b.addInt(start, b.constant(1))));
  };
  auto border = [&](int64_t first, int64_t second, int64_t third) {
    Tensor near = from(second) - from(first);
    return order == 1 ? near : near * 1.5 - (from(third) - from(second)) * 0.5;
  };
  Tensor start = border(0, 1, 2), end = -border(-1, -2, -3);
  return Tensor(b, b.cat({start, inner, end}, dim)) / distance;
}

/// gradient(x, spacing, dims, edge_order): the derivative along each dim, all
/// of them by default.
template <typename Op>
static Value gradient(Op op, TorchBuilder &b, Value spacing, Value dim) {
  auto order = matchInt(op.getEdgeOrder());
  Tensor own(b, op.getSelf());
  SmallVector<int64_t> dims = allDims(own.rank());
  if (auto list = matchInts(dim))
    dims = *list;
  else if (auto one = matchInt(dim))
    dims = {*one};
  else if (!isNone(dim))
    order = std::nullopt;
  if (order != 1 && order != 2)
    return b.fail("expected an edge_order of 1 or 2 and dims that are known "
                  "while compiling");
  Tensor x =
      isIntegral(own.dtype()) ? own.as(Float32Type::get(b.getContext())) : own;
  Tensor distance =
      isNone(spacing) ? x.number(1) : scalar(b, spacing, x.dtype());
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

/// The areas between neighbours: (y[i] + y[i + 1]) / 2 * (x[i + 1] - x[i]), for
/// places x, of y's sizes or of one dim, or at one distance.
template <typename Op>
static std::optional<Tensor> areas(Op op, TorchBuilder &b, int64_t &dim) {
  auto known = matchInt(op.getDim());
  Tensor own(b, op.getY());
  Type dtype = tensorType(op).getDtype();
  if (!known || own.rank() == 0) {
    b.fail("expected a dim that is known while compiling");
    return std::nullopt;
  }
  dim = normalDim(*known, own.rank());
  Tensor y = own.as(dtype);
  Tensor sums = part(y, dim, 1, 0) + part(y, dim, 0, -1);
  Value steps = op->getOperand(1);
  if (!isTensor(steps.getType()))
    return sums * scalar(b, steps, dtype) * 0.5;
  Tensor x = Tensor(b, steps).as(dtype);
  int64_t along = dim;
  if (x.rank() == 1 && own.rank() > 1) {
    x = {b, alongFirst(b, x, b.constant(-1), own.rank() - dim)};
    along = 0;
  } else if (x.rank() != own.rank()) {
    b.fail("expected places of rank 1 or " + Twine(own.rank()) + ", got " +
           Twine(x.rank()));
    return std::nullopt;
  }
  return sums * (part(x, along, 1, 0) - part(x, along, 0, -1)) * 0.5;
}

template <typename Op>
static Value trapezoid(Op op, TorchBuilder &b) {
  int64_t dim;
  auto each = areas(op, b, dim);
  return each ? b.sum(*each, dim, /*keepdim=*/false) : Value();
}

template <typename Op>
static Value cumulativeTrapezoid(Op op, TorchBuilder &b) {
  int64_t dim;
  auto each = areas(op, b, dim);
  return each ? b.create<AtenCumsumOp>(*each, b.constant(dim), b.none())
              : Value();
}

void populateDifferences(Decompositions &decompositions) {
  decompositions.add(cumulativeTrapezoid<AtenCumulativeTrapezoidDxOp>,
                     cumulativeTrapezoid<AtenCumulativeTrapezoidXOp>,
                     gradientOfDims, gradientOfInt, gradientOfUnit,
                     trapezoid<AtenTrapzDxOp>, trapezoid<AtenTrapezoidDxOp>,
                     trapezoid<AtenTrapezoidXOp>);
}

} // namespace isthmus::decompose_torch
