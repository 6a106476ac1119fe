//===- Loss.cpp - ONNX loss functions to ATen -----------------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

Value sumAll(NodeBuilder &b, Value x) {
  return b.sum(x, llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x))),
               /*keepdim=*/false);
}

/// -weight[target] * scores[n, target, ...] for scores of shape [N, C, ...] and
/// targets of shape [N, ...]; 0 where the target is ignore_index. The mean is
/// over the weights.
FailureOr<Value> likelihoodLoss(NodeBuilder &b, Value scores, Value target,
                                Value weight,
                                std::optional<int64_t> ignoreIndex,
                                StringRef reduction) {
  Type dtype = dtypeOf(scores);
  target = b.convert(target, int64Dtype(b));
  Value isIgnored;
  if (ignoreIndex) {
    isIgnored =
        b.create<torch::AtenEqScalarOp>(target, b.constant(*ignoreIndex));
    target =
        b.where(isIgnored, b.scalarTensor(int64_t(0), int64Dtype(b)), target);
  }
  Value picked = b.create<torch::AtenGatherOp>(
      scores, b.constant(1), b.unsqueeze(target, 1), b.constantBool(false));
  Value loss = b.create<torch::AtenNegOp>(b.squeeze(picked, {1}));
  Value weights = isPresent(weight) ? take(b, weight, target, 0) : Value();
  if (isIgnored) {
    Value one = b.scalarTensor(1.0, dtype), zero = b.scalarTensor(0.0, dtype);
    weights = b.where(isIgnored, zero, weights ? weights : one);
  }
  if (weights)
    loss = b.mul(loss, weights);
  if (reduction == "none")
    return loss;
  if (reduction == "sum")
    return sumAll(b, loss);
  if (reduction != "mean")
    return b.decline() << "expected reduction to be none, sum or mean, got '"
                       << reduction << "'";
  if (weights)
    return b.div(sumAll(b, loss), sumAll(b, weights));
  return Value(b.create<torch::AtenMeanDimOp>(loss, b.none(),
                                              b.constantBool(false), b.none()));
}

/// NegativeLogLikelihoodLoss-22
FailureOr<Value>
lowerNegativeLogLikelihoodLoss(onnx::NegativeLogLikelihoodLossOp op,
                               onnx::NegativeLogLikelihoodLossOp::Adaptor in,
                               NodeBuilder &b) {
  return likelihoodLoss(b, in.getInput(), in.getTarget(), in.getWeight(),
                        op.getIgnoreIndex(), op.getReduction());
}

/// SoftmaxCrossEntropyLoss-13: NegativeLogLikelihoodLoss of the log-softmax
/// over dim 1, which is a result too.
FailureOr<SmallVector<Value>>
lowerSoftmaxCrossEntropyLoss(onnx::SoftmaxCrossEntropyLossOp op,
                             onnx::SoftmaxCrossEntropyLossOp::Adaptor in,
                             NodeBuilder &b) {
  Value logits = b.create<torch::AtenLogSoftmaxIntOp>(in.getScores(),
                                                      b.constant(1), b.none());
  FailureOr<Value> loss =
      likelihoodLoss(b, logits, in.getLabels(), in.getWeights(),
                     op.getIgnoreIndex(), op.getReduction());
  if (failed(loss))
    return failure();
  return SmallVector<Value>{*loss, logits};
}

} // namespace

void onnx_to_torch::populateLoss(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerNegativeLogLikelihoodLoss);
  lowerings.add(lowerSoftmaxCrossEntropyLoss);
}
