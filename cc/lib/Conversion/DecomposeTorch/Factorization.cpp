//===- Factorization.cpp - Cholesky, LU, and triangular equations ---------===//
//
// PyTorch raises an error for matrices that have no factors or no inverse.
// Here the results are those of the formulas then, with infinities and NaNs;
// `info` tells, as LAPACK's does.
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Matrices.h"
#include "isthmus/Dialect/Torch/FactorizationComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static Type infoDtype(TorchBuilder &b) {
  return IntegerType::get(b.getContext(), 32, IntegerType::Signed);
}

/// A bool that changes the form of the results.
static std::optional<bool> knownBool(TorchBuilder &b, Value value,
                                     StringRef name) {
  std::optional<bool> known = matchBool(value);
  if (!known)
    b.fail("expected '" + name + "' to be known while compiling");
  return known;
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// The factor L of A = L L^H, and the number of the first minor of A that is
/// not positive, from 1, or 0. Step k has pivot d = A[k,k] and makes column k:
///   L[i,k] = A[i,k] / sqrt(d) for i >= k
///   A[i,j] -= L[i,k] conj(L[j,k])   for j > k
static States cholesky(Tensor a) {
  TorchBuilder &b = a.builder();
  Positions at = positionsIn(a);
  Tensor info = filled(b, batchAnd(a, {}), 0, infoDtype(b));
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    Tensor x = states[0], info = states[1], k = asTensor(b, number);
    Tensor isColumn = at.columns == k;
    Tensor column = pickColumn(x, isColumn);
    Tensor pivot = realPartOf(pickRow(column, at.rows == k));
    Tensor factors = where(at.rows >= k, column / sqrt(pivot), 0);
    Tensor rest = where(at.columns > k, x - factors * adjoint(factors), x);
    Tensor isWrong = (info == 0) & !perMatrix(pivot > 0);
    return {where(isColumn, factors, rest),
            where(isWrong, (k + 1).as(info.dtype()), info)};
  };
  States states = repeat(b, rowsOf(a), {a, info}, step);
  return {lowerTriangle(states[0]), states[1]};
}

/// A = L L^H, of the lower triangle of A; with `upper`, A = U^H U, of the upper
/// one.
static States cholesky(TorchBuilder &b, Value a, Value isUpper) {
  std::optional<bool> upper = knownBool(b, isUpper, "upper");
  if (!upper)
    return {};
  if (!*upper)
    return cholesky({b, a});
  States states = cholesky(adjoint({b, a}));
  states[0] = adjoint(states[0]);
  return states;
}

static Decompositions::Values choleskyEx(AtenLinalgCholeskyExOp op,
                                         TorchBuilder &b) {
  States states = cholesky(b, op.getSelf(), op.getUpper());
  return states.empty() ? Decompositions::Values(2)
                        : Decompositions::Values{states[0], states[1]};
}

template <typename Op>
static Value choleskyFactor(Op op, TorchBuilder &b) {
  return b
      .create<AtenLinalgCholeskyExOp>(op.getSelf(), op.getUpper(),
                                      b.constantBool(false))
      .getResult(0);
}

/// X of A X = B: L Y = B, then L^H X = Y.
static Value choleskySolve(AtenCholeskySolveOp op, TorchBuilder &b) {
  std::optional<bool> upper = knownBool(b, op.getUpper(), "upper");
  if (!upper)
    return {};
  Tensor factor(b, op.getInput2());
  Tensor lower = *upper ? adjoint(factor) : factor;
  Value no = b.constantBool(false), yes = b.constantBool(true);
  Value y =
      b.create<AtenLinalgSolveTriangularOp>(lower, op.getSelf(), no, yes, no);
  return b.create<AtenLinalgSolveTriangularOp>(adjoint(lower), y, yes, yes, no);
}

static Value choleskyInverse(AtenCholeskyInverseOp op, TorchBuilder &b) {
  Tensor factor(b, op.getSelf());
  Value n = rowsOf(factor);
  return b.create<AtenCholeskySolveOp>(
      expanded(identity(b, n, n, factor.dtype()), b.sizes(factor)), factor,
      op.getUpper());
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

/// Matrices [...,m,n] with the dims of the batch broadcast to those of others.
static Tensor broadcastLike(Tensor matrices, Tensor others) {
  TorchBuilder &b = matrices.builder();
  SmallVector<Value> own = batchAnd(matrices, {}), other = batchAnd(others, {});
  SmallVector<Value> sizes = broadcastSizes(b, own, other);
  sizes.append({rowsOf(matrices), columnsOf(matrices)});
  return expanded(matrices, sizes);
}

/// X of A X = B for a triangular A. Step k, from the first row if A is lower
/// and from the last one if it is upper:
///   X[k] = B[k] / A[k,k]
///   B[i] -= A[i,k] X[k] for the rows i that remain
static Tensor solveTriangle(Tensor a, Tensor right, bool isUpper, bool isUnit) {
  TorchBuilder &b = a.builder();
  Tensor rows = positionsIn(a).rows, columns = positionsIn(a).columns;
  Value n = rowsOf(a);
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    if (isUpper)
      number = b.subInt(b.subInt(n, b.constant(1)), number);
    Tensor x = states[0], k = asTensor(b, number);
    Tensor isRow = rows == k;
    Tensor column = pickColumn(a, columns == k);
    Tensor solved = pickRow(x, isRow);
    if (!isUnit)
      solved = solved / pickRow(column, isRow);
    Tensor remains = isUpper ? rows < k : rows > k;
    return {where(isRow, solved, where(remains, x - column * solved, x))};
  };
  return repeat(b, n, {broadcastLike(right, a)}, step)[0];
}

/// X of A X = B; on the right, of X A = B, that is A^T X^T = B^T.
static Value solveTriangular(AtenLinalgSolveTriangularOp op, TorchBuilder &b) {
  std::optional<bool> upper = knownBool(b, op.getUpper(), "upper"),
                      left = knownBool(b, op.getLeft(), "left"),
                      unit =
                          knownBool(b, op.getUnitriangular(), "unitriangular");
  if (!upper || !left || !unit)
    return {};
  Tensor a(b, op.getSelf()), right(b, op.getB());
  if (*left)
    return solveTriangle(a, right, *upper, *unit);
  return transposed(
      solveTriangle(transposed(a), transposed(right), !*upper, *unit));
}

/// The solution, and A.
static Decompositions::Values triangularSolve(AtenTriangularSolveOp op,
                                              TorchBuilder &b) {
  std::optional<bool> upper = knownBool(b, op.getUpper(), "upper"),
                      transpose = knownBool(b, op.getTranspose(), "transpose");
  if (!upper || !transpose)
    return {{}, {}};
  Tensor a(b, op.getA()), right(b, op.getSelf());
  Value solution = b.create<AtenLinalgSolveTriangularOp>(
      *transpose ? transposed(a) : a, right,
      b.constantBool(*upper != *transpose), b.constantBool(true),
      op.getUnitriangular());
  return {solution, broadcastLike(a, right)};
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

/// x with the parts a and z, for which two masks are true, in each other's
/// place.
static Tensor swapped(Tensor x, Tensor isA, Tensor a, Tensor isZ, Tensor z) {
  return where(isA, z, where(isZ, a, x));
}

/// What LAPACK compares to find a pivot: |x|, or |real part| + |imaginary
/// part|.
static Tensor pivotSizes(Tensor x) {
  Complex parts = partsOf(x.builder(), x);
  Tensor size = abs(parts.real);
  return parts.imaginary ? size + abs(*parts.imaginary) : size;
}

/// P A = L U with the largest pivots: L below the diagonal and U on and above
/// it, the rows [...,k], from 1, that step k put in row k, and the number of
/// the first pivot that is 0, from 1, or 0. Step k has p = A[k,k] and makes
///   L[i,k] = A[i,k] / p        for i > k
///   A[i,j] -= L[i,k] A[k,j]    for i, j > k
static States factorLu(Tensor a) {
  TorchBuilder &b = a.builder();
  Positions at = positionsIn(a);
  Value steps = smallerSize(a);
  Tensor order = range(b, b.constant(0), steps);
  int64_t last = a.rank() - 1;
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    Tensor x = states[0], pivots = states[1], info = states[2];
    Tensor k = asTensor(b, number);
    Tensor isRow = at.rows == k, isColumn = at.columns == k;
    Tensor column = pickColumn(x, isColumn);
    Tensor sizes = where(at.rows >= k, pivotSizes(column), -1);
    Tensor place =
        sizes.apply<AtenArgmaxOp>(b.constant(last - 1), b.constantBool(true));
    Tensor isPlace = at.rows == place;
    Tensor row = pickRow(x, isPlace), pivot = pickRow(column, isPlace);
    x = swapped(x, isRow, pickRow(x, isRow), isPlace, row);
    column = swapped(column, isRow, pickRow(column, isRow), isPlace, pivot);
    Tensor isZero = pivot == 0;
    Tensor factors = column / where(isZero, 1, pivot);
    Tensor rest =
        where(at.columns > k, x - factors * row, where(isColumn, factors, x));
    Tensor isWrong = (info == 0) & perMatrix(isZero);
    Tensor chosen = Tensor(b, b.squeeze(place + 1, last));
    return {where(at.rows > k, rest, x),
            where(order == k, chosen.as(pivots.dtype()), pivots),
            where(isWrong, (k + 1).as(info.dtype()), info)};
  };
  Type dtype = infoDtype(b);
  return repeat(b, steps,
                {a, filled(b, batchAnd(a, steps), 0, dtype),
                 filled(b, batchAnd(a, {}), 0, dtype)},
                step);
}

template <typename Op>
static Decompositions::Values luFactor(Op op, TorchBuilder &b) {
  if (matchBool(op.getPivot()) != true)
    b.fail("expected pivots, which PyTorch also expects on a CPU");
  States states = factorLu({b, op->getOperand(0)});
  return Decompositions::Values(states.begin(),
                                states.begin() + op->getNumResults());
}

/// The order of rows [...,m] after the exchanges of LU; or its inverse, from
/// the last exchange to the first.
static Tensor orderOf(Tensor lu, Tensor pivots, bool isInverse) {
  TorchBuilder &b = lu.builder();
  Value rows = rowsOf(lu), steps = b.size(pivots, pivots.rank() - 1);
  Tensor positions = range(b, b.constant(0), rows),
         exchanges = range(b, b.constant(0), steps);
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    if (isInverse)
      number = b.subInt(b.subInt(steps, b.constant(1)), number);
    Tensor k = asTensor(b, number);
    Tensor place = pickLast(pivots, exchanges == k) - 1;
    Tensor isA = positions == k, isZ = positions == place, x = states[0];
    return {swapped(x, isA, pickLast(x, isA), isZ, pickLast(x, isZ))};
  };
  return repeat(b, steps, {expanded(positions, batchAnd(lu, rows))}, step)[0];
}

/// P [...,m,m], L [...,m,k] and U [...,k,n] of A = P L U.
static Decompositions::Values luUnpack(AtenLuUnpackOp op, TorchBuilder &b) {
  std::optional<bool> data = knownBool(b, op.getUnpackData(), "unpack_data"),
                      pivots =
                          knownBool(b, op.getUnpackPivots(), "unpack_pivots");
  if (!data || !pivots)
    return {{}, {}, {}};
  Tensor lu(b, op.getLUData());
  Tensor nothing = filled(b, b.constant(0), 0, lu.dtype());
  Decompositions::Values results(3, nothing);
  if (*pivots) {
    Tensor order = orderOf(lu, {b, op.getLUPivots()}, /*isInverse=*/false);
    Tensor rows = positionsIn(lu).rows;
    results[0] = (rows == Tensor(b, b.unsqueeze(order, order.rank() - 1)))
                     .as(lu.dtype());
  }
  if (*data) {
    Value k = smallerSize(lu), zero = b.constant(0);
    Tensor left(b, b.slice(lu, lu.rank() - 1, zero, k));
    Tensor upper(b, b.slice(lu, lu.rank() - 2, zero, k));
    results[1] = lowerTriangle(left, -1) +
                 identity(b, rowsOf(left), columnsOf(left), lu.dtype());
    results[2] = upperTriangle(upper);
  }
  return results;
}

/// A = P L U.
static Decompositions::Values luOf(AtenLinalgLuOp op, TorchBuilder &b) {
  auto lu = b.create<AtenLinalgLuFactorOp>(op.getA(), op.getPivot());
  Value yes = b.constantBool(true);
  return b.create<AtenLuUnpackOp>(lu->getResult(0), lu->getResult(1), yes, yes)
      ->getResults();
}

/// X of A X = B, that is L U X = P^T B; with `adjoint` of A^H X = B, that is
/// U^H L^H P^T X = B. On the right, the transposes of both sides.
static Value luSolve(AtenLinalgLuSolveOp op, TorchBuilder &b) {
  std::optional<bool> left = knownBool(b, op.getLeft(), "left"),
                      isAdjoint = knownBool(b, op.getAdjoint(), "adjoint");
  if (!left || !isAdjoint)
    return {};
  Tensor lu(b, op.getLU()), pivots(b, op.getPivots()), right(b, op.getB());
  if (lu.rank() < 2 || right.rank() < 2 || pivots.rank() < 1)
    return b.fail("expected matrices, and pivots, of known rank");
  if (*isAdjoint)
    lu = conj(lu);
  Tensor x = broadcastLike(*left ? right : transposed(right), lu);
  bool isTransposed = *left == *isAdjoint;
  if (isTransposed) {
    Tensor turned = transposed(lu);
    x = solveTriangle(turned, x, /*isUpper=*/false, /*isUnit=*/false);
    x = solveTriangle(turned, x, /*isUpper=*/true, /*isUnit=*/true);
  }
  x = takeRows(x, orderOf(lu, pivots, isTransposed));
  if (!isTransposed) {
    x = solveTriangle(lu, x, /*isUpper=*/false, /*isUnit=*/true);
    x = solveTriangle(lu, x, /*isUpper=*/true, /*isUnit=*/false);
  }
  return *left ? x : transposed(x);
}

static Value oldLuSolve(AtenLuSolveOp op, TorchBuilder &b) {
  return b.create<AtenLinalgLuSolveOp>(op.getLUData(), op.getLUPivots(),
                                       op.getSelf(), b.constantBool(true),
                                       b.constantBool(false));
}

void populateFactorization(Decompositions &decompositions) {
  decompositions.add(choleskyEx, choleskyFactor<AtenCholeskyOp>,
                     choleskyFactor<AtenLinalgCholeskyOp>, choleskyInverse,
                     choleskySolve, luFactor<Aten_LuWithInfoOp>,
                     luFactor<AtenLinalgLuFactorExOp>,
                     luFactor<AtenLinalgLuFactorOp>, luOf, luSolve, luUnpack,
                     oldLuSolve, solveTriangular, triangularSolve);
}

} // namespace isthmus::decompose_torch
