//===- Orthogonal.cpp - QR by Householder's reflections -------------------===//
//
// Q = H_1 ... H_k with the reflections H_i = 1 - tau_i v_i v_i^H, as in LAPACK:
// v_i is 0 above row i, 1 in it, and below it the column i of a matrix whose
// upper triangle is R.
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Matrices.h"
#include "isthmus/Dialect/Torch/FactorizationComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// H x = x - tau v (v^H x) for v [...,m,1] and tau [...,1,1]
static Tensor reflected(Tensor x, Tensor v, Tensor tau) {
  return x - tau * v * sumOver(conj(v) * x, {x.rank() - 2});
}

/// The reflections and R in one matrix, and tau [...,k]. Step k takes column k
/// below row k to 0 by H^H: with a = A[k,k] and s = |A[k:,k]|,
///   b = -sign(real(a)) s    tau = (b - a) / b    v = A[k+1:,k] / (a - b)
/// and R[k,k] = b, which is real. If the column is 0 there, and a real, H = 1.
static Decompositions::Values geqrf(AtenGeqrfOp op, TorchBuilder &b) {
  Tensor a(b, op.getSelf());
  Positions at = positionsIn(a);
  Value steps = smallerSize(a);
  Tensor order = range(b, b.constant(0), steps);
  int64_t last = a.rank() - 1;
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    Tensor x = states[0], k = asTensor(b, number);
    Tensor isRow = at.rows == k, isColumn = at.columns == k;
    Tensor column = pickColumn(x, isColumn), pivot = pickRow(column, isRow);
    Tensor below = where(at.rows > k, column, 0);
    Tensor isReflected = largestOver(below != 0, last - 1);
    Complex parts = partsOf(b, pivot);
    if (parts.imaginary)
      isReflected = isReflected | (*parts.imaginary != 0);
    Tensor size = columnLengths(where(at.rows >= k, column, 0));
    Tensor opposite = where(parts.real < 0, size, -size).as(a.dtype());
    Tensor result = where(isReflected, opposite, pivot);
    Tensor tau = where(isReflected, (result - pivot) / result, 0);
    Tensor v = below / where(isReflected, pivot - result, 1);
    v = where(isRow, 1, v);
    Tensor own = where(at.rows > k, v, where(isRow, result, x));
    Tensor next = where(at.columns > k, reflected(x, v, conj(tau)),
                        where(isColumn, own, x));
    return {next,
            where(order == k, Tensor(b, b.squeeze(tau, last)), states[1])};
  };
  States states =
      repeat(b, steps, {a, filled(b, batchAnd(a, steps), 0, a.dtype())}, step);
  return {states[0], states[1]};
}

/// Q x, or Q^H x, for the reflections in matrices.
static Tensor applied(Tensor reflections, Tensor taus, Tensor x,
                      bool isAdjoint) {
  TorchBuilder &b = x.builder();
  Positions at = positionsIn(reflections);
  Value steps = b.size(taus, taus.rank() - 1);
  Tensor order = range(b, b.constant(0), steps);
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    if (!isAdjoint)
      number = b.subInt(b.subInt(steps, b.constant(1)), number);
    Tensor k = asTensor(b, number);
    Tensor column = pickColumn(reflections, at.columns == k);
    Tensor v = where(at.rows == k, 1, where(at.rows > k, column, 0));
    Tensor tau(b, b.unsqueeze(pickLast(taus, order == k), taus.rank()));
    return {reflected(states[0], v, isAdjoint ? conj(tau) : tau)};
  };
  return repeat(b, steps, {x}, step)[0];
}

/// The first columns of Q, as many as the matrix has.
template <typename Op>
static Tensor householderProduct(Op op, TorchBuilder &b) {
  Tensor x(b, op->getOperand(0)), taus(b, op->getOperand(1));
  Tensor first =
      expanded(identity(b, rowsOf(x), columnsOf(x), x.dtype()), b.sizes(x));
  return applied(x, taus, first, /*isAdjoint=*/false);
}

/// Q x or x Q, or with the adjoint of Q; x Q = (Q^H x^H)^H
static Value ormqr(AtenOrmqrOp op, TorchBuilder &b) {
  std::optional<bool> left = matchBool(op.getLeft()),
                      transpose = matchBool(op.getTranspose());
  if (!left || !transpose)
    return b.fail(
        "expected to know the side and transposition while compiling");
  Tensor reflections(b, op.getSelf()), taus(b, op.getInput2()),
      x(b, op.getInput3());
  if (*left)
    return applied(reflections, taus, x, *transpose);
  return adjoint(applied(reflections, taus, adjoint(x), !*transpose));
}

/// A = Q R: "reduced" to the smaller size of A, "complete", or only R.
static Decompositions::Values qr(AtenLinalgQrOp op, TorchBuilder &b) {
  std::optional<StringRef> mode = matchStr(op.getMode());
  if (mode != "reduced" && mode != "complete" && mode != "r")
    return {b.fail("expected mode to be \"reduced\", \"complete\" or \"r\""),
            {}};
  Tensor a(b, op.getA());
  auto factors = b.create<AtenGeqrfOp>(a);
  Tensor all(b, factors->getResult(0));
  Value rows = rowsOf(a), zero = b.constant(0);
  Value inner = mode == "complete" ? rows : smallerSize(a);
  Tensor upper = upperTriangle({b, b.slice(all, a.rank() - 2, zero, inner)});
  if (mode == "r")
    return {filled(b, zero, 0, a.dtype()), upper};
  Tensor first =
      expanded(identity(b, rows, inner, a.dtype()), batchAnd(a, {rows, inner}));
  Value no = b.constantBool(false), yes = b.constantBool(true);
  Value q = b.create<AtenOrmqrOp>(all, factors->getResult(1), first, yes, no);
  return {q, upper};
}

static Decompositions::Values oldQr(AtenQrOp op, TorchBuilder &b) {
  std::optional<bool> some = matchBool(op.getSome());
  if (!some)
    return {b.fail("expected 'some' to be known while compiling"), {}};
  Value mode = b.constantStr(*some ? "reduced" : "complete");
  return b.create<AtenLinalgQrOp>(op.getSelf(), mode)->getResults();
}

void populateOrthogonal(Decompositions &decompositions) {
  decompositions.add(geqrf, householderProduct<AtenLinalgHouseholderProductOp>,
                     householderProduct<AtenOrgqrOp>, oldQr, ormqr, qr);
}

} // namespace isthmus::decompose_torch
