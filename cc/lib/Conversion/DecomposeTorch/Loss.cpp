//===- Loss.cpp - How far predictions are from targets --------------------===//

#include "Loss.h"
#include "Decompositions.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LossComposites.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

Tensor total(Tensor x) {
  SmallVector<int64_t> dims = allDims(x.rank());
  return {x.builder(), x.builder().squeeze(sumOver(x, dims), dims)};
}

Value reduced(Reduction reduction, Tensor losses, Type dtype,
              std::optional<Tensor> weights) {
  if (reduction == Reduction::None)
    return losses.as(dtype);
  Tensor sum = total(losses);
  if (reduction == Reduction::Mean)
    sum = sum / (weights ? total(*weights)
                         : countOver(losses, allDims(losses.rank())));
  return sum.as(dtype);
}

/// The operands of a loss in the dtype in which it computes.
template <typename Op>
static std::pair<Tensor, Tensor> operandsOf(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  return {computedIn(b, op.getSelf(), dtype),
          computedIn(b, op.getTarget(), dtype)};
}

/// mse_loss(x, t) = (x - t)^2
static Value mse(AtenMseLossOp op, TorchBuilder &b) {
  auto [x, target] = operandsOf(op, b);
  Tensor distance = x - target;
  return reduced(op, b, distance * distance);
}

/// l1_loss(x, t) = |x - t|
static Value l1(AtenL1LossOp op, TorchBuilder &b) {
  Type dtype = resultDtype({op.getSelf(), op.getTarget()});
  return reduced(op, b,
                 abs(computedIn(b, op.getSelf(), dtype) -
                     computedIn(b, op.getTarget(), dtype)));
}

/// smooth_l1_loss(x, t) with d = |x - t| = d^2 / (2 beta) where d < beta, else
/// d - beta / 2
static Value smoothL1(AtenSmoothL1LossOp op, TorchBuilder &b) {
  auto [x, target] = operandsOf(op, b);
  Tensor d = abs(x - target), beta = scalar(b, op.getBeta(), x.dtype());
  return reduced(op, b, where(d < beta, d * d * 0.5 / beta, d - beta * 0.5));
}

/// huber_loss(x, t) with d = |x - t| = d^2 / 2 where d <= delta, else delta (d
/// - delta / 2)
static Value huber(AtenHuberLossOp op, TorchBuilder &b) {
  auto [x, target] = operandsOf(op, b);
  Tensor d = abs(x - target), delta = scalar(b, op.getDelta(), x.dtype());
  return reduced(op, b,
                 where(d <= delta, d * d * 0.5, delta * (d - delta * 0.5)));
}

/// soft_margin_loss(x, t) = log(1 + exp(-t x)), also where PyTorch overflows.
static Value softMargin(AtenSoftMarginLossOp op, TorchBuilder &b) {
  auto [x, target] = operandsOf(op, b);
  return reduced(op, b, logAddExp(-(target * x), x.number(0)));
}

/// kl_div(x, t) = t log(t) - t x, with 0 log(0) = 0; exp(t) (t - x) for a
/// target of logarithms.
static Value klDiv(AtenKlDivOp op, TorchBuilder &b) {
  std::optional<bool> isLog = matchBool(op.getLogTarget());
  if (!isLog)
    return b.fail("expected a log_target that is known while compiling");
  auto [x, target] = operandsOf(op, b);
  if (*isLog)
    return reduced(op, b, exp(target) * (target - x));
  Tensor entropy = where(target == 0, 0, target * log(target));
  return reduced(op, b, entropy - target * x);
}

/// The losses times their weights, if there are any.
static Tensor weighted(TorchBuilder &b, Tensor losses, Value weight) {
  return isNone(weight) ? losses
                        : losses * Tensor(b, weight).as(losses.dtype());
}

/// binary_cross_entropy(x, t) = -t log(x) - (1 - t) log(1 - x); logarithms are
/// at least -100.
static Value binaryCrossEntropy(AtenBinaryCrossEntropyOp op, TorchBuilder &b) {
  auto [x, target] = operandsOf(op, b);
  Tensor losses =
      (target - 1) * max(log1p(-x), -100) - target * max(log(x), -100);
  return reduced(op, b, weighted(b, losses, op.getWeight()));
}

/// binary_cross_entropy_with_logits(x, t) = (1 - t) x + (1 + (p - 1) t) log(1 +
/// exp(-x)) with p = pos_weight, or 1.
static Value binaryCrossEntropyWithLogits(AtenBinaryCrossEntropyWithLogitsOp op,
                                          TorchBuilder &b) {
  auto [x, target] = operandsOf(op, b);
  Tensor softplus = logAddExp(-x, x.number(0));
  if (!isNone(op.getPosWeight())) {
    Tensor positive = Tensor(b, op.getPosWeight()).as(x.dtype());
    softplus = softplus * ((positive - 1) * target + 1);
  }
  Tensor losses = (1 - target) * x + softplus;
  return reduced(op, b, weighted(b, losses, op.getWeight()));
}

//===----------------------------------------------------------------------===//
// Of classes
//===----------------------------------------------------------------------===//

namespace {
/// The losses of samples, and their weights.
struct Weighted {
  Tensor losses, weights;
};
} // namespace

/// The sizes of x without the dim of the classes.
static SmallVector<Value> samplesOf(TorchBuilder &b, Tensor x) {
  SmallVector<Value> sizes = b.sizes(x);
  sizes.erase(sizes.begin() + classDim(x));
  return sizes;
}

Classes classesOf(TorchBuilder &b, Tensor x, Value target, Value ignored) {
  Type number = indexDtype(b);
  // One for each sample; other sizes would broadcast.
  Tensor given = Tensor(b, b.view(target, samplesOf(b, x))).as(number);
  Tensor isKept = given != scalar(b, ignored, number);
  return {where(isKept, given, 0), isKept};
}

Tensor chosen(Tensor x, const Classes &classes) {
  TorchBuilder &b = x.builder();
  int64_t dim = classDim(x);
  Value places = b.unsqueeze(classes.places, dim);
  Value picked =
      b.create<AtenGatherOp>(x, b.constant(dim), places, b.constantBool(false));
  return {b, b.squeeze(picked, dim)};
}

Tensor isChosen(Tensor x, const Classes &classes) {
  TorchBuilder &b = x.builder();
  int64_t dim = classDim(x);
  SmallVector<Value> sizes(x.rank() - dim, b.constant(1));
  sizes.front() = b.constant(-1);
  Tensor numbers(b, b.view(range(b, b.constant(0), b.size(x, dim)), sizes));
  return Tensor(b, b.unsqueeze(classes.places, dim)) == numbers;
}

std::optional<Tensor> classWeights(TorchBuilder &b, Tensor x, Value weight) {
  if (isNone(weight))
    return std::nullopt;
  SmallVector<Value> sizes(x.rank(), b.constant(1));
  sizes[classDim(x)] = b.size(x, classDim(x));
  return Tensor(b, b.view(weight, sizes)).as(x.dtype());
}

/// -weight[t] x[t] for the class t of each sample, and 0 for those to ignore.
static Weighted negativeLikelihood(TorchBuilder &b, Tensor x,
                                   const Classes &classes,
                                   std::optional<Tensor> weight) {
  Tensor weights = classes.isKept.as(x.dtype());
  if (weight)
    weights = weights * chosen({b, b.expand(*weight, b.sizes(x))}, classes);
  // A logarithm may be infinite where it is ignored.
  return {where(classes.isKept, -(chosen(x, classes) * weights), 0), weights};
}

template <typename Op>
static Value nllLoss(Op op, TorchBuilder &b) {
  std::optional<Reduction> reduction = reductionOf(op, b);
  Tensor x = Tensor(b, op.getSelf()).widened();
  if (!reduction || x.rank() == 0)
    return {};
  Weighted samples = negativeLikelihood(
      b, x, classesOf(b, x, op.getTarget(), op.getIgnoreIndex()),
      classWeights(b, x, op.getWeight()));
  return reduced(*reduction, samples.losses, tensorType(op).getDtype(),
                 samples.weights);
}

/// The loss, and the sum of the weights by which a mean divides; 0 if there is
/// no reduction over samples.
template <typename Op>
static Decompositions::Values nllLossForward(Op op, TorchBuilder &b) {
  std::optional<Reduction> reduction = reductionOf(op, b);
  Tensor x = Tensor(b, op.getSelf()).widened();
  if (!reduction || x.rank() == 0)
    return {{}, {}};
  Type dtype = tensorType(op.getOutput()).getDtype();
  Weighted samples = negativeLikelihood(
      b, x, classesOf(b, x, op.getTarget(), op.getIgnoreIndex()),
      classWeights(b, x, op.getWeight()));
  bool isReduced = *reduction != Reduction::None || x.rank() == 1;
  Tensor sum = isReduced ? total(samples.weights) : x.number(0);
  return {reduced(*reduction, samples.losses, dtype, samples.weights),
          sum.as(dtype)};
}

/// cross_entropy_loss(x, t) = -sum(t log_softmax(x)) over classes, where t has
/// probabilities, or a class for each sample. Label smoothing moves a part of
/// each target evenly to all classes.
static Value crossEntropy(AtenCrossEntropyLossOp op, TorchBuilder &b) {
  std::optional<Reduction> reduction = reductionOf(op, b);
  std::optional<double> smoothing = matchNumber(op.getLabelSmoothing());
  if (!smoothing)
    b.fail("expected a label_smoothing that is known while compiling");
  Type dtype = tensorType(op).getDtype();
  Tensor self = Tensor(b, op.getSelf()).as(dtype).widened();
  if (!reduction || !smoothing || self.rank() == 0)
    return {};
  int64_t dim = classDim(self);
  Tensor x(b, b.create<AtenLogSoftmaxIntOp>(self, b.constant(dim), b.none()));
  std::optional<Tensor> weight = classWeights(b, self, op.getWeight());
  Tensor weightedX = weight ? x * *weight : x;
  Tensor count = countOver(self, dim);
  auto overClasses = [&](Tensor y) -> Tensor {
    return {b, b.squeeze(sumOver(y, dim), dim)};
  };

  if (isFloatingPoint(tensorType(op.getTarget()).getDtype())) {
    Tensor target =
        Tensor(b, b.view(op.getTarget(), b.sizes(self))).as(self.dtype());
    if (*smoothing != 0)
      target = target * (1 - *smoothing) + *smoothing / count;
    return reduced(*reduction, -overClasses(weightedX * target), dtype);
  }

  Classes classes = classesOf(b, self, op.getTarget(), op.getIgnoreIndex());
  auto [losses, weights] = negativeLikelihood(b, x, classes, weight);
  if (*smoothing != 0) {
    Tensor even = where(classes.isKept, -overClasses(weightedX), 0);
    losses = losses * (1 - *smoothing) + even * (*smoothing / count);
  }
  return reduced(*reduction, losses, dtype, weights);
}

void populateLoss(Decompositions &decompositions) {
  decompositions.add(
      binaryCrossEntropy, binaryCrossEntropyWithLogits, crossEntropy, huber,
      klDiv, l1, mse, nllLoss<AtenNllLossOp>, nllLoss<AtenNllLoss2dOp>,
      nllLoss<AtenNllLossNdOp>, nllLossForward<AtenNllLoss2dForwardOp>,
      nllLossForward<AtenNllLossForwardOp>, smoothL1, softMargin);
}

} // namespace isthmus::decompose_torch
