//===- Spectrum.cpp - Eigenvalues and singular values by rotations --------===//
//
// Jacobi's method. A round rotates disjoint pairs of rows and columns at once,
// and the rounds of a sweep reach all pairs: those in which n players of a
// tournament meet, of whom one rests if n is odd.
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Matrices.h"
#include "isthmus/Dialect/Torch/FactorizationComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/SortingComposites.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {
/// The pairs of a round: for each position its own and its partner's, of [n].
struct Pairs {
  Tensor own, partner;

  /// The elements of partners along a dim.
  Tensor across(Tensor x, int64_t dim) const {
    return x.apply<AtenIndexSelectOp>(x.builder().constant(dim), partner);
  }
};

/// A rotation for each position, [...,n]: the sine s, and conj(s) / (1 + c) for
/// the cosine c. The sines of partners are opposite, and conjugates.
struct Rotation {
  Tensor sine, ratio;

  /// A J: c x - s y for the columns y of the partners, as
  /// x - s (y + conj(s) / (1 + c) x), which is more precise.
  Tensor columns(Tensor x, const Pairs &pairs) const {
    return turned(x, pairs, x.rank() - 1, sine.rank() - 1);
  }
  /// J^H A
  Tensor rows(Tensor x, const Pairs &pairs) const {
    return Rotation{conj(sine), conj(ratio)}.turned(x, pairs, x.rank() - 2,
                                                    sine.rank());
  }

private:
  Tensor turned(Tensor x, const Pairs &pairs, int64_t dim,
                int64_t broadcast) const {
    TorchBuilder &b = x.builder();
    Tensor s(b, b.unsqueeze(sine, broadcast)),
        r(b, b.unsqueeze(ratio, broadcast));
    return x - s * (pairs.across(x, dim) + r * x);
  }
};

/// The rounds for n positions: n - 1 of them for an even n, and n for an odd
/// one.
class Tournament {
public:
  Tournament(TorchBuilder &b, Value n)
      : b(b), n(n), isOdd(remainder(n, b.constant(2))),
        rounds(b.addInt(b.subInt(n, b.constant(1)), isOdd)),
        own(range(b, b.constant(0), n)) {}

  /// The number of rounds of some sweeps.
  Value roundsOf(int64_t sweeps) {
    return b.mulInt(rounds, b.constant(sweeps));
  }

  /// In round r, i meets j for i + j = r modulo the number of rounds. The one
  /// who would meet himself meets the last one if n is even, and else rests.
  Pairs operator()(Value number) {
    Value round = remainder(number, rounds);
    Value half = b.floorDivInt(b.addInt(rounds, b.constant(1)), b.constant(2));
    Value alone = remainder(b.mulInt(round, half), rounds);
    // The last one if n is even, and else -1.
    Value last =
        b.subInt(b.mulInt(n, b.subInt(b.constant(1), isOdd)), b.constant(1));
    Value opponent =
        b.addInt(last, b.mulInt(isOdd, b.addInt(alone, b.constant(1))));
    Tensor sum = asTensor(b, round) - own;
    Tensor other = where(sum < 0, sum + asTensor(b, rounds), sum);
    Tensor isAlone = own == asTensor(b, alone),
           isLast = own == asTensor(b, last);
    return {own, where(isAlone, asTensor(b, opponent),
                       where(isLast, asTensor(b, alone), other))};
  }

private:
  Value remainder(Value x, Value y) { return b.fold<AtenRemainderIntOp>(x, y); }

  TorchBuilder &b;
  Value n, isOdd, rounds;
  Tensor own;
};
} // namespace

/// Sweeps until f64 has converged for some hundred rows; convergence is
/// quadratic at last.
static constexpr int64_t sweeps = 12;

/// The rotations that make the products p of partners 0, given the squares on
/// the diagonal and the products, [...,n]: with r = (square of the partner -
/// own square) / (2 p),
///   t = sign(r) / (|r| + sqrt(1 + r^2))    c = 1 / sqrt(1 + t^2)    s = t c
/// and of complex products with |p| for p and s conj(p) / |p| for s.
static Rotation rotationFor(Tensor squares, Tensor products,
                            const Pairs &pairs) {
  bool areComplex = isComplex(products.dtype());
  Tensor isOne = (products == 0) | (pairs.own == pairs.partner);
  Tensor others = pairs.across(squares, squares.rank() - 1);
  Tensor divisors = where(isOne, 1, areComplex ? abs(products) : products);
  Tensor r = (others - squares) / (divisors * 2);
  // Partners have opposite ratios: of those of 0, the first one counts as
  // positive.
  Tensor isFirst = pairs.own < pairs.partner;
  Tensor isPositive = (r > 0) | ((r == 0) & isFirst);
  Tensor size = 1 / (abs(r) + sqrt(r * r + 1));
  Tensor t = where(isOne, 0, where(isPositive, size, -size));
  Tensor cosine = 1 / sqrt(t * t + 1), sine = t * cosine;
  Tensor ratio = sine / (cosine + 1);
  if (!areComplex)
    return {sine, ratio};
  Tensor direction = products / divisors;
  return {conj(direction) * sine, direction * ratio};
}

static Tensor identityLike(Tensor matrices) {
  TorchBuilder &b = matrices.builder();
  Value n = columnsOf(matrices);
  return expanded(identity(b, n, n, matrices.dtype()),
                  batchAnd(matrices, {n, n}));
}

/// The eigenvalues [...,n] of Hermitian matrices and, if asked for,
/// eigenvectors as columns, in no order.
static States diagonalized(Tensor a, bool hasVectors) {
  TorchBuilder &b = a.builder();
  Tournament tournament(b, columnsOf(a));
  int64_t last = a.rank() - 1;
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    Pairs pairs = tournament(number);
    Tensor x = states[0];
    Tensor rows(b, b.unsqueeze(pairs.own, 1));
    // The element of each column i in row places[i].
    auto picked = [&](Tensor places) -> Tensor {
      return {b, b.squeeze(pickRow(x, rows == places), last - 1)};
    };
    Rotation rotation = rotationFor(realPartOf(picked(pairs.own)),
                                    conj(picked(pairs.partner)), pairs);
    Tensor turned = rotation.columns(rotation.rows(x, pairs), pairs);
    // Partners must find the same product, in spite of rounding.
    States next = {(turned + adjoint(turned)) * 0.5};
    if (hasVectors)
      next.push_back(rotation.columns(states[1], pairs));
    return next;
  };
  States init = {a};
  if (hasVectors)
    init.push_back(identityLike(a));
  States states = repeat(b, tournament.roundsOf(sweeps), init, step);
  states[0] = realPartOf(diagonal(states[0]));
  return states;
}

/// Numbers [...,n] in order, and the columns of matrices in the same order.
static void sortWith(Tensor &numbers, MutableArrayRef<Tensor> matrices,
                     bool isDescending) {
  TorchBuilder &b = numbers.builder();
  auto sorted = b.create<AtenSortOp>(numbers, b.constant(numbers.rank() - 1),
                                     b.constantBool(isDescending));
  numbers = {b, sorted->getResult(0)};
  for (Tensor &x : matrices)
    x = takeColumns(x, {b, sorted->getResult(1)});
}

/// The eigenvalues in ascending order, and eigenvectors as columns, of the
/// Hermitian matrices with the lower or the upper triangle of A.
static Decompositions::Values eigh(Aten_LinalgEighOp op, TorchBuilder &b) {
  std::optional<StringRef> part = matchStr(op.getUPLO());
  if (!part || part->size() != 1 || !StringRef("LlUu").contains(*part))
    return {b.fail("expected UPLO to be \"L\" or \"U\""), {}};
  std::optional<bool> computes = matchBool(op.getComputeV());
  if (!computes)
    return {b.fail("expected 'compute_v' to be known while compiling"), {}};
  Tensor a(b, op.getA());
  Positions at = positionsIn(a);
  bool isLower = part->lower() == "l";
  Tensor isGiven = isLower ? at.rows >= at.columns : at.rows <= at.columns;
  bool hasVectors = *computes && !op->getResult(1).use_empty();
  States states = diagonalized(where(isGiven, a, adjoint(a)), hasVectors);
  sortWith(states[0], MutableArrayRef(states).drop_front(),
           /*isDescending=*/false);
  if (*computes)
    return {states[0], hasVectors ? Value(states[1]) : Value()};
  return {states[0], filled(b, b.constant(0), 0, a.dtype())};
}

static Decompositions::Values eighOf(AtenLinalgEighOp op, TorchBuilder &b) {
  return b
      .create<Aten_LinalgEighOp>(op.getSelf(), op.getUPLO(),
                                 b.constantBool(true))
      ->getResults();
}

static Value eigvalsh(AtenLinalgEigvalshOp op, TorchBuilder &b) {
  return b
      .create<Aten_LinalgEighOp>(op.getSelf(), op.getUPLO(),
                                 b.constantBool(false))
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// Singular values
//===----------------------------------------------------------------------===//

/// Rotates the columns of matrices until they are orthogonal: U S for A = U S
/// V^H, whose columns have the singular values as lengths; and V, if asked for.
/// So small singular values are as precise as large ones.
static States orthogonalized(Tensor a, bool hasVectors) {
  TorchBuilder &b = a.builder();
  Tournament tournament(b, columnsOf(a));
  int64_t last = a.rank() - 1;
  auto step = [&](Value number, ArrayRef<Tensor> states) -> States {
    Pairs pairs = tournament(number);
    Tensor x = states[0];
    auto products = [&](Tensor y) -> Tensor {
      return {b, b.sum(conj(x) * y, {last - 1}, /*keepdim=*/false)};
    };
    Rotation rotation = rotationFor(realPartOf(products(x)),
                                    products(pairs.across(x, last)), pairs);
    States next;
    for (Tensor state : states)
      next.push_back(rotation.columns(state, pairs));
    return next;
  };
  States init = {a};
  if (hasVectors)
    init.push_back(identityLike(a));
  return repeat(b, tournament.roundsOf(sweeps), init, step);
}

/// U of the columns U S and the singular values S [...,n], of which the first k
/// count. The factor Q of their QR is orthogonal also where singular values are
/// 0; the signs of R's diagonal are U's. `isFull` adds columns up to m.
static Tensor leftVectors(Tensor columns, Tensor values, bool isFull) {
  TorchBuilder &b = columns.builder();
  Tensor sizes(b, b.unsqueeze(values, values.rank() - 1));
  auto factors = b.create<AtenGeqrfOp>(columns / where(sizes == 0, 1, sizes));
  Tensor all(b, factors->getResult(0));
  Value rows = rowsOf(columns), k = smallerSize(columns);
  Value width = isFull ? rows : k;
  Tensor signs = where(realPartOf(diagonal(all)) < 0, -1, all.number(1));
  if (isFull)
    signs = signs.apply<AtenConstantPadNdOp>(
        b.ints({b.constant(0), b.subInt(rows, k)}), b.constantFloat(1));
  Tensor start = identity(b, rows, width, all.dtype()) *
                 Tensor(b, b.unsqueeze(signs, signs.rank() - 1));
  return {b,
          b.create<AtenOrmqrOp>(all, factors->getResult(1), start,
                                b.constantBool(true), b.constantBool(false))};
}

/// U, S and V of A = U S V^H; U and V are null unless asked for. With fewer
/// rows than columns, those of A^H = V S U^H.
static std::array<Value, 3> svdOf(Tensor a, bool isFull, bool hasVectors) {
  TorchBuilder &b = a.builder();
  std::optional<int64_t> m = matchInt(rowsOf(a)), n = matchInt(columnsOf(a));
  if (m && n && *m < *n) {
    auto [v, s, u] = svdOf(adjoint(a), isFull, hasVectors);
    return {u, s, v};
  }
  Tensor unit = unitOver(a, {a.rank() - 2, a.rank() - 1});
  States states = orthogonalized(a / unit, hasVectors);
  Tensor values(b, b.squeeze(columnLengths(states[0]), {a.rank() - 2}));
  sortWith(values,
           hasVectors ? MutableArrayRef(states) : MutableArrayRef<Tensor>(),
           /*isDescending=*/true);
  Value zero = b.constant(0), k = smallerSize(a);
  Tensor largest(b, b.slice(values, values.rank() - 1, zero, k));
  largest = largest * Tensor(b, b.squeeze(unit, {a.rank() - 2}));
  if (!hasVectors)
    return {Value(), largest, Value()};
  Value v = states[1];
  if (!isFull)
    v = b.slice(v, a.rank() - 1, zero, k);
  return {leftVectors(states[0], values, isFull), largest, v};
}

static Decompositions::Values unknownFactors(TorchBuilder &b) {
  return {b.fail("expected to know while compiling which factors to compute"),
          {},
          {}};
}

static Decompositions::Values svd(Aten_LinalgSvdOp op, TorchBuilder &b) {
  std::optional<bool> full = matchBool(op.getFullMatrices()),
                      computes = matchBool(op.getComputeUv());
  if (!full || !computes)
    return unknownFactors(b);
  Tensor a(b, op.getA());
  bool hasVectors = *computes && !(op->getResult(0).use_empty() &&
                                   op->getResult(2).use_empty());
  auto [u, s, v] = svdOf(a, *full, hasVectors);
  if (!*computes) {
    Value nothing = filled(b, b.constant(0), 0, a.dtype());
    return {nothing, s, nothing};
  }
  return {u, s, v ? Value(adjoint({b, v})) : v};
}

static Decompositions::Values svdWithFactors(AtenLinalgSvdOp op,
                                             TorchBuilder &b) {
  return b
      .create<Aten_LinalgSvdOp>(op.getA(), op.getFullMatrices(),
                                b.constantBool(true), op.getDriver())
      ->getResults();
}

static Value singularValues(TorchBuilder &b, Value a) {
  Value no = b.constantBool(false);
  return b.create<Aten_LinalgSvdOp>(a, no, no, b.none())->getResult(1);
}

static Value svdvals(AtenLinalgSvdvalsOp op, TorchBuilder &b) {
  return singularValues(b, op.getA());
}

/// U, S and V; factors that are not asked for are zeros.
static Decompositions::Values oldSvd(AtenSvdOp op, TorchBuilder &b) {
  std::optional<bool> some = matchBool(op.getSome()),
                      computes = matchBool(op.getComputeUv());
  if (!some || !computes)
    return unknownFactors(b);
  Tensor a(b, op.getSelf());
  if (!*computes) {
    auto zeros = [&](Value n) {
      return filled(b, batchAnd(a, {n, n}), 0, a.dtype());
    };
    return {zeros(rowsOf(a)), singularValues(b, a), zeros(columnsOf(a))};
  }
  auto all = b.create<Aten_LinalgSvdOp>(a, b.constantBool(!*some),
                                        b.constantBool(true), b.none());
  return {all->getResult(0), all->getResult(1),
          adjoint({b, all->getResult(2)})};
}

void populateSpectrum(Decompositions &decompositions) {
  decompositions.add(eigh, eighOf, eigvalsh, oldSvd, svd, svdWithFactors,
                     svdvals);
}

} // namespace isthmus::decompose_torch
