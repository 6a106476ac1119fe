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
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/RandomOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/SortingOps.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static constexpr StringLiteral numberName = "random_number";

void numberRandomOps(Operation *root, int64_t seed) {
  uint64_t number = 0;
  Builder builder(root->getContext());
  root->walk([&](Operation *op) {
    if (isa<AtenBernoulliOp, AtenBernoulliPOp, AtenRandLikeOp, AtenRandOp,
            AtenRandintLowOp, AtenRandintOp, AtenRandnLikeOp, AtenRandnOp,
            AtenRandpermOp>(op))
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

/// Numbers in [0, 1) with 24 fractional bits, which f32 represents exactly.
static Tensor uniform(TorchBuilder &b, Value count, Keys &keys, Type dtype) {
  Bits bits = randomBits(b, count, keys);
  return bits.high.as(dtype) * 0x1p-16 +
         bits.low.apply<AtenBitwiseRightShiftTensorOp>(bits.low.number(8))
                 .as(dtype) *
             0x1p-24;
}

static Type computedDtype(Type dtype) {
  return dtype.isF64() ? dtype : Type(Float32Type::get(dtype.getContext()));
}

/// Numbers of a distribution, in the op's sizes and dtype.
template <Tensor (*distribution)(TorchBuilder &, Value, Keys &, Type)>
static Value distributed(Operation *op, TorchBuilder &b, Value sizes) {
  auto known = matchList(sizes);
  if (!known)
    return b.fail("expected a list of sizes whose length is known");
  Value count = b.product(*known);
  Type dtype = tensorType(op->getResult(0)).getDtype();
  Keys keys = keysOf(op);
  Tensor x = distribution(b, count, keys, computedDtype(dtype));
  return b.convert(b.create<AtenViewOp>(x, sizes), dtype);
}

/// Box and Muller: sqrt(-2 log(1 - u)) * cos(2 pi v) of uniform u and v is
/// normally distributed.
static Tensor normal(TorchBuilder &b, Value count, Keys &keys, Type dtype) {
  Tensor u = uniform(b, count, keys, dtype), v = uniform(b, count, keys, dtype);
  return sqrt(log(1 - u) * -2) * cos(v * (2 * llvm::numbers::pi));
}

static Value rand(AtenRandOp op, TorchBuilder &b) {
  return distributed<uniform>(op, b, op.getSize());
}
static Value randn(AtenRandnOp op, TorchBuilder &b) {
  return distributed<normal>(op, b, op.getSize());
}
static Value randLike(AtenRandLikeOp op, TorchBuilder &b) {
  return distributed<uniform>(op, b, b.ints(b.sizes(op.getSelf())));
}
static Value randnLike(AtenRandnLikeOp op, TorchBuilder &b) {
  return distributed<normal>(op, b, b.ints(b.sizes(op.getSelf())));
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

/// Random numbers of 31 bits.
static Tensor randomIntegers(TorchBuilder &b, Value count, Keys &keys) {
  Bits bits = randomBits(b, count, keys);
  return bits.high * bits.high.number(0x8000) +
         bits.low.apply<AtenBitwiseRightShiftTensorOp>(bits.low.number(1));
}

/// low + a random number modulo (high - low), which has at most 31 bits.
template <typename Op>
static Value integersFrom(Op op, TorchBuilder &b, Value low) {
  std::optional<int64_t> first = matchInt(low), end = matchInt(op.getHigh());
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (!first || !end || *end <= *first || *end - *first > most ||
      *first < -most || *end > most)
    return b.fail("expected bounds of 31 bits, one above the other, that are "
                  "known while compiling");
  auto sizes = matchList(op.getSize());
  if (!sizes)
    return b.fail("expected a list of sizes whose length is known");
  Value count = b.product(*sizes);
  Keys keys = keysOf(op);
  Tensor x = randomIntegers(b, count, keys);
  Value within = b.create<AtenFmodScalarOp>(x, b.constant(*end - *first));
  Tensor shifted = Tensor(b, within) + x.number(static_cast<double>(*first));
  return b.convert(b.create<AtenViewOp>(shifted, op.getSize()),
                   tensorType(op).getDtype());
}
static Value randint(AtenRandintOp op, TorchBuilder &b) {
  return integersFrom(op, b, b.constant(0));
}
static Value randintFrom(AtenRandintLowOp op, TorchBuilder &b) {
  return integersFrom(op, b, op.getLow());
}

/// The permutation that sorts random numbers.
static Value randperm(AtenRandpermOp op, TorchBuilder &b) {
  Keys keys = keysOf(op);
  Tensor keysToSort = randomIntegers(b, op.getN(), keys);
  auto sorted =
      b.create<AtenSortOp>(keysToSort, b.constant(0), b.constantBool(false));
  return b.convert(sorted.getIndices(), tensorType(op).getDtype());
}

void populateRandom(Decompositions &decompositions) {
  decompositions.add(bernoulli, bernoulliWith, rand, randint, randintFrom,
                     randLike, randn, randnLike, randperm);
}

} // namespace isthmus::decompose_torch
