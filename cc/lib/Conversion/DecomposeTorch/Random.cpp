//===- Random.cpp - Random numbers ----------------------------------------===//
//
// A counter-based generator: each number is a function of its position, and all
// targets compute it alike: TOSA's integers have 32 bits and must not overflow.
// It is Philox-2x32 of Salmon et al. ("Parallel random numbers: as easy as 1,
// 2, 3", 2011) at half of its width. For element i of a tensor, left and right
// halves of 16 bits start as
//   L = i mod 2^16, R = i div 2^16
// and in each of 12 rounds, with a key of 16 bits per round,
//   L, R = (M * L) div 2^16 xor R xor key, (M * L) mod 2^16      M = 0x6A0D
// Keys come from SplitMix64 (Steele et al., 2014), whose state starts as the
// op's own number (see `numberRandomOps`). So the numbers of a program depend
// only on its seed and on the position of the op among the random ops; they
// differ from PyTorch's.
//
//===----------------------------------------------------------------------===//

#include "Random.h"
#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/ComplexComposites.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/RandomComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/SortingComposites.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static constexpr StringLiteral numberName = "random_number";

/// Whether an op that draws numbers only in training may do so.
static bool isInTraining(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<AtenAlphaDropoutOp, AtenDropoutOp, AtenFeatureAlphaDropoutOp,
            AtenFeatureDropoutOp, AtenNativeDropoutOp>(
          [](auto dropout) { return matchBool(dropout.getTrain()) != false; })
      .Case<AtenRreluOp, AtenRreluWithNoiseFunctionalOp>(
          [](auto rrelu) { return matchBool(rrelu.getTraining()) != false; })
      .Default(false);
}

bool isRandom(Operation *op) {
  return isa<
      AtenBernoulliOp, AtenBernoulliPOp, AtenBernoulliTensorOp, AtenCauchyOp,
      AtenExponentialOp, AtenGeometricOp, AtenLogNormalOp, AtenMultinomialOp,
      AtenNormalFloatFloatOp, AtenNormalFloatTensorOp, AtenNormalFunctionalOp,
      AtenNormalTensorFloatOp, AtenNormalTensorTensorOp, AtenRandGeneratorOp,
      AtenRandLikeGeneratorOp, AtenRandLikeOp, AtenRandOp,
      AtenRandintGeneratorOp, AtenRandintLikeGeneratorOp,
      AtenRandintLikeLowDtypeOp, AtenRandintLikeLowGeneratorDtypeOp,
      AtenRandintLikeOp, AtenRandintLowGeneratorOp, AtenRandintLowOp,
      AtenRandintOp, AtenRandnGeneratorOp, AtenRandnLikeGeneratorOp,
      AtenRandnLikeOp, AtenRandnOp, AtenRandomFromOp, AtenRandomOp,
      AtenRandomToOp, AtenRandpermGeneratorOp, AtenRandpermOp, AtenUniformOp>(
      op);
}

void numberRandomOps(Operation *root, int64_t seed) {
  uint64_t number = 0;
  Builder builder(root->getContext());
  root->walk([&](Operation *op) {
    if (isRandom(op) || isInTraining(op))
      op->setAttr(numberName,
                  builder.getI64IntegerAttr(
                      (static_cast<uint64_t>(seed) << 32) + number++));
  });
}

namespace {

/// SplitMix64.
struct Keys {
  uint64_t state;

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
};

/// 32 random bits, as two halves.
struct Bits {
  Tensor high, low;
};

} // namespace

static Keys keysOf(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(numberName);
  return {number ? number.getValue().getZExtValue() : 0};
}

static Tensor operator^(Tensor a, Tensor b) {
  return a.apply<AtenBitwiseXorTensorOp>(b);
}

/// The bits of elements 0 ... count - 1.
static Bits randomBits(TorchBuilder &b, Value count, Keys &keys) {
  Type number = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  Tensor position = range(b, b.constant(0), count).as(number);
  Tensor mask = position.number(0xFFFF), width = position.number(16);
  auto high = [&](Tensor x) {
    return x.apply<AtenBitwiseRightShiftTensorOp>(width);
  };
  auto low = [&](Tensor x) { return x.apply<AtenBitwiseAndTensorOp>(mask); };
  Tensor left = low(position), right = high(position);
  for (int round = 0; round < 12; ++round) {
    Tensor product = left * position.number(0x6A0D);
    left = high(product) ^ right ^
           position.number(static_cast<double>(keys.next() & 0xFFFF));
    right = low(product);
  }
  return {left, right};
}

/// Numbers in [0, 1) with a number of fractional bits, up to 24, in the dtype
/// in which numbers of a dtype are computed. f32 represents them exactly.
static Tensor fractions(TorchBuilder &b, Value count, Keys &keys, Type dtype,
                        unsigned kept) {
  Bits bits = randomBits(b, count, keys);
  // The upper ones of 16 bits, as a whole number.
  auto upper = [&](Tensor half, unsigned count) {
    return half.apply<AtenBitwiseRightShiftTensorOp>(half.number(16 - count))
        .as(computedDtype(dtype));
  };
  if (kept <= 16)
    return upper(bits.high, kept) * std::ldexp(1., -static_cast<int>(kept));
  return upper(bits.high, 16) * 0x1p-16 +
         upper(bits.low, kept - 16) * std::ldexp(1., -static_cast<int>(kept));
}

/// Numbers in [0, 1), from which others are computed.
static Tensor uniform(TorchBuilder &b, Value count, Keys &keys, Type dtype) {
  return fractions(b, count, keys, dtype, 24);
}

/// Numbers in [0, 1) that the dtype represents exactly, so that none is rounded
/// to 1.
static Tensor representable(TorchBuilder &b, Value count, Keys &keys,
                            Type dtype) {
  auto type = dyn_cast<mlir::FloatType>(dtype);
  return fractions(b, count, keys, dtype,
                   type ? std::min(type.getFPMantissaWidth(), 24u) : 24);
}

/// Box and Muller: sqrt(-2 log(1 - u)) * cos(2 pi v) of uniform u and v is
/// normally distributed.
static Tensor normal(TorchBuilder &b, Value count, Keys &keys, Type dtype) {
  Tensor u = uniform(b, count, keys, dtype), v = uniform(b, count, keys, dtype);
  return sqrt(log(1 - u) * -2) * cos(v * (2 * llvm::numbers::pi));
}

static Type resultDtypeOf(Operation *op) {
  return tensorType(op->getResult(0)).getDtype();
}

/// Numbers of a distribution, which is given the dtype of the result, in some
/// sizes and in the dtype in which numbers of the result's dtype are computed.
/// Those for complex numbers are their parts, in a further dim of size two.
template <Tensor (*distribution)(TorchBuilder &, Value, Keys &, Type)>
static Tensor drawn(Operation *op, TorchBuilder &b, SmallVector<Value> sizes) {
  Type dtype = resultDtypeOf(op);
  if (isComplex(dtype))
    sizes.push_back(b.constant(2));
  Keys keys = keysOf(op);
  return {b, b.view(distribution(b, b.product(sizes), keys, partDtype(dtype)),
                    sizes)};
}

/// Drawn numbers in the dtype of the result.
static Value inOwnDtype(Operation *op, Tensor x) {
  Type dtype = resultDtypeOf(op);
  Tensor parts = x.as(partDtype(dtype));
  return isComplex(dtype) ? parts.apply<AtenViewAsComplexOp>() : parts;
}

/// rand and rand_like
static Value uniformIn(Operation *op, TorchBuilder &b, ArrayRef<Value> sizes) {
  return inOwnDtype(op, drawn<representable>(op, b, llvm::to_vector(sizes)));
}
/// Normally distributed numbers of variance 1. That of a complex number is the
/// sum of those of its parts.
static Tensor normals(Operation *op, TorchBuilder &b, ArrayRef<Value> sizes) {
  Tensor n = drawn<normal>(op, b, llvm::to_vector(sizes));
  return isComplex(resultDtypeOf(op)) ? n * std::sqrt(0.5) : n;
}
/// randn and randn_like
static Value normalIn(Operation *op, TorchBuilder &b, ArrayRef<Value> sizes) {
  return inOwnDtype(op, normals(op, b, sizes));
}

/// The result of a function of an op's sizes.
template <Value (*function)(Operation *, TorchBuilder &, ArrayRef<Value>),
          typename Op>
static Value inSizes(Op op, TorchBuilder &b) {
  auto known = matchList(op.getSize());
  if (!known)
    return b.fail(kListOfSizes);
  return function(op, b, *known);
}

/// The result of a function of the sizes of an op's tensor.
template <Value (*function)(Operation *, TorchBuilder &, ArrayRef<Value>),
          typename Op>
static Value inSizesOf(Op op, TorchBuilder &b) {
  return function(op, b, b.sizes(op.getSelf()));
}

/// Drawn numbers in the sizes of `like`.
template <Tensor (*distribution)(TorchBuilder &, Value, Keys &, Type)>
static Tensor drawnLike(Operation *op, TorchBuilder &b, Value like) {
  return drawn<distribution>(op, b, b.sizes(like));
}

/// A number, or a tensor in another dtype.
static Tensor parameter(Tensor like, Value value) {
  TorchBuilder &b = like.builder();
  return isTensor(value.getType()) ? Tensor(b, value).as(like.dtype())
                                   : scalar(b, value, like.dtype());
}

/// uniform(x, from, to) = from + u * (to - from)
static Value uniformLike(AtenUniformOp op, TorchBuilder &b) {
  Tensor u = drawnLike<representable>(op, b, op.getSelf());
  Tensor from = parameter(u, op.getFrom());
  return inOwnDtype(op, from + u * (parameter(u, op.getTo()) - from));
}

/// mean + std * n of normal n, in the sizes of both.
static Value normalOf(Operation *op, TorchBuilder &b, Value like, Value mean,
                      Value deviation) {
  Tensor n = normals(op, b, b.sizes(like));
  return inOwnDtype(op, parameter(n, mean) + parameter(n, deviation) * n);
}
static Value normalLike(AtenNormalFunctionalOp op, TorchBuilder &b) {
  return normalOf(op, b, op.getSelf(), op.getMean(), op.getStd());
}
static Value normalOfMean(AtenNormalTensorFloatOp op, TorchBuilder &b) {
  return normalOf(op, b, op.getMean(), op.getMean(), op.getStd());
}
static Value normalOfDeviation(AtenNormalFloatTensorOp op, TorchBuilder &b) {
  return normalOf(op, b, op.getStd(), op.getMean(), op.getStd());
}
static Value normalOfBoth(AtenNormalTensorTensorOp op, TorchBuilder &b) {
  Tensor sum = Tensor(b, op.getMean()) + Tensor(b, op.getStd());
  return normalOf(op, b, sum, op.getMean(), op.getStd());
}
static Value normalOfNumbers(AtenNormalFloatFloatOp op, TorchBuilder &b) {
  Value drawn = inSizes<normalIn>(op, b);
  if (!drawn)
    return {};
  Tensor n(b, drawn);
  return parameter(n, op.getMean()) + parameter(n, op.getStd()) * n;
}

/// -log(1 - u) of uniform u is exponentially distributed. Like PyTorch's, no
/// number is 0, of which callers take the logarithm or by which they divide.
static Tensor exponential(TorchBuilder &b, Value count, Keys &keys,
                          Type dtype) {
  return max(-log(1 - uniform(b, count, keys, dtype)), 0x1p-24);
}
static Value exponentialLike(AtenExponentialOp op, TorchBuilder &b) {
  Tensor e = drawnLike<exponential>(op, b, op.getSelf());
  return (e / parameter(e, op.getLambd())).as(tensorType(op).getDtype());
}

/// cauchy(x, median, sigma) = median + sigma * tan(pi * (u - 1/2))
static Value cauchyLike(AtenCauchyOp op, TorchBuilder &b) {
  Tensor u = drawnLike<uniform>(op, b, op.getSelf());
  Tensor angle = (u - 0.5) * llvm::numbers::pi;
  return (parameter(u, op.getMedian()) +
          parameter(u, op.getSigma()) * sin(angle) / cos(angle))
      .as(tensorType(op).getDtype());
}

/// log_normal(x, mean, std) = exp(mean + std * n)
static Value logNormalLike(AtenLogNormalOp op, TorchBuilder &b) {
  Tensor n = drawnLike<normal>(op, b, op.getSelf());
  return exp(parameter(n, op.getMean()) + parameter(n, op.getStd()) * n)
      .as(tensorType(op).getDtype());
}

/// geometric(x, p) = ceil(log(1 - u) / log(1 - p)), at least 1
static Value geometricLike(AtenGeometricOp op, TorchBuilder &b) {
  Tensor e = drawnLike<exponential>(op, b, op.getSelf());
  Tensor trials = (e / -log1p(-parameter(e, op.getP()))).apply<AtenCeilOp>();
  return max(trials, 1).as(tensorType(op).getDtype());
}

/// 1 if a uniform number is below the probability, else 0.
static Value bernoulliOf(Operation *op, TorchBuilder &b, Value like,
                         Tensor probability) {
  Value sizes = b.ints(b.sizes(like));
  Value count = b.product(b.sizes(like));
  Keys keys = keysOf(op);
  Type dtype = computedDtype(probability.dtype());
  Tensor u = uniform(b, count, keys, dtype);
  return (Tensor(b, b.create<AtenViewOp>(u, sizes)) < probability.as(dtype))
      .as(tensorType(like).getDtype());
}
static Value bernoulli(AtenBernoulliOp op, TorchBuilder &b) {
  return bernoulliOf(op, b, op.getSelf(), {b, op.getSelf()});
}
static Value bernoulliWith(AtenBernoulliPOp op, TorchBuilder &b) {
  return bernoulliOf(op, b, op.getSelf(),
                     scalar(b, op.getP(), Float32Type::get(b.getContext())));
}
static Value bernoulliEach(AtenBernoulliTensorOp op, TorchBuilder &b) {
  return bernoulliOf(op, b, op.getSelf(), {b, op.getP()});
}

/// x for x > 0, else x times a slope, which in training is drawn from [lower,
/// upper) for each element. Also gives the slopes, 1 where x is kept.
template <typename Op>
static std::pair<Tensor, Tensor> withRandomSlope(Op op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  Tensor u = drawnLike<representable>(op, b, own);
  Tensor lower = parameter(u, op.getLower());
  Tensor slope = lower + u * (parameter(u, op.getUpper()) - lower);
  slope = where(x <= 0, slope, 1);
  return {(x * slope).as(own.dtype()), slope.as(own.dtype())};
}

/// Outside of training, the slope is the mean of its bounds.
static Value rrelu(AtenRreluOp op, TorchBuilder &b) {
  std::optional<bool> isTraining = matchBool(op.getTraining());
  if (!isTraining)
    return b.fail("expected training to be known while compiling");
  if (*isTraining)
    return withRandomSlope(op, b).first;
  Tensor x(b, op.getSelf());
  return b.create<AtenRreluWithNoiseOp>(x, x, op.getLower(), op.getUpper(),
                                        op.getTraining(), b.none());
}

/// The noise is that of training: outside of it, it stays as it is.
static Decompositions::Values rreluFunctional(AtenRreluWithNoiseFunctionalOp op,
                                              TorchBuilder &b) {
  std::optional<bool> isTraining = matchBool(op.getTraining());
  if (!isTraining)
    return {b.fail("expected training to be known while compiling"), {}};
  if (*isTraining) {
    auto [result, slopes] = withRandomSlope(op, b);
    return {result, slopes};
  }
  return {b.create<AtenRreluWithNoiseOp>(op.getSelf(), op.getNoise(),
                                         op.getLower(), op.getUpper(),
                                         op.getTraining(), b.none()),
          op.getNoise()};
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// Elements that are kept with probability 1 - p: true there. With `perChannel`
/// one number decides for all elements of a channel of x [N,C,...].
static Tensor keptElements(Operation *op, TorchBuilder &b, Value x, Tensor p,
                           bool perChannel) {
  SmallVector<Value> sizes = b.sizes(x);
  if (perChannel)
    for (Value &size :
         llvm::drop_begin(sizes, std::min<size_t>(sizes.size(), 2)))
      size = b.constant(1);
  Keys keys = keysOf(op);
  Tensor u = uniform(b, b.product(sizes), keys, p.dtype());
  return Tensor(b, b.view(u, sizes)) >= p;
}

/// dropout(x, p) in training: 0, or x / (1 - p). With `alpha`, mean and
/// variance stay (Klambauer et al., "Self-normalizing neural networks", 2017):
///   a * y + a * alpha * p, where y is x or -alpha
///   a = 1 / sqrt((1 - p) * (1 + p * alpha^2))
static Tensor dropped(Tensor own, Tensor kept, Tensor p, double alpha) {
  Tensor x = own.widened();
  Tensor rest = 1 - p;
  if (alpha == 0) // nothing is kept for p = 1
    return where(kept, x / where(rest > 0, rest, 1), 0).as(own.dtype());
  Tensor a = rsqrt(max(rest * (1 + p * (alpha * alpha)), 0));
  a = where(rest > 0, a, 0);
  return (a * where(kept, x, -alpha) + a * p * alpha).as(own.dtype());
}

static Tensor probability(TorchBuilder &b, Tensor x, Value p) {
  return scalar(b, p, x.widened().dtype());
}

template <bool perChannel, bool keepsMoments, typename Op>
static Value dropout(Op op, TorchBuilder &b) {
  std::optional<bool> isTraining = matchBool(op.getTrain());
  Tensor x(b, op.getInput());
  if (isTraining == false)
    return x;
  if (!isTraining || !isFloatingPoint(x.dtype()))
    return b.fail("expected floating-point numbers, and train to be known "
                  "while compiling");
  constexpr double alpha = 1.7580993408473766; // lambda * alpha of SELU
  Tensor p = probability(b, x, op.getP());
  return dropped(x, keptElements(op, b, x, p, perChannel), p,
                 keepsMoments ? alpha : 0);
}

/// Also gives the mask of what is kept.
static Decompositions::Values nativeDropout(AtenNativeDropoutOp op,
                                            TorchBuilder &b) {
  std::optional<bool> isTraining =
      isNone(op.getTrain()) ? true : matchBool(op.getTrain());
  Tensor x(b, op.getInput());
  if (!isTraining || !isFloatingPoint(x.dtype()))
    return {b.fail("expected floating-point numbers, and train to be known "
                   "while compiling"),
            {}};
  if (!*isTraining)
    return {x,
            b.create<AtenFullOp>(b.ints(b.sizes(x)), b.constantBool(true),
                                 b.dtype(IntegerType::get(b.getContext(), 1)),
                                 b.none(), b.none(), b.none())};
  Tensor p = probability(b, x, op.getP());
  Tensor kept = keptElements(op, b, x, p, /*perChannel=*/false);
  return {dropped(x, kept, p, /*alpha=*/0), kept};
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Random numbers of 31 bits.
static Tensor randomIntegers(TorchBuilder &b, Value count, Keys &keys) {
  Bits bits = randomBits(b, count, keys);
  return bits.high * bits.high.number(0x8000) +
         bits.low.apply<AtenBitwiseRightShiftTensorOp>(bits.low.number(1));
}

/// low + a random number modulo (high - low), which has at most 31 bits.
static Value integersBetween(Operation *op, TorchBuilder &b, Value low,
                             Value high, Value size) {
  std::optional<int64_t> first = matchInt(low), end = matchInt(high);
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (!first || !end || *end <= *first || *end - *first > most ||
      *first < -most || *end > most)
    return b.fail("expected bounds of 31 bits, one above the other, that are "
                  "known while compiling");
  auto sizes = matchList(size);
  if (!sizes)
    return b.fail(kListOfSizes);
  Value count = b.product(*sizes);
  Keys keys = keysOf(op);
  Tensor x = randomIntegers(b, count, keys);
  Value within = b.create<AtenFmodScalarOp>(x, b.constant(*end - *first));
  Tensor shifted = Tensor(b, within) + x.number(static_cast<double>(*first));
  return b.convert(b.create<AtenViewOp>(shifted, size),
                   tensorType(op->getResult(0)).getDtype());
}
template <typename Op>
static Value randint(Op op, TorchBuilder &b) {
  return integersBetween(op, b, b.constant(0), op.getHigh(), op.getSize());
}
template <typename Op>
static Value randintFrom(Op op, TorchBuilder &b) {
  return integersBetween(op, b, op.getLow(), op.getHigh(), op.getSize());
}

static Value integersLike(Operation *op, TorchBuilder &b, Value low,
                          Value high) {
  return integersBetween(op, b, low, high, b.ints(b.sizes(op->getOperand(0))));
}
template <typename Op>
static Value randintLike(Op op, TorchBuilder &b) {
  return integersLike(op, b, b.constant(0), op.getHigh());
}
template <typename Op>
static Value randintLikeFrom(Op op, TorchBuilder &b) {
  return integersLike(op, b, op.getLow(), op.getHigh());
}
static Value randomTo(AtenRandomToOp op, TorchBuilder &b) {
  return integersLike(op, b, b.constant(0), op.getTo());
}

/// The number of integers from 0 that a dtype represents without a gap, at most
/// 2^31 - 1.
static int64_t countOfIntegers(Type dtype) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (auto real = dyn_cast<mlir::FloatType>(dtype))
    return std::min(most, (int64_t(1) << real.getFPMantissaWidth()) + 1);
  auto integer = dyn_cast<IntegerType>(dtype);
  if (!integer)
    return most;
  unsigned bits = integer.getWidth() - (integer.isSigned() ? 1 : 0);
  return bits >= 31 ? most : int64_t(1) << bits;
}
static Value random(AtenRandomOp op, TorchBuilder &b) {
  return integersLike(op, b, b.constant(0),
                      b.constant(countOfIntegers(tensorType(op).getDtype())));
}
static Value randomFrom(AtenRandomFromOp op, TorchBuilder &b) {
  Value to = op.getTo();
  if (isNone(to))
    to = b.constant(countOfIntegers(tensorType(op).getDtype()));
  return integersLike(op, b, op.getFrom(), to);
}

/// multinomial(weights [...,n], samples, replacement): positions, each with a
/// probability in proportion to its weight. Without replacement, the weights
/// divided by exponentially distributed numbers are sorted (Efraimidis and
/// Spirakis, 2006). With it, each sample is the first position of a positive
/// weight where the sum of weights exceeds a uniform part of the largest sum.
static Value multinomial(AtenMultinomialOp op, TorchBuilder &b) {
  std::optional<bool> repeats = matchBool(op.getReplacement());
  Tensor own(b, op.getSelf());
  if (!repeats || !isFloatingPoint(own.dtype()) || own.rank() == 0)
    return b.fail("expected weights in floating point, and a replacement that "
                  "is known while compiling");
  int64_t last = own.rank() - 1;
  Tensor weights = own.widened();
  Keys keys = keysOf(op);
  if (!*repeats) {
    SmallVector<Value> sizes = b.sizes(weights);
    Tensor e = exponential(b, b.product(sizes), keys, weights.dtype());
    Tensor ranks = weights / Tensor(b, b.view(e, sizes));
    return b
        .create<AtenTopkOp>(ranks, op.getNumSamples(), b.constant(last),
                            b.constantBool(true), b.constantBool(true))
        .getIndices();
  }
  SmallVector<Value> sizes = b.sizes(weights);
  sizes.back() = op.getNumSamples();
  Tensor u = uniform(b, b.product(sizes), keys, weights.dtype());
  // Sums that are rounded in another order need not increase.
  Tensor sums = where(
      weights > 0, weights.apply<AtenCumsumOp>(b.constant(last), b.none()), 0);
  Tensor part = Tensor(b, b.view(u, sizes)) * largestOver(sums, last);
  Tensor isAbove = Tensor(b, b.unsqueeze(sums, last)) >
                   Tensor(b, b.unsqueeze(part, last + 1));
  return isAbove.as(weights.dtype())
      .apply<AtenArgmaxOp>(b.constant(last + 1), b.constantBool(false));
}

/// The permutation that sorts random numbers.
template <typename Op>
static Value randperm(Op op, TorchBuilder &b) {
  Keys keys = keysOf(op);
  Tensor keysToSort = randomIntegers(b, op.getN(), keys);
  auto sorted =
      b.create<AtenSortOp>(keysToSort, b.constant(0), b.constantBool(false));
  return b.convert(sorted.getIndices(), tensorType(op).getDtype());
}

void populateRandom(Decompositions &decompositions) {
  decompositions.add(dropout<false, false, AtenDropoutOp>,
                     dropout<false, true, AtenAlphaDropoutOp>,
                     dropout<true, false, AtenFeatureDropoutOp>,
                     dropout<true, true, AtenFeatureAlphaDropoutOp>,
                     nativeDropout);
  decompositions.add(bernoulli, bernoulliEach, bernoulliWith, cauchyLike,
                     exponentialLike, geometricLike, logNormalLike, multinomial,
                     normalLike, normalOfBoth, normalOfDeviation, normalOfMean,
                     normalOfNumbers, randomFrom, random, randomTo, rrelu,
                     rreluFunctional, uniformLike);
  decompositions.add(
      inSizes<normalIn, AtenRandnGeneratorOp>, inSizes<normalIn, AtenRandnOp>,
      inSizes<uniformIn, AtenRandGeneratorOp>, inSizes<uniformIn, AtenRandOp>,
      inSizesOf<normalIn, AtenRandnLikeGeneratorOp>,
      inSizesOf<normalIn, AtenRandnLikeOp>,
      inSizesOf<uniformIn, AtenRandLikeGeneratorOp>,
      inSizesOf<uniformIn, AtenRandLikeOp>, randint<AtenRandintGeneratorOp>,
      randint<AtenRandintOp>, randintFrom<AtenRandintLowGeneratorOp>,
      randintFrom<AtenRandintLowOp>, randintLike<AtenRandintLikeGeneratorOp>,
      randintLike<AtenRandintLikeOp>,
      randintLikeFrom<AtenRandintLikeLowDtypeOp>,
      randintLikeFrom<AtenRandintLikeLowGeneratorDtypeOp>,
      randperm<AtenRandpermGeneratorOp>, randperm<AtenRandpermOp>);
}

} // namespace isthmus::decompose_torch
