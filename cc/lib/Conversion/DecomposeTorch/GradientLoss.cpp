//===- GradientLoss.cpp - Gradients of losses -----------------------------===//
//
// Each takes the gradient g of a loss of x and a target t and returns that of
// x. With the reduction "mean", g is divided by the number of elements, or by
// the sum of their weights.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Loss.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// The gradient of a loss of elements: that of each element's loss by x and the
/// target, times g.
template <typename Op>
static Value
lossBackward(Op op, TorchBuilder &b,
             llvm::function_ref<Tensor(Tensor, Tensor)> derivative) {
  std::optional<Reduction> reduction = reductionOf(op, b);
  if (!reduction)
    return {};
  Type dtype = tensorType(op).getDtype();
  Tensor g = computedIn(b, op.getGradOutput(), dtype),
         x = computedIn(b, op.getSelf(), dtype),
         target = computedIn(b, op.getTarget(), dtype);
  Tensor slope = derivative(x, target);
  if (*reduction == Reduction::Mean)
    g = g / countOver(slope, allDims(slope.rank()));
  return (g * slope).as(dtype);
}

/// ((x - t)^2)' = 2 (x - t)
static Value mseBackward(AtenMseLossBackwardOp op, TorchBuilder &b) {
  return lossBackward(op, b, [](Tensor x, Tensor t) { return (x - t) * 2; });
}

/// (x - t) / beta, between -1 and 1
static Value smoothL1Backward(AtenSmoothL1LossBackwardOp op, TorchBuilder &b) {
  return lossBackward(op, b, [&](Tensor x, Tensor t) {
    Tensor d = x - t, beta = scalar(b, op.getBeta(), x.dtype());
    Tensor inside = where(d >= beta, 1, d / beta);
    return where(d <= -beta, -1, inside);
  });
}

/// x - t, between -delta and delta
static Value huberBackward(AtenHuberLossBackwardOp op, TorchBuilder &b) {
  return lossBackward(op, b, [&](Tensor x, Tensor t) {
    Tensor delta = scalar(b, op.getDelta(), x.dtype());
    return min(max(x - t, -delta), delta);
  });
}

/// log(1 + exp(-t x))' = -t sigmoid(-t x), also where PyTorch overflows.
static Value softMarginBackward(AtenSoftMarginLossBackwardOp op,
                                TorchBuilder &b) {
  return lossBackward(
      op, b, [](Tensor x, Tensor t) { return -(t * sigmoid(-(t * x))); });
}

/// (-t log(x) - (1 - t) log(1 - x))' = (x - t) / (x (1 - x)), where the divisor
/// is at least 1e-12.
static Value binaryCrossEntropyBackward(AtenBinaryCrossEntropyBackwardOp op,
                                        TorchBuilder &b) {
  return lossBackward(op, b, [&](Tensor x, Tensor t) {
    Tensor slope = (x - t) / max(x * (1 - x), 1e-12);
    return isNone(op.getWeight())
               ? slope
               : slope * Tensor(b, op.getWeight()).as(x.dtype());
  });
}

/// For -weight[t] x[t]: -weight[t] at the class t of each sample, else 0. A
/// mean divides by the given sum of the weights.
template <typename Op>
static Value nllLossBackward(Op op, TorchBuilder &b) {
  std::optional<Reduction> reduction = reductionOf(op, b);
  Tensor x = Tensor(b, op.getSelf()).widened(),
         g = Tensor(b, op.getGradOutput()).as(x.dtype());
  if (!reduction)
    return {};
  if (x.rank() == 0)
    return b.fail("expected a dim of classes, got a tensor of rank 0");
  if (*reduction == Reduction::Mean)
    g = g / Tensor(b, op.getTotalWeight()).as(x.dtype());
  Classes classes = classesOf(b, x, op.getTarget(), op.getIgnoreIndex());
  Tensor ofSample = where(classes.isKept, -g, 0);
  Tensor slope(b, b.unsqueeze(ofSample, classDim(x)));
  if (std::optional<Tensor> weights = classWeights(b, x, op.getWeight()))
    slope = slope * *weights;
  return where(isChosen(x, classes), slope, 0).as(tensorType(op).getDtype());
}

void populateGradientLoss(Decompositions &decompositions) {
  decompositions.add(binaryCrossEntropyBackward, huberBackward, mseBackward,
                     nllLossBackward<AtenNllLoss2dBackwardOp>,
                     nllLossBackward<AtenNllLossBackwardOp>, smoothL1Backward,
                     softMarginBackward);
}

} // namespace isthmus::decompose_torch
