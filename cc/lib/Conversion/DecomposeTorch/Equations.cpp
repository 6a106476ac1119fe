//===- Equations.cpp - Linear equations, inverses and determinants --------===//
//
// PyTorch raises an error for matrices without an inverse. Here the results
// have infinities and NaNs then, and `info` tells.
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Matrices.h"
#include "isthmus/Dialect/Torch/ComplexComposites.h"
#include "isthmus/Dialect/Torch/FactorizationComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The solution of A X = B, LU, pivots and info.
static Decompositions::Values solveWithLu(TorchBuilder &b, Value a, Value right,
                                          Value isLeft) {
  Value no = b.constantBool(false);
  auto lu = b.create<AtenLinalgLuFactorExOp>(a, b.constantBool(true), no);
  Value x = b.create<AtenLinalgLuSolveOp>(lu->getResult(0), lu->getResult(1),
                                          right, isLeft, no);
  return {x, lu->getResult(0), lu->getResult(1), lu->getResult(2)};
}

/// The same for right sides that may be vectors; then so are the solutions.
template <typename Op>
static Decompositions::Values solveWithLu(Op op, TorchBuilder &b) {
  Value a = op.getA(), right = op.getB();
  ValueTensorType solution = tensorType(op->getResult(0));
  if (!solution.hasRank())
    b.fail("expected right sides that are known to be vectors or matrices");
  bool areVectors =
      solution.hasRank() && solution.getRank() < tensorType(a).getRank();
  if (areVectors)
    right = b.unsqueeze(right, tensorType(right).getRank());
  Decompositions::Values results = solveWithLu(b, a, right, op.getLeft());
  if (areVectors)
    results[0] = b.squeeze(results[0], solution.getRank());
  return results;
}

static Value solution(AtenLinalgSolveOp op, TorchBuilder &b) {
  return solveWithLu(op, b)[0];
}
static Decompositions::Values solutionAndInfo(AtenLinalgSolveExOp op,
                                              TorchBuilder &b) {
  Decompositions::Values all = solveWithLu(op, b);
  return {all[0], all[3]};
}

/// A X = 1, and info.
static Decompositions::Values inverseAndInfo(AtenLinalgInvExOp op,
                                             TorchBuilder &b) {
  Tensor a(b, op.getA());
  Value n = rowsOf(a);
  Decompositions::Values all =
      solveWithLu(b, a, identity(b, n, n, a.dtype()), b.constantBool(true));
  return {all[0], all[3]};
}

template <typename Op>
static Value inverse(Op op, TorchBuilder &b) {
  return b.create<AtenLinalgInvExOp>(op->getOperand(0), b.constantBool(false))
      ->getResult(0);
}

/// 1 or -1: -1 to the power of the number of exchanges.
static Tensor signOf(TorchBuilder &b, Value pivots, Type dtype) {
  Tensor rows(b, pivots);
  Value size = b.size(rows, rows.rank() - 1);
  Tensor order = range(b, b.constant(1), b.addInt(size, b.constant(1)));
  Tensor isExchanged = rows != order.as(rows.dtype());
  return 1 - isExchanged.as(dtype) * 2;
}

static Tensor productOfLast(Tensor x) {
  TorchBuilder &b = x.builder();
  return x.apply<AtenProdDimIntOp>(b.constant(x.rank() - 1),
                                   b.constantBool(false), b.none());
}

/// True if equations with the adjoint of the factored matrix are solved. The
/// gradient of a determinant adds small numbers to pivots of 0 before it does.
static bool solvesAdjoint(Value lu) {
  auto isSolved = [](Value factors) {
    return llvm::any_of(factors.getUsers(), [&](Operation *user) {
      auto solve = dyn_cast<AtenLinalgLuSolveOp>(user);
      return solve && solve.getLU() == factors &&
             matchBool(solve.getAdjoint()) == true;
    });
  };
  return isSolved(lu) || llvm::any_of(lu.getUsers(), [&](Operation *user) {
           return isa<AtenAddTensorOp>(user) && isSolved(user->getResult(0));
         });
}

/// LU and pivots for the determinant of A, which is also that of A^T. PyTorch
/// factors A^T if A is contiguous and real, and otherwise A. The gradient that
/// it traces depends on which it was: only with A it solves with the adjoint.
template <typename Op>
static AtenLinalgLuFactorOp factors(Op op, TorchBuilder &b) {
  Tensor a(b, op.getA());
  return b.create<AtenLinalgLuFactorOp>(
      isComplex(a.dtype()) || solvesAdjoint(op.getLU()) ? a : transposed(a),
      b.constantBool(true));
}

/// The determinant: the product of U's diagonal and of the signs of the
/// exchanges. Also LU and pivots.
static Decompositions::Values determinant(Aten_LinalgDetOp op,
                                          TorchBuilder &b) {
  auto lu = factors(op, b);
  Tensor pivots = diagonal({b, lu->getResult(0)});
  Tensor signs = signOf(b, lu->getResult(1), pivots.dtype());
  return {productOfLast(pivots * signs), lu->getResult(0), lu->getResult(1)};
}

/// The sign of the determinant and the logarithm of its size. Also LU and
/// pivots.
static Decompositions::Values signAndLogarithm(Aten_LinalgSlogdetOp op,
                                               TorchBuilder &b) {
  auto lu = factors(op, b);
  Tensor pivots = diagonal({b, lu->getResult(0)});
  Tensor own = isComplex(pivots.dtype())
                   ? pivots.apply<AtenSgnOp>()
                   : where(pivots > 0, 1, where(pivots < 0, -1, pivots));
  Tensor signs = signOf(b, lu->getResult(1), pivots.dtype());
  return {productOfLast(own * signs),
          b.sum(log(abs(pivots)), {pivots.rank() - 1}, /*keepdim=*/false),
          lu->getResult(0), lu->getResult(1)};
}

/// The first results of an op on A.
template <typename Whole, typename Op>
static Decompositions::Values firstOf(Op op, TorchBuilder &b) {
  auto all = b.create<Whole>(op->getOperand(0));
  return Decompositions::Values(all->result_begin(),
                                all->result_begin() + op->getNumResults());
}

/// logdet(A) = log(det(A)): of real numbers, NaN if that is negative
static Tensor logdet(AtenLogdetOp op, TorchBuilder &b) {
  auto parts = b.create<Aten_LinalgSlogdetOp>(op.getSelf());
  Tensor sign(b, parts->getResult(0)), size(b, parts->getResult(1));
  return isComplex(sign.dtype()) ? log(sign) + size
                                 : where(sign == -1, nan, size);
}

/// The inverse of a tensor as a matrix, whose rows are the first `ind` dims.
static Value tensorInverse(AtenLinalgTensorinvOp op, TorchBuilder &b) {
  std::optional<int64_t> ind = matchInt(op.getInd());
  if (!ind)
    return b.fail("expected an ind that is known while compiling");
  SmallVector<Value> sizes = b.sizes(op.getSelf());
  Value rows = b.product(ArrayRef(sizes).take_front(*ind)),
        columns = b.product(ArrayRef(sizes).drop_front(*ind));
  Value inverse =
      b.create<AtenLinalgInvOp>(b.view(op.getSelf(), {columns, rows}));
  std::rotate(sizes.begin(), sizes.begin() + *ind, sizes.end());
  return b.view(inverse, sizes);
}

/// X of tensordot(A, X) = B, for A with `dims` moved to its end.
static Value tensorSolve(AtenLinalgTensorsolveOp op, TorchBuilder &b) {
  Value a = op.getSelf(), right = op.getOther();
  if (!isNone(op.getDims())) {
    auto dims = boundedInts(b, op.getDims(), "dims");
    if (!dims)
      return {};
    int64_t first = tensorType(a).getRank() - dims->size();
    a = b.create<AtenMovedimIntlistOp>(
        a, b.ints(*dims),
        b.ints(llvm::to_vector(
            llvm::seq<int64_t>(first, tensorType(a).getRank()))));
  }
  SmallVector<Value> sizes = b.sizes(a);
  ArrayRef<Value> unknowns =
      ArrayRef(sizes).drop_front(tensorType(right).getRank());
  Value n = b.product(unknowns);
  Value x = b.create<AtenLinalgSolveOp>(b.view(a, {n, n}), b.view(right, n),
                                        b.constantBool(true));
  return b.view(x, unknowns);
}

static Decompositions::Values checkErrors(Aten_LinalgCheckErrorsOp,
                                          TorchBuilder &) {
  return {};
}

void populateEquations(Decompositions &decompositions) {
  decompositions.add(
      checkErrors, determinant, firstOf<Aten_LinalgDetOp, AtenDetOp>,
      firstOf<Aten_LinalgDetOp, AtenLinalgDetOp>,
      firstOf<Aten_LinalgSlogdetOp, AtenLinalgSlogdetOp>,
      firstOf<Aten_LinalgSlogdetOp, AtenSlogdetOp>, inverse<AtenInverseOp>,
      inverse<AtenLinalgInvOp>, inverseAndInfo, logdet, signAndLogarithm,
      solution, solutionAndInfo, solveWithLu<Aten_LinalgSolveExOp>,
      tensorInverse, tensorSolve);
}

} // namespace isthmus::decompose_torch
