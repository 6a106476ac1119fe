//===- PseudoInverse.cpp - Inverses and ranks from singular values --------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Matrices.h"
#include "isthmus/Dialect/Torch/FactorizationComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {
/// What counts as 0: numbers up to the larger one of `absolute` and `relative`
/// times the largest number.
struct Tolerance {
  Tensor absolute, relative;

  /// True for numbers [...,k] that do not count as 0.
  Tensor isAbove(Tensor numbers) const {
    Tensor largest = largestOver(numbers, {numbers.rank() - 1});
    return numbers > max(perVector(absolute), perVector(relative) * largest);
  }

private:
  /// Tolerances [...] or [] as they broadcast to vectors [...,k].
  static Tensor perVector(Tensor x) {
    return {x.builder(), x.builder().unsqueeze(x, x.rank())};
  }
};
} // namespace

/// The tolerances of an op, each a number, a tensor, or none. The default of
/// `relative` is the precision of the dtype times the larger size of A, or 0 if
/// `absolute` is given and positive.
static Tolerance toleranceOf(Tensor a, Value absolute, Value relative) {
  TorchBuilder &b = a.builder();
  Type dtype = partDtype(a.dtype());
  auto given = [&](Value x) -> Tensor {
    return isTensor(x.getType()) ? Tensor(b, x).as(dtype) : scalar(b, x, dtype);
  };
  Tensor zero(b, b.scalarTensor(0.0, dtype));
  bool hasAbsolute = !isNone(absolute);
  Tensor first = hasAbsolute ? given(absolute) : zero;
  if (!isNone(relative))
    return {first, given(relative)};
  double precision = dtype.isF64() ? std::numeric_limits<double>::epsilon()
                                   : std::numeric_limits<float>::epsilon();
  Tensor usual =
      scalar(b, b.maxInt(rowsOf(a), columnsOf(a)), dtype) * precision;
  return {first, hasAbsolute ? where(first > 0, zero, usual) : usual};
}

/// Whether matrices are Hermitian, as an operand says; fails if they cannot be.
static std::optional<bool> matchHermitian(TorchBuilder &b, Tensor a,
                                          Value isHermitian) {
  std::optional<bool> hermitian = matchBool(isHermitian);
  if (!hermitian) {
    b.fail("expected 'hermitian' to be known while compiling");
    return std::nullopt;
  }
  ArrayRef<int64_t> sizes = a.sizes().take_back(2);
  if (*hermitian && sizes[0] != sizes[1] &&
      !ShapedType::isDynamicShape(sizes)) {
    b.fail("expected square matrices for hermitian=True");
    return std::nullopt;
  }
  return hermitian;
}

/// pinv(A) = V S^-1 U^H, with 0 for the inverse of what counts as 0. For
/// Hermitian matrices, of the eigenvalues and their sizes.
static Value pseudoInverse(TorchBuilder &b, Tensor a, Value absolute,
                           Value relative, Value isHermitian) {
  std::optional<bool> hermitian = matchHermitian(b, a, isHermitian);
  if (!hermitian)
    return {};
  if (llvm::is_contained(a.sizes(), 0))
    return transposed(a);
  Tolerance tolerance = toleranceOf(a, absolute, relative);
  auto inverted = [&](Tensor left, Tensor numbers, Tensor right) -> Value {
    Tensor inverse = where(tolerance.isAbove(abs(numbers)), 1 / numbers, 0);
    Tensor columns(b, b.unsqueeze(inverse, inverse.rank() - 1));
    return matmul(left * columns, adjoint(right));
  };
  if (*hermitian) {
    auto all = b.create<Aten_LinalgEighOp>(a, b.constantStr("L"),
                                           b.constantBool(true));
    Tensor vectors(b, all->getResult(1));
    return inverted(vectors, {b, all->getResult(0)}, vectors);
  }
  auto all = b.create<Aten_LinalgSvdOp>(a, b.constantBool(false),
                                        b.constantBool(true), b.none());
  return inverted(adjoint({b, all->getResult(2)}), {b, all->getResult(1)},
                  {b, all->getResult(0)});
}

/// linalg_pinv(self, atol, rtol, hermitian)
template <typename Op>
static Value pinv(Op op, TorchBuilder &b) {
  return pseudoInverse(b, {b, op.getSelf()}, op.getAtol(), op.getRtol(),
                       op.getHermitian());
}
template <typename Op>
static Value pinvOfOne(Op op, TorchBuilder &b) {
  return pseudoInverse(b, {b, op.getSelf()}, b.constantFloat(0), op.getRcond(),
                       op.getHermitian());
}
static Value oldPinv(AtenPinverseOp op, TorchBuilder &b) {
  return pseudoInverse(b, {b, op.getSelf()}, b.constantFloat(0), op.getRcond(),
                       b.constantBool(false));
}

/// The number of singular values that do not count as 0.
static Value rank(TorchBuilder &b, Tensor a, Value absolute, Value relative,
                  Value isHermitian) {
  std::optional<bool> hermitian = matchHermitian(b, a, isHermitian);
  if (!hermitian)
    return {};
  Tensor numbers =
      *hermitian
          ? abs({b, b.create<AtenLinalgEigvalshOp>(a, b.constantStr("L"))})
          : Tensor(b, b.create<AtenLinalgSvdvalsOp>(a, b.none()));
  Tensor isAbove = toleranceOf(a, absolute, relative).isAbove(numbers);
  return b.sum(isAbove, {isAbove.rank() - 1}, /*keepdim=*/false);
}

template <typename Op>
static Value matrixRank(Op op, TorchBuilder &b) {
  return rank(b, {b, op->getOperand(0)}, op.getAtol(), op.getRtol(),
              op.getHermitian());
}
template <typename Op>
static Value matrixRankOfOne(Op op, TorchBuilder &b) {
  return rank(b, {b, op->getOperand(0)}, op.getTol(), b.constantFloat(0),
              op.getHermitian());
}

void populatePseudoInverse(Decompositions &decompositions) {
  decompositions.add(
      matrixRank<AtenLinalgMatrixRankAtolRtolFloatOp>,
      matrixRank<AtenLinalgMatrixRankAtolRtolTensorOp>,
      matrixRankOfOne<AtenLinalgMatrixRankOp>,
      matrixRankOfOne<AtenLinalgMatrixRankTolTensorOp>, oldPinv,
      pinv<AtenLinalgPinvAtolRtolFloatOp>, pinv<AtenLinalgPinvAtolRtolTensorOp>,
      pinvOfOne<AtenLinalgPinvOp>, pinvOfOne<AtenLinalgPinvRcondTensorOp>);
}

} // namespace isthmus::decompose_torch
