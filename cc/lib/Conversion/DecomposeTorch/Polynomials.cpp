//===- Polynomials.cpp - Orthogonal polynomials ---------------------------===//
//
// Each family begins with 1 and a linear polynomial, and has a recurrence from
// two neighbours to the next one (NIST's "Digital library of mathematical
// functions", 18.9). Degrees are truncated to integers, and the polynomials of
// negative degrees are 0. A known degree up to 32 becomes straight-line code;
// otherwise a loop goes up to the largest degree.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Formulas.h"
#include "Matrices.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/SpecialComposites.h"
#include <utility>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {

/// A family has `first`, its polynomial of degree 1, and `next`, the one of
/// degree k + 1 from those of degree k and k - 1. A degree is a number or a
/// tensor.
struct Family {
  static Tensor argument(Tensor x) { return x; }
};

struct Chebyshev : Family {
  template <typename Degree>
  static Tensor next(Degree, Tensor x, Tensor current, Tensor before) {
    return 2 * x * current - before;
  }
};
struct ChebyshevT : Chebyshev {
  static Tensor first(Tensor x) { return x; }
};
struct ChebyshevU : Chebyshev {
  static Tensor first(Tensor x) { return 2 * x; }
};
struct ChebyshevV : Chebyshev {
  static Tensor first(Tensor x) { return 2 * x - 1; }
};
struct ChebyshevW : Chebyshev {
  static Tensor first(Tensor x) { return 2 * x + 1; }
};

struct HermiteH : Family {
  static Tensor first(Tensor x) { return 2 * x; }
  template <typename Degree>
  static Tensor next(Degree k, Tensor x, Tensor current, Tensor before) {
    return 2 * x * current - 2 * k * before;
  }
};
struct HermiteHe : Family {
  static Tensor first(Tensor x) { return x; }
  template <typename Degree>
  static Tensor next(Degree k, Tensor x, Tensor current, Tensor before) {
    return x * current - k * before;
  }
};

struct LaguerreL : Family {
  static Tensor first(Tensor x) { return 1 - x; }
  template <typename Degree>
  static Tensor next(Degree k, Tensor x, Tensor current, Tensor before) {
    return ((2 * k + 1 - x) * current - k * before) / (k + 1);
  }
};
struct LegendreP : Family {
  static Tensor first(Tensor x) { return x; }
  template <typename Degree>
  static Tensor next(Degree k, Tensor x, Tensor current, Tensor before) {
    return ((2 * k + 1) * x * current - k * before) / (k + 1);
  }
};

/// A family of [-1, 1] on [0, 1].
template <typename Unshifted>
struct Shifted : Unshifted {
  static Tensor argument(Tensor x) { return 2 * x - 1; }
};

} // namespace

/// A larger degree becomes a loop.
static constexpr int maxUnrolled = 32;
/// A loop up to a larger degree than this is refused: it takes a step per
/// degree, and a number in the data must not keep the program busy for years.
static constexpr int maxDegree = 1 << 20;

template <typename Polynomial>
static Tensor ofDegree(int n, Tensor x) {
  TorchBuilder &b = x.builder();
  if (n < 1)
    return filled(b, b.sizes(x), n == 0 ? 1 : 0, x.dtype());
  Tensor before = x.number(1), current = Polynomial::first(x);
  for (int k = 1; k < n; ++k)
    before = std::exchange(current, Polynomial::next(k, x, current, before));
  return current;
}

/// For degrees that may differ between elements: computes all polynomials up to
/// the largest degree and selects from them.
template <typename Polynomial>
static Tensor ofDegrees(Tensor degrees, Tensor argument) {
  TorchBuilder &b = argument.builder();
  Type dtype = argument.dtype();
  // NaN and infinity count as negative.
  Tensor n = where(abs(degrees) < infinity, degrees.apply<AtenTruncOp>(), -1);
  // Limited before it becomes an integer, which it may not fit.
  Tensor largest = min(max(n.apply<AtenMaxOp>(), 1), maxDegree + 1);
  Value asked = b.create<AtenIntTensorOp>(largest - 1);
  RuntimeAssertOp::create(b.getBuilder(), b.getLoc(),
                          b.fold<AtenLtIntOp>(asked, b.constant(maxDegree)),
                          "expected degrees of at most " +
                              std::to_string(maxDegree));
  // A target without such checks must not count that far either.
  Value steps =
      b.create<AtenIntTensorOp>(where(largest <= maxDegree, largest, 1) - 1);
  SmallVector<Value> sizes = broadcastSizes(b, b.sizes(argument), b.sizes(n));
  Tensor x(b, b.expand(argument, sizes)), one = filled(b, sizes, 1, dtype),
                                          first = Polynomial::first(x);
  auto step = [&](Value number, ArrayRef<Tensor> states) {
    Tensor k = asTensor(b, number).as(dtype) + 1, current = states[1];
    Tensor next = Polynomial::next(k, x, current, states[0]);
    return States{current, next, where(n == k + 1, next, states[2])};
  };
  Tensor y = loop(b, steps, {one, first, where(n == 0, one, first)}, step)[2];
  return where(n < 0, 0, y);
}

template <typename Polynomial, typename Op>
static Tensor orthogonal(Op op, TorchBuilder &b) {
  auto [x, n] = operandsOf(op, b);
  Tensor argument = Polynomial::argument(x);
  std::optional<double> known = matchNumber(op->getOperand(1));
  Tensor y = known && *known < maxUnrolled + 1
                 ? ofDegree<Polynomial>(static_cast<int>(std::max(*known, -1.)),
                                        argument)
                 : ofDegrees<Polynomial>(n, argument);
  return y.as(tensorType(op).getDtype());
}

template <typename Polynomial, typename... Overloads>
static void add(Decompositions &decompositions) {
  decompositions.add(orthogonal<Polynomial, Overloads>...);
}

void populatePolynomials(Decompositions &decompositions) {
#define ADD(FAMILY, NAME)                                                      \
  add<FAMILY, AtenSpecial##NAME##Op, AtenSpecial##NAME##NScalarOp,             \
      AtenSpecial##NAME##XScalarOp>(decompositions);
  ADD(ChebyshevT, ChebyshevPolynomialT)
  ADD(ChebyshevU, ChebyshevPolynomialU)
  ADD(ChebyshevV, ChebyshevPolynomialV)
  ADD(ChebyshevW, ChebyshevPolynomialW)
  ADD(HermiteH, HermitePolynomialH)
  ADD(HermiteHe, HermitePolynomialHe)
  ADD(LaguerreL, LaguerrePolynomialL)
  ADD(LegendreP, LegendrePolynomialP)
  ADD(Shifted<ChebyshevT>, ShiftedChebyshevPolynomialT)
  ADD(Shifted<ChebyshevU>, ShiftedChebyshevPolynomialU)
  ADD(Shifted<ChebyshevV>, ShiftedChebyshevPolynomialV)
  ADD(Shifted<ChebyshevW>, ShiftedChebyshevPolynomialW)
#undef ADD
}

} // namespace isthmus::decompose_torch
