//===- Factorization.cpp - Type rules of matrices and their factors -------===//
//
// One function per rule that a registry line names. Sizes are ints; a size
// known only at run time is ShapedType::kDynamic. k is the smaller one of the
// sizes m and n of a matrix.
//
//===----------------------------------------------------------------------===//

#include "Dtypes.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ShapeFormulas.h"
#include "isthmus/Dialect/Torch/TypeInference.h"

using namespace mlir;

namespace isthmus::torch::rules {

namespace {

using Sizes = SmallVector<int64_t>;

/// The sizes of matrices [...,m,n].
struct Matrices {
  Sizes batch;
  int64_t m, n;

  int64_t k() const { return StaticSizes().min(m, n); }
  /// The dims of the batch, then others.
  Sizes with(ArrayRef<int64_t> dims) const {
    Sizes sizes(batch);
    llvm::append_range(sizes, dims);
    return sizes;
  }
};

/// Gives the results of an op on matrices: of unknown rank if theirs is.
class MatrixResults {
public:
  MatrixResults(TypeInference &op, std::optional<Matrices> matrices)
      : op(op), matrices(std::move(matrices)) {}

  const Matrices *operator->() const { return &*matrices; }
  explicit operator bool() const { return matrices.has_value(); }

  /// A result with the dims of the batch, then those that `dims` returns.
  MatrixResults &give(Type dtype,
                      llvm::function_ref<Sizes(const Matrices &)> dims) {
    isWrong |= failed(matrices ? op.give(matrices->with(dims(*matrices)), dtype)
                               : op.giveUnranked(dtype));
    return *this;
  }
  MatrixResults &giveNumbers(Type dtype) {
    return give(dtype, [](const Matrices &) { return Sizes(); });
  }
  /// A result without elements, which PyTorch does not compute.
  MatrixResults &giveNothing(Type dtype) {
    isWrong |= failed(op.give({0}, dtype));
    return *this;
  }
  operator LogicalResult() const { return failure(isWrong); }

private:
  TypeInference &op;
  std::optional<Matrices> matrices;
  bool isWrong = false;
};

} // namespace

static std::optional<Matrices> matricesOf(ValueTensorType type) {
  if (!type.hasRank() || type.getRank() < 2)
    return std::nullopt;
  ArrayRef<int64_t> sizes = type.getSizes();
  return Matrices{Sizes(sizes.drop_back(2)), sizes[sizes.size() - 2],
                  sizes.back()};
}

static MatrixResults resultsFor(TypeInference &op, unsigned index = 0) {
  return {op, matricesOf(op.tensor(index))};
}

static constexpr char kExpectFloats[] =
    "expected matrices of floating-point numbers";

/// Fails unless the first operands are of floating-point numbers.
static LogicalResult expectFloats(TypeInference &op, unsigned count = 1) {
  for (unsigned index = 0; index < count; ++index)
    if (Type dtype = op.dtype(index); dtype && isIntegral(dtype))
      return op.fail(kExpectFloats);
  return success();
}

static Type infoDtype(TypeInference &op) { return signedDtype(op, 32); }

static Sizes whole(const Matrices &x) { return {x.m, x.n}; }
static Sizes smaller(const Matrices &x) { return {x.k()}; }

/// Gives the solution X of equations with the matrices A [...,n,n] of operand
/// `a` and the right sides B of operand `b`: A X = B, or X A = B unless they
/// are on the left. The dims of the batch broadcast.
static LogicalResult giveSolution(TypeInference &op, unsigned a, unsigned b,
                                  std::optional<bool> isLeft = true) {
  auto matrices = matricesOf(op.tensor(a)), right = matricesOf(op.tensor(b));
  for (unsigned index : {a, b})
    if (Type dtype = op.dtype(index); dtype && isIntegral(dtype))
      return op.fail(kExpectFloats);
  if (!matrices || !right)
    return op.giveUnranked(op.dtype(b));
  auto batch = broadcastShapes(right->batch, matrices->batch);
  int64_t size = isLeft ? (*isLeft ? right->m : right->n) : matrices->n;
  if (!batch || (StaticSizes::known(size, matrices->n) && size != matrices->n))
    return op.fail("expected right sides for all matrices, got " +
                   shapeText(op.tensor(a).getSizes()) + " and " +
                   shapeText(op.tensor(b).getSizes()));
  right->batch = *batch;
  return op.give(right->with({right->m, right->n}), op.dtype(b));
}

//===----------------------------------------------------------------------===//
// Factors, and solutions of equations
//===----------------------------------------------------------------------===//

/// aten.linalg_inv(A [...,n,n]) and its like: the type of A.
LogicalResult square(TypeInference &op) {
  return failure(failed(expectFloats(op)) || failed(op.give(op.tensor(0))));
}

/// aten.linalg_inv_ex(A [...,n,n], ...): also gives an int for each matrix.
LogicalResult square_with_info(TypeInference &op) {
  if (failed(square(op)))
    return failure();
  return resultsFor(op).giveNumbers(infoDtype(op));
}

/// aten.linalg_lu_factor(A [...,m,n], pivot): factors in one matrix, and pivots
/// [...,k]. With an operand check_errors there is an int for each matrix.
LogicalResult lu_factor(TypeInference &op) {
  if (failed(square(op)))
    return failure();
  MatrixResults results = resultsFor(op);
  results.give(infoDtype(op), smaller);
  if (op.getOperands().size() > 2)
    results.giveNumbers(infoDtype(op));
  return results;
}

static MatrixResults &giveLu(MatrixResults &results, Type dtype) {
  return results.give(dtype, [](const Matrices &x) { return Sizes{x.m, x.m}; })
      .give(dtype, [](const Matrices &x) { return Sizes{x.m, x.k()}; })
      .give(dtype, [](const Matrices &x) { return Sizes{x.k(), x.n}; });
}

/// aten.linalg_lu(A [...,m,n], pivot): P [...,m,m], L [...,m,k] and U
/// [...,k,n].
LogicalResult lu(TypeInference &op) {
  if (failed(expectFloats(op)))
    return failure();
  MatrixResults results = resultsFor(op);
  return giveLu(results, op.dtype(0));
}

/// aten.lu_unpack(LU_data [...,m,n], LU_pivots, unpack_data, unpack_pivots): as
/// linalg_lu.
LogicalResult lu_unpack(TypeInference &op) {
  std::optional<bool> data = op.boolean(2), pivots = op.boolean(3);
  if (failed(expectFloats(op)))
    return failure();
  Type dtype = op.dtype(0);
  if (!data || !pivots) {
    MatrixResults unknown(op, std::nullopt);
    return giveLu(unknown, dtype);
  }
  if (*data && *pivots)
    return lu(op);
  MatrixResults results = resultsFor(op);
  if (*pivots)
    return results
        .give(dtype, [](const Matrices &x) { return Sizes{x.m, x.m}; })
        .giveNothing(dtype)
        .giveNothing(dtype);
  results.giveNothing(dtype);
  if (!*data)
    return results.giveNothing(dtype).giveNothing(dtype);
  return results
      .give(dtype, [](const Matrices &x) { return Sizes{x.m, x.k()}; })
      .give(dtype, [](const Matrices &x) { return Sizes{x.k(), x.n}; });
}

/// aten.cholesky_solve(self [...,n,k], input2 [...,n,n]), aten.lu_solve(self,
/// LU_data, LU_pivots): [...,n,k].
LogicalResult solution(TypeInference &op) { return giveSolution(op, 1, 0); }

/// aten.linalg_solve_triangular(A [...,n,n], B, ...): the sizes of B.
LogicalResult solve_triangular(TypeInference &op) {
  return giveSolution(op, 0, 1, op.boolean(3));
}

/// aten.triangular_solve(B, A, ...): the solution, and a copy of A.
LogicalResult triangular_solve(TypeInference &op) {
  if (failed(solution(op)))
    return failure();
  auto a = matricesOf(op.tensor(1)), right = matricesOf(op.tensor(0));
  if (!a || !right)
    return op.giveUnranked(op.dtype(1));
  a->batch = *broadcastShapes(a->batch, right->batch);
  return op.give(a->with({a->m, a->n}), op.dtype(1));
}

/// aten.linalg_lu_solve(LU [...,n,n], pivots, B, ...): the sizes of B.
LogicalResult lu_solve(TypeInference &op) {
  return giveSolution(op, 0, 2, op.boolean(3));
}

/// True if the right sides b of equations A x = b are vectors and not matrices:
/// if they have A's sizes but the last one. nullopt if unknown sizes decide.
static std::optional<bool> areVectors(ArrayRef<int64_t> a,
                                      ArrayRef<int64_t> b) {
  if (b.size() == 1 || b.size() + 1 != a.size())
    return b.size() == 1;
  bool isKnown = true;
  for (auto [x, y] : llvm::zip(a, b)) {
    if (StaticSizes::known(x, y) && x != y)
      return false;
    isKnown &= StaticSizes::known(x, y);
  }
  return isKnown ? std::optional(true) : std::nullopt;
}

/// The same for right sides of operand 1 that may be vectors.
static LogicalResult giveSolution(TypeInference &op) {
  ValueTensorType a = op.tensor(0), b = op.tensor(1);
  if (!a.hasRank() || !b.hasRank() || a.getRank() < 2 || b.getRank() == 0)
    return op.giveUnranked(a.getDtype());
  std::optional<bool> isVector = areVectors(a.getSizes(), b.getSizes());
  if (!isVector)
    return op.giveUnranked(a.getDtype());
  if (!*isVector)
    return giveSolution(op, 0, 1, op.boolean(2));
  auto sizes = broadcastShapes(a.getSizes().drop_back(), b.getSizes());
  if (!sizes || op.boolean(2) == false)
    return op.fail("expected right sides for all matrices, got " +
                   shapeText(a.getSizes()) + " and " + shapeText(b.getSizes()));
  return failure(failed(expectFloats(op, 2)) ||
                 failed(op.give(*sizes, a.getDtype())));
}

/// aten.linalg_solve(A, B, left): the solution. With an operand check_errors
/// there is an int for each matrix.
LogicalResult solve(TypeInference &op) {
  if (failed(giveSolution(op)))
    return failure();
  MatrixResults results = resultsFor(op);
  if (op.getOperands().size() > 3)
    results.giveNumbers(infoDtype(op));
  return results;
}

/// aten._linalg_solve_ex(A, B, ...): the solution, LU, pivots and an int for
/// each matrix.
LogicalResult solve_with_lu(TypeInference &op) {
  if (failed(giveSolution(op)))
    return failure();
  return resultsFor(op)
      .give(op.dtype(0), whole)
      .give(infoDtype(op), smaller)
      .giveNumbers(infoDtype(op));
}

/// aten.linalg_det(A [...,n,n]) and its like: a number for each matrix.
LogicalResult determinant(TypeInference &op) {
  if (failed(expectFloats(op)))
    return failure();
  return resultsFor(op).giveNumbers(op.dtype(0));
}

/// aten.linalg_cond(A [...,m,n], p): a real number for each matrix.
LogicalResult cond(TypeInference &op) {
  if (failed(expectFloats(op)))
    return failure();
  return resultsFor(op).giveNumbers(partDtype(op.dtype(0)));
}

/// aten._linalg_det(A [...,n,n]): also gives LU and pivots.
LogicalResult determinant_with_lu(TypeInference &op) {
  if (failed(determinant(op)))
    return failure();
  return resultsFor(op).give(op.dtype(0), whole).give(infoDtype(op), smaller);
}

/// aten.linalg_slogdet(A [...,n,n]): the sign and the logarithm.
LogicalResult slogdet(TypeInference &op) {
  return failure(failed(determinant(op)) || failed(cond(op)));
}

/// aten._linalg_slogdet(A [...,n,n]): also gives LU and pivots.
LogicalResult slogdet_with_lu(TypeInference &op) {
  if (failed(slogdet(op)))
    return failure();
  return resultsFor(op).give(op.dtype(0), whole).give(infoDtype(op), smaller);
}

/// aten.linalg_tensorinv(self, ind): the dims from ind on, then those before.
LogicalResult tensorinv(TypeInference &op) {
  ValueTensorType type = op.tensor(0);
  std::optional<int64_t> first = op.integer(1);
  if (failed(expectFloats(op)))
    return failure();
  if (!type.hasRank() || !first)
    return op.giveUnranked(type.getDtype());
  if (*first < 1 || *first > type.getRank())
    return op.fail("expected an ind from 1 to the rank, got " + Twine(*first));
  Sizes sizes(type.getSizes().drop_front(*first));
  llvm::append_range(sizes, type.getSizes().take_front(*first));
  return op.give(sizes, type.getDtype());
}

/// aten.linalg_tensorsolve(self, other, dims): the dims of self that are not
/// those of other, without `dims`, which follow them.
LogicalResult tensorsolve(TypeInference &op) {
  ValueTensorType a = op.tensor(0), b = op.tensor(1);
  auto dims = op.isNone(2) ? std::optional(Sizes()) : op.dims(2);
  if (failed(expectFloats(op, 2)))
    return failure();
  if (!a.hasRank() || !b.hasRank() || !dims)
    return op.giveUnranked(a.getDtype());
  Sizes moved, places;
  for (size_t place = 0; place < dims->size(); ++place)
    places.push_back(a.getRank() - dims->size() + place);
  auto order = movedDims(a.getRank(), *dims, places);
  if (!order || a.getRank() < b.getRank())
    return op.fail("expected dims of " + shapeText(a.getSizes()) + ", got " +
                   shapeText(*dims));
  for (int64_t dim : ArrayRef(*order).drop_front(b.getRank()))
    moved.push_back(a.getSizes()[dim]);
  return op.give(moved, a.getDtype());
}

//===----------------------------------------------------------------------===//
// Orthogonal factors
//===----------------------------------------------------------------------===//

/// aten.geqrf(self [...,m,n]): factors in one matrix, and [...,k].
LogicalResult geqrf(TypeInference &op) {
  if (failed(square(op)))
    return failure();
  return resultsFor(op).give(op.dtype(0), smaller);
}

/// aten.linalg_qr(A [...,m,n], mode), aten.qr(self, some): Q [...,m,k] and R
/// [...,k,n], where k is m if the factors are complete. Without Q, that is [0].
LogicalResult qr(TypeInference &op) {
  if (failed(expectFloats(op)))
    return failure();
  Type dtype = op.dtype(0);
  std::optional<StringRef> mode = matchStr(op[1]);
  if (std::optional<bool> some = op.boolean(1))
    mode = *some ? "reduced" : "complete";
  MatrixResults results = mode ? resultsFor(op) : MatrixResults(op, {});
  bool isComplete = mode == "complete";
  auto inner = [&](const Matrices &x) { return isComplete ? x.m : x.k(); };
  if (mode == "r")
    results.giveNothing(dtype);
  else
    results.give(dtype,
                 [&](const Matrices &x) { return Sizes{x.m, inner(x)}; });
  return results.give(dtype,
                      [&](const Matrices &x) { return Sizes{inner(x), x.n}; });
}

/// aten.ormqr(self, input2, input3, ...): the type of input3.
LogicalResult third(TypeInference &op) {
  return failure(failed(expectFloats(op, 3)) || failed(op.give(op.tensor(2))));
}

//===----------------------------------------------------------------------===//
// Eigenvalues and singular values
//===----------------------------------------------------------------------===//

/// aten.linalg_eigvalsh(A [...,n,n], UPLO): [...,n].
LogicalResult eigvalsh(TypeInference &op) {
  if (failed(expectFloats(op)))
    return failure();
  return resultsFor(op).give(partDtype(op.dtype(0)), smaller);
}

/// aten._linalg_eigh(A [...,n,n], UPLO, compute_v): also gives eigenvectors
/// [...,n,n].
LogicalResult eigh(TypeInference &op) {
  std::optional<bool> computes =
      op.getOperands().size() > 2 ? op.boolean(2) : std::optional(true);
  if (failed(eigvalsh(op)))
    return failure();
  if (!computes)
    return op.giveUnranked(op.dtype(0));
  return *computes ? op.give(op.tensor(0)) : op.give({0}, op.dtype(0));
}

/// aten.linalg_svdvals(A [...,m,n], ...): [...,k].
LogicalResult svdvals(TypeInference &op) { return eigvalsh(op); }

/// U [...,m,k], the singular values [...,k], and V [...,n,k] or its transpose;
/// with `full` U is [...,m,m] and V is [...,n,n].
static LogicalResult giveSvd(TypeInference &op, std::optional<bool> isFull,
                             bool isTransposed) {
  if (failed(expectFloats(op)))
    return failure();
  Type dtype = op.dtype(0);
  MatrixResults left = isFull ? resultsFor(op) : MatrixResults(op, {});
  left.give(dtype, [&](const Matrices &x) {
    return Sizes{x.m, *isFull ? x.m : x.k()};
  });
  return failure(failed(left) || failed(svdvals(op)) ||
                 failed(left.give(dtype, [&](const Matrices &x) {
                   int64_t inner = *isFull ? x.n : x.k();
                   return isTransposed ? Sizes{inner, x.n} : Sizes{x.n, inner};
                 })));
}

/// aten._linalg_svd(A, full_matrices, compute_uv, driver), aten.linalg_svd(A,
/// full_matrices, driver)
LogicalResult svd(TypeInference &op) {
  std::optional<bool> computes =
      op.getOperands().size() > 3 ? op.boolean(2) : std::optional(true);
  if (computes == false)
    return failure(failed(op.give({0}, op.dtype(0))) || failed(svdvals(op)) ||
                   failed(op.give({0}, op.dtype(0))));
  return giveSvd(op, computes ? op.boolean(1) : std::nullopt,
                 /*isTransposed=*/true);
}

/// aten.svd(self, some, compute_uv): factors that are not computed are full,
/// and zeros.
LogicalResult svd_with_v(TypeInference &op) {
  std::optional<bool> some = op.boolean(1), computes = op.boolean(2);
  std::optional<bool> isFull;
  if (some && computes)
    isFull = !*some || !*computes;
  return giveSvd(op, isFull, /*isTransposed=*/false);
}

/// Matrices, whose batch is broadcast with the tolerances: operands from 1 on
/// that are tensors.
static std::optional<Matrices> matricesWithTolerances(TypeInference &op) {
  std::optional<Matrices> matrices = matricesOf(op.tensor(0));
  for (unsigned index = 1; matrices && index < op.getOperands().size();
       ++index) {
    if (!isTensor(op[index].getType()))
      continue;
    ValueTensorType tolerance = op.tensor(index);
    auto batch = tolerance.hasRank()
                     ? broadcastShapes(matrices->batch, tolerance.getSizes())
                     : std::nullopt;
    if (!batch)
      return std::nullopt;
    matrices->batch = *batch;
  }
  return matrices;
}

/// aten.linalg_pinv(self [...,m,n], ...), aten.linalg_pinv.atol_rtol_tensor(
/// self, atol, rtol, ...): [...,n,m]. Those of no elements are not compared
/// with tolerances.
LogicalResult pinv(TypeInference &op) {
  if (failed(expectFloats(op)))
    return failure();
  ValueTensorType type = op.tensor(0);
  bool isEmpty = type.hasRank() && llvm::is_contained(type.getSizes(), 0);
  return MatrixResults(op,
                       isEmpty ? matricesOf(type) : matricesWithTolerances(op))
      .give(op.dtype(0), [](const Matrices &x) { return Sizes{x.n, x.m}; });
}

/// aten.linalg_matrix_rank(self, tol, ...), aten.linalg_matrix_rank.
/// atol_rtol_tensor(input, atol, rtol, ...): an int for each matrix.
LogicalResult matrix_rank(TypeInference &op) {
  if (failed(expectFloats(op)))
    return failure();
  Type dtype = signedDtype(op, 64);
  return MatrixResults(op, matricesWithTolerances(op)).giveNumbers(dtype);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// aten.linalg_multi_dot(tensors): the product of matrices. The first one may
/// be a row, and the last one a column; their dims are dropped.
LogicalResult chain(TypeInference &op) {
  auto tensors = op.elements(0);
  if (!tensors || tensors->empty())
    return op.giveUnranked({});
  auto typeOf = [](Value tensor) {
    return dyn_cast<ValueTensorType>(tensor.getType());
  };
  ValueTensorType first = typeOf(tensors->front()),
                  last = typeOf(tensors->back());
  if (!first || !last || !first.hasRank() || !last.hasRank())
    return op.giveUnranked(first ? first.getDtype() : Type());
  int64_t inner = ShapedType::kDynamic;
  for (auto [index, tensor] : llvm::enumerate(*tensors)) {
    ValueTensorType type = typeOf(tensor);
    if (!type || !type.hasRank())
      return op.giveUnranked(first.getDtype());
    bool isEnd =
        tensors->size() > 1 && (index == 0 || index + 1 == tensors->size());
    if (type.getRank() != 2 && !(isEnd && type.getRank() == 1))
      return op.fail("expected matrices, got " + shapeText(type.getSizes()));
    int64_t size = type.getSizes().front();
    if (index > 0 && StaticSizes::known(inner, size) && inner != size)
      return op.fail("expected matrices with a common inner size, got " +
                     Twine(inner) + " and " + shapeText(type.getSizes()));
    inner = type.getSizes().back();
  }
  Sizes sizes;
  if (first.getRank() == 2)
    sizes.push_back(first.getSizes()[0]);
  if (last.getRank() == 2)
    sizes.push_back(last.getSizes()[1]);
  return op.give(sizes, first.getDtype());
}

/// aten.linalg_vander(x [...,n], N), aten.vander(x [n], N, increasing):
/// [...,n,N]; the default N is n. A number is a row of one.
LogicalResult vander(TypeInference &op) {
  ValueTensorType x = op.tensor(0);
  Type dtype = x.getDtype();
  if (dtype && isIntegral(dtype))
    dtype = signedDtype(op, 64);
  if (!x.hasRank())
    return op.giveUnranked(dtype);
  Sizes sizes(x.getSizes());
  if (sizes.empty())
    sizes.push_back(1);
  std::optional<int64_t> count =
      op.isNone(1) ? std::optional(sizes.back()) : op.integer(1);
  int64_t least = op.getOperands().size() > 2 ? 0 : 2;
  if (count && !ShapedType::isDynamic(*count) && *count < least)
    return op.fail("expected N of " + Twine(least) + " or more, got " +
                   Twine(*count));
  sizes.push_back(count.value_or(ShapedType::kDynamic));
  return op.give(sizes, dtype);
}

} // namespace isthmus::torch::rules
