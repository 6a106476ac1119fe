//===- MlScores.cpp - Scores and labels of classifiers --------------------===//

#include "MlScores.h"
#include "MlValues.h"
#include "Operands.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

FailureOr<PostTransform> onnx_to_torch::postTransformOf(NodeBuilder &b,
                                                        StringRef name) {
  auto known = llvm::StringSwitch<std::optional<PostTransform>>(name)
                   .Case("NONE", PostTransform::None)
                   .Case("SOFTMAX", PostTransform::Softmax)
                   .Case("LOGISTIC", PostTransform::Logistic)
                   .Case("SOFTMAX_ZERO", PostTransform::SoftmaxZero)
                   .Case("PROBIT", PostTransform::Probit)
                   .Default(std::nullopt);
  if (!known)
    return b.decline() << "expected a post_transform of NONE, SOFTMAX, "
                          "LOGISTIC, SOFTMAX_ZERO or PROBIT, got "
                       << name;
  return *known;
}

static Value opposite(NodeBuilder &b, Value x) {
  return b.create<torch::AtenNegOp>(x);
}

/// sqrt(2) * erfinv(2p - 1), with the approximation of erfinv by which ONNX's
/// reference implementation defines PROBIT:
/// erfinv(w) = sign(w) * sqrt(sqrt(v^2 - l / a) - v), where a = 0.147,
/// l = ln(1 - w^2), v = 2 / (pi * a) + l / 2.
static Value probit(NodeBuilder &b, Value p) {
  constexpr double a = 0.147;
  Value w = addNumber(b, scaled(b, p, 2), -1);
  Value factors = b.mul(addNumber(b, opposite(b, w), 1), addNumber(b, w, 1));
  Value l = b.create<torch::AtenLogOp>(factors);
  Value v = addNumber(b, scaled(b, l, 0.5), 2 / (llvm::numbers::pi * a));
  Value inner =
      b.create<torch::AtenSqrtOp>(b.sub(b.mul(v, v), scaled(b, l, 1 / a)));
  Value root = b.create<torch::AtenSqrtOp>(b.sub(inner, v));
  Value isNegative = b.create<torch::AtenLtScalarOp>(w, b.constantFloat(0));
  return scaled(b, b.where(isNegative, opposite(b, root), root),
                llvm::numbers::sqrt2);
}

static Value softmax(NodeBuilder &b, Value scores) {
  return b.create<torch::AtenSoftmaxIntOp>(scores, b.constant(1), b.none());
}

/// The softmax of the scores other than 0, which stay 0. Scores count as 0 up
/// to 1e-7.
static Value softmaxZero(NodeBuilder &b, Value scores) {
  Value dims = b.ints({1});
  Value most = b.create<torch::AtenAmaxOp>(scores, dims, b.constantBool(true));
  Value isZero = b.create<torch::AtenLeScalarOp>(
      b.create<torch::AtenAbsOp>(scores), b.constantFloat(1e-7));
  Value powers = b.create<torch::AtenExpOp>(b.sub(scores, most));
  Value zero = b.scalarTensor(0.0, dtypeOf(scores));
  Value kept = b.where(isZero, zero, powers);
  return b.div(kept, b.sum(kept, {1}, /*keepdim=*/true));
}

Value onnx_to_torch::transformed(NodeBuilder &b, Value scores,
                                 PostTransform transform) {
  if (transform == PostTransform::Probit)
    return probit(b, scores);
  if (sizeOf(scores, 1) == 1)
    return scores;
  switch (transform) {
  case PostTransform::Softmax:
    return softmax(b, scores);
  case PostTransform::Logistic:
    return b.create<torch::AtenSigmoidOp>(scores);
  case PostTransform::SoftmaxZero:
    return softmaxZero(b, scores);
  default:
    return scores;
  }
}

FailureOr<Value> onnx_to_torch::ofTwoClasses(NodeBuilder &b, Value score,
                                             PostTransform transform,
                                             bool isProbability) {
  if (transform == PostTransform::Probit)
    return b.decline() << "expected a post_transform other than PROBIT for two "
                          "classes with one score, got PROBIT";
  if (transform == PostTransform::Logistic)
    return Value(
        b.create<torch::AtenSigmoidOp>(b.cat({opposite(b, score), score}, 1)));
  Value other = opposite(b, score);
  return b.cat({isProbability ? addNumber(b, other, 1) : other, score}, 1);
}

FailureOr<ClassLabels>
onnx_to_torch::classLabelsOf(NodeBuilder &b, std::optional<ArrayAttr> ints,
                             std::optional<ArrayAttr> strings) {
  ClassLabels labels;
  bool hasInts = ints && !ints->empty(),
       hasStrings = strings && !strings->empty();
  if (hasInts && hasStrings)
    return b.decline() << "expected class labels that are integers or strings, "
                          "got both";
  labels.areStrings = hasStrings;
  if (hasInts)
    labels.ints = intsOf(ints);
  else if (hasStrings)
    labels.ints = llvm::to_vector(llvm::seq<int64_t>(0, strings->size()));
  return labels;
}

FailureOr<Value> onnx_to_torch::labelsAt(NodeBuilder &b,
                                         const ClassLabels &labels,
                                         Value places, Value output) {
  if (output.use_empty())
    return Value();
  if (labels.areStrings)
    return b.decline()
           << "expected class labels that are integers, got strings, which no "
              "target has: train the model on integer labels, or remove its "
              "output of labels and take the label of the largest score";
  Value all = table(b, labels.ints, {labels.count()}, int64Dtype(b));
  return Value(b.create<torch::AtenIndexSelectOp>(all, b.constant(0), places));
}

Value onnx_to_torch::largest(NodeBuilder &b, Value scores) {
  return b.create<torch::AtenArgmaxOp>(scores, b.constant(1),
                                       b.constantBool(false));
}

Value onnx_to_torch::above(NodeBuilder &b, Value score, double threshold) {
  Value isAbove = b.create<torch::AtenGtScalarOp>(b.squeeze(score, {1}),
                                                  b.constantFloat(threshold));
  return b.convert(isAbove, int64Dtype(b));
}
