//===- FusedNormalization.cpp - onnxruntime's norms to ATen ---------------===//
//
// One function per op of onnxruntime's. The comment beside it is its
// definition (https://onnxruntime.ai, ContribOperators).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Norms.h"
#include "Quantization.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/NnComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

Value onnx_to_torch::rmsNorm(NodeBuilder &b, Value x, Value gamma,
                             const APFloat &epsilon, int64_t axis) {
  Value wide = b.convert(x, Float32Type::get(b.getContext()));
  Value meanSquare = b.create<torch::AtenMeanDimOp>(
      b.mul(wide, wide),
      b.ints(llvm::to_vector(llvm::seq<int64_t>(axis, rankOf(x)))),
      b.constantBool(true), b.none());
  Value shifted = b.create<torch::AtenAddScalarOp>(
      meanSquare, b.constantFloat(epsilon.convertToDouble()), b.constant(1));
  Value normalized = b.mul(wide, b.create<torch::AtenRsqrtOp>(shifted));
  return b.mul(b.convert(normalized, dtypeOf(gamma)), gamma);
}

namespace {

Value addTo(NodeBuilder &b, Value sum, Value term) {
  return isPresent(term) ? b.add(sum, term) : sum;
}

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta over the last dim.
Value layerNorm(NodeBuilder &b, Value x, Value gamma, Value beta,
                APFloat epsilon) {
  Value width = b.size(x, rankOf(x) - 1);
  return b.create<torch::AtenLayerNormOp>(
      x, b.ints(ValueRange(width)), gamma, beta,
      b.constantFloat(epsilon.convertToDouble()), b.constantBool(false));
}

/// Declines a node that needs outputs used only in training.
LogicalResult checkUnwanted(NodeBuilder &b, ArrayRef<Value> statistics) {
  if (llvm::none_of(statistics, isWanted))
    return success();
  return b.decline() << "expected no output of statistics, which training "
                        "needs, got one";
}

/// The number of tokens in each row of a mask [B, S], or 0 if there is none.
Value lengthsOf(NodeBuilder &b, Value mask, Value tokens) {
  Type i32 = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
  if (!isPresent(mask))
    mask = filled(b, b.sizes(tokens), b.constant(0), i32);
  return b.convert(b.sum(mask, 1, /*keepdim=*/false), i32);
}

/// EmbedLayerNormalization: LayerNorm of the sum of three embeddings, and the
/// number of tokens in each row of the mask.
FailureOr<SmallVector<Value>> lowerEmbedLayerNormalization(
    onnx::MicrosoftEmbedLayerNormalizationOp op,
    onnx::MicrosoftEmbedLayerNormalizationOp::Adaptor in, NodeBuilder &b) {
  Value tokens = in.getInputIds();
  Value positions;
  if (isPresent(in.getPositionIds()))
    positions = take(b, in.getPositionEmbedding(), in.getPositionIds(), 0);
  else
    positions =
        b.slice(in.getPositionEmbedding(), 0, b.constant(0), b.size(tokens, 1));
  Value sum = b.add(take(b, in.getWordEmbedding(), tokens, 0), positions);
  if (isPresent(in.getSegmentIds()))
    sum = b.add(sum, take(b, in.getSegmentEmbedding(), in.getSegmentIds(), 0));
  if (b.hasFailed())
    return failure();
  Value y = layerNorm(b, sum, in.getGamma(), in.getBeta(), op.getEpsilon());
  Value lengths;
  if (isWanted(op.getMaskIndex()))
    lengths = lengthsOf(b, in.getMask(), tokens);
  return SmallVector<Value>{y, lengths, sum};
}

/// QEmbedLayerNormalization: EmbedLayerNormalization of quantized tables, gamma
/// and beta.
FailureOr<SmallVector<Value>> lowerQEmbedLayerNormalization(
    onnx::MicrosoftQEmbedLayerNormalizationOp op,
    onnx::MicrosoftQEmbedLayerNormalizationOp::Adaptor in, NodeBuilder &b) {
  Value tokens = in.getInputIds();
  Value sum =
      dequantize(b, take(b, in.getWordEmbeddingQuant(), tokens, 0),
                 in.getWordEmbeddingScale(), in.getWordEmbeddingZeroPoint());
  Value positions = b.slice(in.getPositionEmbeddingQuant(), 0, b.constant(0),
                            b.size(tokens, 1));
  sum = b.add(sum, dequantize(b, positions, in.getPositionEmbeddingScale(),
                              in.getPositionEmbeddingZeroPoint()));
  if (isPresent(in.getSegmentIds())) {
    if (!isPresent(in.getSegmentEmbedding()) ||
        !isPresent(in.getSegmentEmbeddingScale()))
      return b.decline() << "expected a segment_embedding and its scale for "
                            "segment_ids, got none";
    sum = b.add(
        sum,
        dequantize(b, take(b, in.getSegmentEmbedding(), in.getSegmentIds(), 0),
                   in.getSegmentEmbeddingScale(),
                   in.getSegmentEmbeddingZeroPoint()));
  }
  if (b.hasFailed())
    return failure();
  Value gamma = dequantize(b, in.getGammaQuant(), in.getGammaScale(),
                           in.getGammaZeroPoint()),
        beta = dequantize(b, in.getBetaQuant(), in.getBetaScale(),
                          in.getBetaZeroPoint());
  return SmallVector<Value>{layerNorm(b, sum, gamma, beta, op.getEpsilon()),
                            lengthsOf(b, in.getMask(), tokens)};
}

/// GatedRMSNorm: the RMS norm of each `C` elements of the last dim, `C` the
/// length of scale, times silu(gate) or sigmoid(gate), in f32
FailureOr<Value> lowerGatedRMSNorm(onnx::MicrosoftGatedRMSNormOp op,
                                   onnx::MicrosoftGatedRMSNormOp::Adaptor in,
                                   NodeBuilder &b) {
  StringRef activation = op.getActivation();
  bool isSigmoid = activation == "sigmoid";
  if (!isSigmoid && activation != "silu" && activation != "swish")
    return b.decline() << "expected activation to be silu, swish or sigmoid, "
                          "got '"
                       << activation << "'";
  Type wide = Float32Type::get(b.getContext());
  Value width = b.size(in.getScale(), 0);
  SmallVector<Value> sizes = b.sizes(in.getX()), grouped = sizes;
  grouped.back() = b.floorDivInt(grouped.back(), width);
  grouped.push_back(width);
  Value x = b.view(in.getX(), grouped), gate = b.convert(in.getGate(), wide);
  if (b.hasFailed())
    return failure();
  Value normalized = rmsNorm(b, x, b.convert(in.getScale(), wide),
                             op.getEpsilon(), rankOf(x) - 1);
  Value factor = isSigmoid ? Value(b.create<torch::AtenSigmoidOp>(gate))
                           : Value(b.create<torch::AtenSiluOp>(gate));
  return b.convert(b.mul(b.view(normalized, sizes), factor),
                   dtypeOf(in.getX()));
}

/// The group norm of a tensor, in f32, and under activation 1 its silu.
template <typename Op>
FailureOr<Value> groupNorm(Op op, typename Op::Adaptor in, Value x,
                           NodeBuilder &b) {
  if (op.getActivation() != 0 && op.getActivation() != 1)
    return b.decline() << "expected activation to be 0 or 1, got "
                       << op.getActivation();
  Type dtype = dtypeOf(x), wide = Float32Type::get(b.getContext());
  if (op.getChannelsLast())
    x = channelsFirst(b, x);
  Value y = b.create<torch::AtenGroupNormOp>(
      b.convert(x, wide), b.constant(op.getGroups()),
      b.convert(in.getGamma(), wide), b.convert(in.getBeta(), wide),
      b.constantFloat(op.getEpsilon().convertToDouble()),
      b.constantBool(false));
  if (b.hasFailed())
    return failure();
  if (op.getActivation())
    y = b.create<torch::AtenSiluOp>(y);
  y = b.convert(y, dtype);
  return op.getChannelsLast() ? channelsLast(b, y) : y;
}

/// GroupNorm of [N, H, W, C], or under channels_last 0 of [N, C, H, W]
FailureOr<Value> lowerGroupNorm(onnx::MicrosoftGroupNormOp op,
                                onnx::MicrosoftGroupNormOp::Adaptor in,
                                NodeBuilder &b) {
  return groupNorm(op, in, in.getX(), b);
}

/// SkipGroupNorm: GroupNorm(X + skip + bias), and the sum. The skip may be
/// [N, C].
FailureOr<SmallVector<Value>>
lowerSkipGroupNorm(onnx::MicrosoftSkipGroupNormOp op,
                   onnx::MicrosoftSkipGroupNormOp::Adaptor in, NodeBuilder &b) {
  auto inPlane = [&](Value x, int64_t channels) { // as wide as one pixel
    int64_t at = op.getChannelsLast() ? channels : channels + 1;
    return b.unsqueeze(b.unsqueeze(x, at), at);
  };
  Value skip = in.getSkip();
  Value sum = b.add(in.getX(), rankOf(skip) == 2 ? inPlane(skip, 1) : skip);
  if (isPresent(in.getBias()))
    sum = b.add(sum, inPlane(in.getBias(), 0));
  if (b.hasFailed())
    return failure();
  FailureOr<Value> y = groupNorm(op, in, sum, b);
  if (failed(y))
    return failure();
  return SmallVector<Value>{*y, sum};
}

/// SimplifiedLayerNormalization: x / sqrt(mean(x^2) + epsilon) * scale over the
/// dims from `axis` on.
FailureOr<SmallVector<Value>> lowerSimplifiedLayerNormalization(
    onnx::MicrosoftSimplifiedLayerNormalizationOp op,
    onnx::MicrosoftSimplifiedLayerNormalizationOp::Adaptor in, NodeBuilder &b) {
  FailureOr<int64_t> axis = axisOf(b, op.getAxis(), rankOf(in.getX()));
  if (failed(axis) || failed(checkUnwanted(b, op.getInvStdVar())))
    return failure();
  return SmallVector<Value>{
      rmsNorm(b, in.getX(), in.getScale(), op.getEpsilon(), *axis), Value()};
}

/// The input that a Skip op normalizes: input + skip + bias.
template <typename Op>
FailureOr<Value> skipSum(Op op, typename Op::Adaptor in, NodeBuilder &b) {
  if (failed(checkUnwanted(b, {op.getMean(), op.getInvStdVar()})))
    return failure();
  Value sum = addTo(b, b.add(in.getInput(), in.getSkip()), in.getBias());
  if (b.hasFailed())
    return failure();
  return sum;
}

/// SkipLayerNormalization: LayerNorm(input + skip + bias) * gamma + beta, and
/// the sum.
FailureOr<SmallVector<Value>>
lowerSkipLayerNormalization(onnx::MicrosoftSkipLayerNormalizationOp op,
                            onnx::MicrosoftSkipLayerNormalizationOp::Adaptor in,
                            NodeBuilder &b) {
  FailureOr<Value> sum = skipSum(op, in, b);
  if (failed(sum))
    return failure();
  Value y = layerNorm(b, *sum, in.getGamma(), in.getBeta(), op.getEpsilon());
  return SmallVector<Value>{y, Value(), Value(), *sum};
}

/// SkipSimplifiedLayerNormalization: the same without mean and beta.
FailureOr<SmallVector<Value>> lowerSkipSimplifiedLayerNormalization(
    onnx::MicrosoftSkipSimplifiedLayerNormalizationOp op,
    onnx::MicrosoftSkipSimplifiedLayerNormalizationOp::Adaptor in,
    NodeBuilder &b) {
  FailureOr<Value> sum = skipSum(op, in, b);
  if (failed(sum))
    return failure();
  return SmallVector<Value>{
      rmsNorm(b, *sum, in.getGamma(), op.getEpsilon(), rankOf(*sum) - 1),
      Value(), Value(), *sum};
}

} // namespace

void onnx_to_torch::populateFusedNormalization(
    OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerEmbedLayerNormalization);
  lowerings.add(lowerGatedRMSNorm);
  lowerings.add(lowerGroupNorm);
  lowerings.add(lowerQEmbedLayerNormalization);
  lowerings.add(lowerSimplifiedLayerNormalization);
  lowerings.add(lowerSkipGroupNorm);
  lowerings.add(lowerSkipLayerNormalization);
  lowerings.add(lowerSkipSimplifiedLayerNormalization);
}
