//===- Normalization.cpp - Batch, group, instance and layer norm ----------===//
//
// y = (x - mean) / sqrt(var + eps) * weight + bias, with the mean and the
// biased variance over dims that differ from op to op. Half types are computed
// in f32.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// (x - mean) / sqrt(var + eps) over the dims.
static Tensor normalized(Tensor x, ArrayRef<int64_t> dims, Value eps) {
  Tensor distance = x - meanOver(x, dims);
  Tensor variance = meanOver(distance * distance, dims);
  return distance * rsqrt(variance + scalar(x.builder(), eps, x.dtype()));
}

/// A parameter of sizes [C] as [C,1,...], for dim 1 of a tensor of `rank` dims.
static Tensor perChannel(TorchBuilder &b, Value parameter, int64_t rank) {
  Tensor widened = Tensor(b, parameter).widened();
  if (rank <= 2)
    return widened;
  SmallVector<Value> sizes(rank - 1, b.constant(1));
  sizes.front() = b.size(parameter, 0);
  return {b, b.view(widened, sizes)};
}

/// x * weight + bias per channel; an absent parameter is none.
static Tensor scaledPerChannel(Tensor x, Value weight, Value bias) {
  TorchBuilder &b = x.builder();
  if (!isNone(weight))
    x = x * perChannel(b, weight, x.rank());
  if (!isNone(bias))
    x = x + perChannel(b, bias, x.rank());
  return x;
}

/// With known statistics the norm is one product and one sum per element:
/// y = x * scale + (bias - mean * scale), scale = weight / sqrt(var + eps).
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

/// All dims but 1, the channels, and but 0 where each image has its own
/// statistics.
static SmallVector<int64_t> statisticDims(int64_t rank, bool perImage) {
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(2, rank));
  if (!perImage)
    dims.insert(dims.begin(), 0);
  return dims;
}

/// batch_norm and instance_norm: statistics of the input, or those of training.
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
  Tensor y = normalized(x, statisticDims(x.rank(), perImage), op.getEps());
  return scaledPerChannel(y, op.getWeight(), op.getBias()).as(own.dtype());
}

static Value batchNorm(AtenBatchNormOp op, TorchBuilder &b) {
  return channelNorm(op, b, op.getTraining(), /*perImage=*/false);
}

static Value instanceNorm(AtenInstanceNormOp op, TorchBuilder &b) {
  return channelNorm(op, b, op.getUseInputStats(), /*perImage=*/true);
}

/// group_norm(x [N,C,...], groups): one mean and variance per image and group.
static Value groupNorm(AtenGroupNormOp op, TorchBuilder &b) {
  Tensor own(b, op.getInput()), x = own.widened();
  SmallVector<Value> sizes = b.sizes(x);
  Value perGroup = b.floorDivInt(sizes[1], op.getNumGroups());
  for (Value size : ArrayRef(sizes).drop_front(2))
    perGroup = b.mulInt(perGroup, size);
  Tensor grouped(b, b.view(x, {sizes[0], op.getNumGroups(), perGroup}));
  Tensor y(b, b.view(normalized(grouped, {2}, op.getEps()), sizes));
  return scaledPerChannel(y, op.getWeight(), op.getBias()).as(own.dtype());
}

/// layer_norm(x, shape): one mean and variance over the last dims, those of
/// `shape`.
static Value layerNorm(AtenLayerNormOp op, TorchBuilder &b) {
  Tensor own(b, op.getInput()), x = own.widened();
  auto shape = matchList(op.getNormalizedShape());
  if (!shape)
    return b.fail(
        "expected the number of normalized dims to be known while compiling");
  int64_t rank = x.rank(), first = rank - static_cast<int64_t>(shape->size());
  Tensor y =
      normalized(x, llvm::to_vector(llvm::seq(first, rank)), op.getEps());
  if (!isNone(op.getWeight()))
    y = y * Tensor(b, op.getWeight()).widened();
  if (!isNone(op.getBias()))
    y = y + Tensor(b, op.getBias()).widened();
  return y.as(own.dtype());
}

/// weight_norm(v, g) = g * v / |v|, with one length |v| per index of a dim.
static Value weightNorm(Aten_WeightNormOp op, TorchBuilder &b) {
  Tensor own(b, op.getV()), v = own.widened();
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail("expected a dim that is known while compiling");
  SmallVector<int64_t> others =
      llvm::to_vector(llvm::seq<int64_t>(0, v.rank()));
  llvm::erase(others, normalDim(*dim, v.rank()));
  Tensor length = sqrt(sumOver(v * v, others));
  return (v * (Tensor(b, op.getG()).widened() / length)).as(own.dtype());
}

void populateNormalization(Decompositions &decompositions) {
  decompositions.add(batchNorm, groupNorm, instanceNorm, layerNorm, weightNorm);
}

} // namespace isthmus::decompose_torch
