//===- Normalization.cpp - Batch, group, instance and layer norm ----------===//
//
// y = (x - mean) / sqrt(var + eps) * weight + bias, with the mean and the
// biased variance over dims that depend on the op. Half types are computed in
// f32.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

namespace {
/// A normalized tensor, the mean and 1 / sqrt(var + eps); the dims of the
/// latter two are kept with size 1.
struct Normalized {
  Tensor value, mean, inverseDeviation;
};
} // namespace

/// (x - mean) / sqrt(var + eps) over the dims.
static Normalized normalized(Tensor x, ArrayRef<int64_t> dims, Value eps) {
  Tensor mean = meanOver(x, dims), distance = x - mean;
  Tensor variance = meanOver(distance * distance, dims);
  Tensor inverse = rsqrt(variance + scalar(x.builder(), eps, x.dtype()));
  return {distance * inverse, mean, inverse};
}

/// Reshapes a parameter [C] to [C,1,...], for dim 1 of a tensor of `rank` dims.
static Tensor perChannel(TorchBuilder &b, Value parameter, int64_t rank) {
  Tensor widened = Tensor(b, parameter).widened();
  if (rank <= 2)
    return widened;
  SmallVector<Value> sizes(rank - 1, b.constant(1));
  sizes.front() = b.size(parameter, 0);
  return {b, b.view(widened, sizes)};
}

/// x * weight + bias per channel; absent parameters are skipped.
static Tensor scaledPerChannel(Tensor x, Value weight, Value bias) {
  TorchBuilder &b = x.builder();
  if (!isNone(weight))
    x = x * perChannel(b, weight, x.rank());
  if (!isNone(bias))
    x = x + perChannel(b, bias, x.rank());
  return x;
}

/// With given statistics, the norm is one product and one sum per element: y =
/// x * scale + (bias - mean * scale), scale = weight / sqrt(var + eps).
static Tensor withStatistics(Tensor x, Value weight, Value bias, Value mean,
                             Value var, Value eps) {
  TorchBuilder &b = x.builder();
  Tensor variance = Tensor(b, var).widened();
  Tensor scale = rsqrt(variance + scalar(b, eps, variance.dtype()));
  if (!isNone(weight))
    scale = scale * Tensor(b, weight).widened();
  Tensor shift = -(Tensor(b, mean).widened() * scale);
  if (!isNone(bias))
    shift = shift + Tensor(b, bias).widened();
  return scaledPerChannel(x, scale, shift);
}

/// All dims but 1, the channels, and without 0 if each image has its own
/// statistics.
static SmallVector<int64_t> statisticDims(int64_t rank, bool perImage) {
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(2, rank));
  if (!perImage)
    dims.insert(dims.begin(), 0);
  return dims;
}

/// batch_norm and instance_norm: with statistics of the input, or running ones.
template <typename Op>
static Value channelNorm(Op op, TorchBuilder &b, Value usesInput,
                         bool perImage) {
  Tensor own(b, op.getInput()), x = own.widened();
  std::optional<bool> ownStatistics = matchBool(usesInput);
  bool hasStatistics =
      !isNone(op.getRunningMean()) && !isNone(op.getRunningVar());
  if (!ownStatistics)
    return b.fail("expected to know while compiling whose statistics to use");
  if (!*ownStatistics && !hasStatistics)
    return b.fail("expected a running mean and variance, got none");
  if (*ownStatistics && hasStatistics)
    return b.fail(
        "expected no running statistics in training, as updates are lost");
  if (!*ownStatistics)
    return withStatistics(x, op.getWeight(), op.getBias(), op.getRunningMean(),
                          op.getRunningVar(), op.getEps())
        .as(own.dtype());
  Tensor y =
      normalized(x, statisticDims(x.rank(), perImage), op.getEps()).value;
  return scaledPerChannel(y, op.getWeight(), op.getBias()).as(own.dtype());
}

static Value batchNorm(AtenBatchNormOp op, TorchBuilder &b) {
  return channelNorm(op, b, op.getTraining(), /*perImage=*/false);
}

static Value instanceNorm(AtenInstanceNormOp op, TorchBuilder &b) {
  return channelNorm(op, b, op.getUseInputStats(), /*perImage=*/true);
}

/// The results of an op that also returns the statistics, without `dims`.
static Decompositions::Values withStatistics(Operation *op, TorchBuilder &b,
                                             const Normalized &y,
                                             ArrayRef<int64_t> dims) {
  Type dtype = tensorType(op->getOperand(0)).getDtype();
  auto statistic = [&](unsigned result, Tensor x) {
    return op->getResult(result).use_empty() ? Value()
                                             : b.squeeze(x.as(dtype), dims);
  };
  return {y.value.as(dtype), statistic(1, y.mean),
          statistic(2, y.inverseDeviation)};
}

/// A result [0]; null if nothing uses it.
static Value emptyRow(TorchBuilder &b, Value result) {
  if (result.use_empty())
    return {};
  return b.create<AtenFullOp>(b.ints(0), b.constant(0),
                              b.dtype(tensorType(result).getDtype()), b.none(),
                              b.none(), b.none());
}

/// batch_norm outside of training: the batch statistics are empty.
template <typename Op>
static Decompositions::Values batchNormOfInference(Op op, TorchBuilder &b) {
  Tensor y = withStatistics(Tensor(b, op.getInput()).widened(), op.getWeight(),
                            op.getBias(), op.getRunningMean(),
                            op.getRunningVar(), op.getEps());
  return {y.as(tensorType(op.getInput()).getDtype()),
          emptyRow(b, op.getResult1()), emptyRow(b, op.getResult2())};
}

/// batch_norm that also returns the mean and 1 / sqrt(var + eps) of the batch
/// [C].
template <typename Op>
static Decompositions::Values batchNormOfBatch(Op op, TorchBuilder &b) {
  if (matchBool(op.getTraining()) != true)
    return {b.fail("expected training, as there are no running statistics"),
            {},
            {}};
  Tensor x = Tensor(b, op.getInput()).widened();
  SmallVector<int64_t> dims = statisticDims(x.rank(), /*perImage=*/false);
  Normalized y = normalized(x, dims, op.getEps());
  y.value = scaledPerChannel(y.value, op.getWeight(), op.getBias());
  return withStatistics(op, b, y, dims);
}

/// In training, the updates of running statistics have no result.
template <typename Op>
static Decompositions::Values nativeBatchNorm(Op op, TorchBuilder &b) {
  bool hasStatistics =
      !isNone(op.getRunningMean()) && !isNone(op.getRunningVar());
  if (matchBool(op.getTraining()) == true && !hasStatistics)
    return batchNormOfBatch(op, b);
  if (matchBool(op.getTraining()) == false && hasStatistics)
    return batchNormOfInference(op, b);
  return {b.fail("expected running statistics, or training without them: the "
                 "updates of running statistics have no result here"),
          {},
          {}};
}

/// A running average: old * (1 - momentum) + new * momentum.
static Value runningAverage(TorchBuilder &b, Value old, Tensor next,
                            ArrayRef<int64_t> dims, Value momentum) {
  Tensor average = Tensor(b, old).widened();
  Tensor weight = scalar(b, momentum, average.dtype());
  Tensor latest = Tensor(b, b.squeeze(next, dims)).as(average.dtype());
  return (average * (1 - weight) + latest * weight)
      .as(tensorType(old).getDtype());
}

/// batch_norm in training, with the updated running statistics: the mean, and
/// the unbiased variance.
template <typename Op>
static Decompositions::Values batchNormWithUpdates(Op op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getInput()).widened();
  SmallVector<int64_t> dims = statisticDims(x.rank(), /*perImage=*/false);
  Normalized y = normalized(x, dims, op.getEps());
  Tensor distance = x - y.mean;
  Tensor variance =
      sumOver(distance * distance, dims) / (countOver(x, dims) - 1);
  y.value = scaledPerChannel(y.value, op.getWeight(), op.getBias());
  Decompositions::Values values = withStatistics(op, b, y, dims);
  values.append(
      {runningAverage(b, op.getRunningMean(), y.mean, dims, op.getMomentum()),
       runningAverage(b, op.getRunningVar(), variance, dims,
                      op.getMomentum())});
  return values;
}

static Decompositions::Values
functionalBatchNorm(Aten_NativeBatchNormLegitFunctionalOp op, TorchBuilder &b) {
  std::optional<bool> training = matchBool(op.getTraining());
  if (!training)
    return {b.fail("expected to know while compiling whose statistics to use"),
            {},
            {},
            {},
            {}};
  if (*training)
    return batchNormWithUpdates(op, b);
  Decompositions::Values values = batchNormOfInference(op, b);
  values.append({op.getRunningMean(), op.getRunningVar()});
  return values;
}

// Forms for training with a library, which keeps bytes for gradients.

static Decompositions::Values
batchNormWithReserve(Aten_BatchNormWithUpdateFunctionalOp op, TorchBuilder &b) {
  Decompositions::Values values = batchNormWithUpdates(op, b);
  values.insert(values.begin() + 3, emptyRow(b, op.getResult3()));
  return values;
}

static Decompositions::Values
batchNormWithoutUpdate(Aten_BatchNormNoUpdateOp op, TorchBuilder &b) {
  if (isNone(op.getRunningMean()) || isNone(op.getRunningVar()))
    return {
        b.fail("expected a running mean and variance, got none"), {}, {}, {}};
  Decompositions::Values values = batchNormOfInference(op, b);
  values.push_back(emptyRow(b, op.getResult3()));
  return values;
}

/// group_norm(x [N,C,...], groups): one mean and variance per image and group,
/// [N,groups,1].
template <typename Op>
static Normalized groupNormalized(Op op, TorchBuilder &b, Value groups) {
  Tensor x = Tensor(b, op.getInput()).widened();
  SmallVector<Value> sizes = b.sizes(x);
  Value perGroup = b.mulInt(b.floorDivInt(sizes[1], groups),
                            b.product(ArrayRef(sizes).drop_front(2)));
  Tensor rows(b, b.view(x, {sizes[0], groups, perGroup}));
  Normalized y = normalized(rows, {2}, op.getEps());
  y.value = scaledPerChannel({b, b.view(y.value, sizes)}, op.getWeight(),
                             op.getBias());
  return y;
}

static Value groupNorm(AtenGroupNormOp op, TorchBuilder &b) {
  return groupNormalized(op, b, op.getNumGroups())
      .value.as(tensorType(op).getDtype());
}

static Decompositions::Values nativeGroupNorm(AtenNativeGroupNormOp op,
                                              TorchBuilder &b) {
  return withStatistics(op, b, groupNormalized(op, b, op.getGroup()), {2});
}

/// The dims of a normalized shape: the last ones, as many as it has sizes.
static std::optional<SmallVector<int64_t>> dimsOfShape(Value shape,
                                                       int64_t rank) {
  auto sizes = matchList(shape);
  if (!sizes)
    return std::nullopt;
  int64_t first = rank - static_cast<int64_t>(sizes->size());
  return llvm::to_vector(llvm::seq(first, rank));
}

static Value unknownShape(TorchBuilder &b) {
  return b.fail(
      "expected the number of normalized dims to be known while compiling");
}

/// x * weight + bias; absent parameters are skipped.
static Tensor scaled(Tensor x, Value weight, Value bias) {
  TorchBuilder &b = x.builder();
  if (!isNone(weight))
    x = x * Tensor(b, weight).widened();
  if (!isNone(bias))
    x = x + Tensor(b, bias).widened();
  return x;
}

/// layer_norm(x, shape): one mean and variance over the last dims, those of
/// `shape`.
template <typename Op>
static std::optional<Normalized> layerNormalized(Op op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getInput()).widened();
  auto dims = dimsOfShape(op.getNormalizedShape(), x.rank());
  if (!dims)
    return std::nullopt;
  Normalized y = normalized(x, *dims, op.getEps());
  y.value = scaled(y.value, op.getWeight(), op.getBias());
  return y;
}

static Value layerNorm(AtenLayerNormOp op, TorchBuilder &b) {
  std::optional<Normalized> y = layerNormalized(op, b);
  return y ? Value(y->value.as(tensorType(op).getDtype())) : unknownShape(b);
}

static Decompositions::Values nativeLayerNorm(AtenNativeLayerNormOp op,
                                              TorchBuilder &b) {
  std::optional<Normalized> y = layerNormalized(op, b);
  if (!y)
    return {unknownShape(b), {}, {}};
  return withStatistics(op, b, *y, {});
}

/// rms_norm(x, shape) = x / sqrt(mean(x^2) + eps) * weight; the default eps is
/// the dtype's epsilon. The result and 1 / sqrt(mean(x^2) + eps); nothing after
/// a failure.
template <typename Op>
static std::optional<std::pair<Tensor, Tensor>> rmsNormalized(Op op,
                                                              TorchBuilder &b) {
  Tensor own(b, op.getInput()), x = own.widened();
  auto dims = dimsOfShape(op.getNormalizedShape(), x.rank());
  if (!isFloatingPoint(x.dtype()))
    b.fail("expected floating-point numbers to normalize, got others");
  else if (!dims)
    unknownShape(b);
  if (!b.error().empty())
    return std::nullopt;
  Tensor eps =
      isNone(op.getEps())
          ? x.number(std::ldexp(
                1.0,
                1 - APFloat::semanticsPrecision(
                        cast<mlir::FloatType>(x.dtype()).getFloatSemantics())))
          : scalar(b, op.getEps(), x.dtype());
  Tensor inverse = rsqrt(meanOver(x * x, *dims) + eps);
  return std::pair(
      scaled(x * inverse, op.getWeight(), b.none()).as(own.dtype()), inverse);
}

static Value rmsNorm(AtenRmsNormOp op, TorchBuilder &b) {
  auto normalized = rmsNormalized(op, b);
  return normalized ? Value(normalized->first) : Value();
}

static Decompositions::Values fusedRmsNorm(Aten_FusedRmsNormOp op,
                                           TorchBuilder &b) {
  auto normalized = rmsNormalized(op, b);
  if (!normalized)
    return {{}, {}};
  return {normalized->first, normalized->second};
}

/// weight_norm(v, g) = g * v / |v|, with lengths |v| over some dims. The result
/// and the lengths.
template <typename Op>
static std::pair<Tensor, Tensor> weightNormed(Op op, TorchBuilder &b,
                                              ArrayRef<int64_t> dims) {
  Tensor own(b, op.getV()), v = own.widened();
  Tensor length = sqrt(sumOver(v * v, dims));
  Tensor weight = v * (Tensor(b, op.getG()).widened() / length);
  return {weight.as(own.dtype()), length};
}

static SmallVector<int64_t> allDimsBut(int64_t dim, int64_t rank) {
  SmallVector<int64_t> dims = allDims(rank);
  llvm::erase(dims, normalDim(dim, rank));
  return dims;
}

/// One length per index of the dim. For -1, which is not the last dim here, one
/// length of all elements.
static Value weightNorm(Aten_WeightNormOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  int64_t rank = tensorType(op.getV()).getRank();
  return weightNormed(op, b,
                      *dim == -1 ? allDims(rank) : allDimsBut(*dim, rank))
      .first;
}

static Decompositions::Values weightNormInterface(Aten_WeightNormInterfaceOp op,
                                                  TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return {b.fail(kConstantDim), {}};
  auto [weight, length] =
      weightNormed(op, b, allDimsBut(*dim, tensorType(op.getV()).getRank()));
  return {weight, length.as(tensorType(op.getResult1()).getDtype())};
}

void populateNormalization(Decompositions &decompositions) {
  decompositions.add(
      batchNorm, batchNormOfBatch<Aten_NativeBatchNormLegitNoStatsOp>,
      batchNormOfInference<Aten_NativeBatchNormLegitNoTrainingOp>,
      batchNormWithReserve, batchNormWithoutUpdate, functionalBatchNorm,
      fusedRmsNorm, groupNorm, instanceNorm, layerNorm,
      nativeBatchNorm<Aten_NativeBatchNormLegitOp>,
      nativeBatchNorm<AtenNativeBatchNormOp>, nativeGroupNorm, nativeLayerNorm,
      rmsNorm, weightNorm, weightNormInterface);
}

} // namespace isthmus::decompose_torch
