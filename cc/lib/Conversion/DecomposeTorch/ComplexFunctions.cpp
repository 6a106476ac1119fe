//===- ComplexFunctions.cpp - Functions of complex numbers ----------------===//
//
// z is x + y i in all formulas. They overflow only where the result is close to
// overflow, do not cancel near 0, and follow the sign of a zero on the branch
// cuts. The inverse functions are those of W. Kahan, "Branch cuts for complex
// elementary functions, or much ado about nothing's sign bit".
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "Formulas.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static Tensor asinh(Tensor x) { return x.apply<AtenAsinhOp>(); }
static Tensor atan2(Tensor y, Tensor x) { return y.apply<AtenAtan2Op>(x); }
static Tensor cosh(Tensor x) { return x.apply<AtenCoshOp>(); }
static Tensor sinh(Tensor x) { return x.apply<AtenSinhOp>(); }
static Tensor withSignOf(Tensor y, Tensor x) {
  return x.apply<AtenCopysignTensorOp>(y);
}

static std::pair<Tensor, Tensor> bothParts(Complex z) {
  return {z.real, imaginaryOf(z)};
}

/// size * factor, which is 0 for a factor of 0 also where the size overflows.
static Tensor scaled(Tensor size, Tensor factor) {
  return where(factor == 0, factor, size * factor);
}

/// True if a part is infinite.
static Tensor isInfinite(Complex z) {
  auto [x, y] = bothParts(z);
  return max(abs(x), abs(y)) == infinity;
}

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

/// exp(z) = exp(x) * (cos(y) + i * sin(y)), and 0 for x = -infinity and any y
static Complex exp(Complex z) {
  Tensor size = exp(z.real);
  if (!z.imaginary)
    return {size, std::nullopt};
  Tensor isZero = z.real == -infinity;
  return {where(isZero, 0, size * cos(*z.imaginary)),
          where(isZero, 0, scaled(size, sin(*z.imaginary)))};
}

/// 2^z = exp(z * log(2))
static Complex exp2(Complex z) {
  return exp(
      eachPart(z, [](Tensor part) { return part * llvm::numbers::ln2; }));
}

/// exp(z) - 1, where exp(x) * cos(y) - 1 = expm1(x) * cos(y) - 2 * sin(y / 2)^2
static Complex expm1(Complex z) {
  auto [x, y] = bothParts(z);
  Tensor half = sin(y * 0.5);
  return {expm1(x) * cos(y) - 2 * half * half, exp(x) * sin(y)};
}

/// log(z) = log(|z|) + i * angle(z)
static Complex log(Complex z) {
  auto [x, y] = bothParts(z);
  return {log(abs(z)), atan2(y, x)};
}

/// log(1 + z), where |1 + z|^2 = 1 + x * (x + 2) + y^2 near 0
static Complex log1p(Complex z) {
  auto [x, y] = bothParts(z);
  Tensor next = x + 1;
  Tensor close = log1p(x * (x + 2) + y * y) * 0.5,
         distant = log(abs(Complex{next, y}));
  return {where(max(abs(x), abs(y)) < 0.5, close, distant), atan2(y, next)};
}

/// log(exp(x) + exp(y)) = m + log1p(exp(d)), where m has the larger real part
/// and d is the other number minus m. As in PyTorch, it is that other number if
/// both real parts are -infinity.
Complex logAddExp(Complex x, Complex y) {
  auto either = [](Tensor condition, Complex p, Complex q) {
    return Complex{where(condition, p.real, q.real),
                   where(condition, imaginaryOf(p), imaginaryOf(q))};
  };
  Tensor isBelow = x.real < y.real;
  Complex larger = either(isBelow, y, x), smaller = either(isBelow, x, y);
  Complex sum = larger + log1p(exp(smaller - larger));
  sum = either(min(x.real, y.real) == infinity, log(exp(x) + exp(y)), sum);
  return either(max(x.real, y.real) == -infinity, smaller, sum);
}

static Value logaddexp(AtenLogaddexpOp op, TorchBuilder &b) {
  Type dtype = partDtype(tensorType(op).getDtype());
  auto operand = [&](Value value) {
    return eachPart(partsOf(b, value),
                    [&](Tensor part) { return part.as(dtype); });
  };
  return joined(logAddExp(operand(op.getSelf()), operand(op.getOther())));
}

/// sigmoid(z) = 1 / (1 + exp(-z)), or exp(z) / (1 + exp(z)) for x <= 0
static Complex sigmoid(Complex z) {
  Tensor isPositive = z.real > 0;
  Complex power = exp(
      eachPart(z, [&](Tensor part) { return negatedIf(isPositive, part); }));
  Complex numerator{
      where(isPositive, 1, power.real),
      where(isPositive, 0, imaginaryOf(power)),
  };
  return numerator / Complex{power.real + 1, power.imaginary};
}

/// x^y = exp(y * log(x)). x^0 = 1 for a real exponent, and 0^y = 0 for one with
/// a positive real part.
static Value power(AtenPowTensorTensorOp op, TorchBuilder &b) {
  Type dtype = partDtype(tensorType(op).getDtype());
  auto operand = [&](Value value) {
    return eachPart(partsOf(b, value),
                    [&](Tensor part) { return part.as(dtype); });
  };
  Complex x = operand(op.getSelf()), y = operand(op.getExponent());
  Complex logarithm = y * log(x);
  auto zeroIf = [](Tensor condition, Complex z) {
    return eachPart(z, [&](Tensor part) { return where(condition, 0, part); });
  };
  if (!y.imaginary)
    return joined(exp(zeroIf(y.real == 0, logarithm)));
  Tensor isZero = (abs(x) == 0) & (y.real > 0);
  return joined(zeroIf(isZero, exp(logarithm)));
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// sqrt(z) = t + i * y / (2 t) for x > 0, and otherwise |y| / (2 t) + i * t
/// with the sign of y, where t = sqrt((|x| + |z|) / 2). Both parts are infinite
/// if y is.
static Complex sqrt(Complex z) {
  auto [x, y] = bothParts(z);
  Tensor height = abs(y), isFar = height == infinity;
  Tensor t = where(isFar, height, sqrt(abs(x) * 0.5 + abs(z) * 0.5));
  Tensor other = where((t == 0) | isFar, height, height / t * 0.5);
  Tensor isPositive = x > 0;
  return {where(isPositive, t, other),
          withSignOf(y, where(isPositive, other, t))};
}

/// 1 / sqrt(z) = conj(sqrt(z)) / |z|, 0 for infinite z, and, as in PyTorch,
/// infinity + i * NaN for 0
static Complex rsqrt(Complex z) {
  Tensor size = abs(z);
  Complex quotient = conj(sqrt(z)) / Complex{size, std::nullopt};
  Complex result = eachPart(
      quotient, [&](Tensor part) { return where(size == infinity, 0, part); });
  result.real = where(size == 0, infinity, result.real);
  return result;
}

//===----------------------------------------------------------------------===//
// Hyperbolic and trigonometric functions
//===----------------------------------------------------------------------===//

/// cosh(z) = cosh(x) * cos(y) + i * sinh(x) * sin(y)
static Complex cosh(Complex z) {
  auto [x, y] = bothParts(z);
  return {cosh(x) * cos(y), scaled(sinh(x), sin(y))};
}

/// sinh(z) = sinh(x) * cos(y) + i * cosh(x) * sin(y)
static Complex sinh(Complex z) {
  auto [x, y] = bothParts(z);
  return {sinh(x) * cos(y), scaled(cosh(x), sin(y))};
}

/// tanh(z) = (t + i * s^2 * sin(y) * cos(y)) / (t^2 + s^2 * cos(y)^2) with t =
/// tanh(x) and s = 1 / cosh(x)
static Complex tanh(Complex z) {
  auto [x, y] = bothParts(z);
  Tensor t = tanh(x), s = 1 / cosh(x), c = s * cos(y);
  Tensor square = t * t + c * c;
  return {t / square, s * sin(y) * c / square};
}

static Complex timesI(Complex z) {
  auto [x, y] = bothParts(z);
  return {-y, x};
}

/// function(i * z) / i: sin(z) for sinh, for example.
template <Complex (*function)(Complex)>
static Complex turned(Complex z) {
  auto [u, v] = bothParts(function(timesI(z)));
  return {v, -u};
}

static Complex cos(Complex z) { return cosh(timesI(z)); }

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

namespace {
/// sqrt(1 + z) = a + b i, and sqrt(1 - z) = c - d i
struct Roots {
  Tensor a, b, c, d;
};
} // namespace

static Roots rootsOf(Complex z) {
  auto [x, y] = bothParts(z);
  auto [a, b] = bothParts(sqrt({1 + x, y}));
  auto [c, d] = bothParts(sqrt({1 - x, y}));
  return {a, b, c, d};
}

/// The imaginary part of asin(z), and minus that of acos(z): asinh(a d + b c)
/// with those roots, or infinity with the sign of y for infinite z.
static Tensor heightOf(Complex z, const Roots &roots) {
  auto [a, b, c, d] = roots;
  Tensor y = imaginaryOf(z);
  return where(isInfinite(z), withSignOf(y, y.number(infinity)),
               asinh(a * d + b * c));
}

/// The real part of asin(z) is atan2(x, a c + b d) with those roots, and
/// atan2(x, |y|) for infinite z.
static Complex asin(Complex z) {
  Roots roots = rootsOf(z);
  auto [a, b, c, d] = roots;
  auto [x, y] = bothParts(z);
  return {atan2(x, where(isInfinite(z), abs(y), a * c + b * d)),
          heightOf(z, roots)};
}

/// The real part of acos(z) is 2 * atan2(c, a) with those roots, and
/// atan2(|y|, x) for infinite z.
static Complex acos(Complex z) {
  Roots roots = rootsOf(z);
  auto [x, y] = bothParts(z);
  return {where(isInfinite(z), atan2(abs(y), x), 2 * atan2(roots.c, roots.a)),
          -heightOf(z, roots)};
}

/// acosh(z) = |v| + i * u with the sign of y, where acos(z) = u + v i
static Complex acosh(Complex z) {
  auto [u, v] = bothParts(acos(z));
  return {abs(v), withSignOf(imaginaryOf(z), u)};
}

/// atanh(z) = log1p(4 |x| / d^2) / 4 with d^2 = (1 - |x|)^2 + y^2 and the sign
/// of x, + i * atan2(2 y, (1 - |x|) * (1 + |x|) - y^2) / 2. The first logarithm
/// is 2 log(2 sqrt(|x|) / d) for a small d, whose square may underflow. For
/// infinite z it is 0 + i * pi / 2 with the sign of y.
static Complex atanh(Complex z) {
  auto [x, y] = bothParts(z);
  Tensor width = abs(x), rest = 1 - width, square = y * y;
  Tensor d = abs(Complex{rest, y}), isFar = d == infinity;
  Tensor real = where(d < 1e-9, log(sqrt(width) * 2 / d) * 0.5,
                      log1p(width * 4 / (rest * rest + square)) * 0.25);
  Tensor angle = atan2(y * 2, rest * (1 + width) - square) * 0.5;
  Tensor right = withSignOf(y, y.number(llvm::numbers::pi / 2));
  return {withSignOf(x, where(isFar, 0, real)), where(isFar, right, angle)};
}

template <Complex (*function)(Complex), typename Op>
static Value functionOf(Op op, TorchBuilder &b) {
  return joined(function(partsOf(b, op.getSelf())));
}

void addComplexFunctions(Decompositions &forms) {
  forms.add(functionOf<acos, AtenAcosOp>, functionOf<acosh, AtenAcoshOp>,
            functionOf<asin, AtenAsinOp>, functionOf<turned<asin>, AtenAsinhOp>,
            functionOf<turned<atanh>, AtenAtanOp>,
            functionOf<atanh, AtenAtanhOp>, functionOf<cos, AtenCosOp>,
            functionOf<cosh, AtenCoshOp>, functionOf<exp, AtenExpOp>,
            functionOf<exp2, AtenExp2Op>, functionOf<expm1, AtenExpm1Op>,
            functionOf<log, AtenLogOp>, functionOf<log1p, AtenLog1pOp>,
            logaddexp, power, functionOf<rsqrt, AtenRsqrtOp>,
            functionOf<sigmoid, AtenSigmoidOp>,
            functionOf<turned<sinh>, AtenSinOp>, functionOf<sinh, AtenSinhOp>,
            functionOf<sqrt, AtenSqrtOp>, functionOf<turned<tanh>, AtenTanOp>,
            functionOf<tanh, AtenTanhOp>);
}

} // namespace isthmus::decompose_torch
