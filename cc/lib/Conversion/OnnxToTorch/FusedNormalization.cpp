//===- FusedNormalization.cpp - onnxruntime's norms to ATen ---------------===//
//
// One function per op of onnxruntime's. The comment beside it is its
// definition (https://onnxruntime.ai, ContribOperators).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/NnOps.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

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

/// x / sqrt(mean(x^2) + epsilon) * gamma over the dims from `axis` on, in f32.
Value rmsNorm(NodeBuilder &b, Value x, Value gamma, APFloat epsilon,
              int64_t axis) {
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

/// Declines a node that needs outputs used only in training.
LogicalResult checkUnwanted(NodeBuilder &b, ArrayRef<Value> statistics) {
  if (llvm::none_of(statistics, isWanted))
    return success();
  return b.decline() << "expected no output of statistics, which training "
                        "needs, got one";
}

/// EmbedLayerNormalization: LayerNorm of the sum of three embeddings, and the
/// number of tokens in each row of the mask.
FailureOr<SmallVector<Value>> lowerEmbedLayerNormalization(
    onnx::MicrosoftEmbedLayerNormalizationOp op,
    onnx::MicrosoftEmbedLayerNormalizationOp::Adaptor in, NodeBuilder &b) {
  Value tokens = in.getInputIds();
  Type i32 = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
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
  if (isWanted(op.getMaskIndex())) {
    Value mask = isPresent(in.getMask())
                     ? in.getMask()
                     : filled(b, b.sizes(tokens), b.constant(0), i32);
    lengths = b.convert(b.sum(mask, 1, /*keepdim=*/false), i32);
  }
  return SmallVector<Value>{y, lengths, sum};
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
  lowerings.add(lowerSimplifiedLayerNormalization);
  lowerings.add(lowerSkipLayerNormalization);
  lowerings.add(lowerSkipSimplifiedLayerNormalization);
}
