//===- Training.cpp - Optimizers of ai.onnx.preview.training to ATen ------===//
//
// Each op updates several tensors at once: its inputs are a learning rate R,
// the number T of earlier updates, and lists of one length: the tensors, their
// gradients, and the state that the optimizer keeps for each. Its results are
// the new tensors and the new state. The comment beside a function is the
// definition of one update (https://onnx.ai/onnx/operators).
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Training.h"
#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// 1 - base^T
Value oneMinusPower(NodeBuilder &b, double base, Value t) {
  Value power = b.create<torch::AtenPowScalarOp>(b.constantFloat(base), t);
  return addNumber(b, b.create<torch::AtenNegOp>(power), 1);
}

/// An update returns the new values of a tensor and of its state.
using Update =
    llvm::function_ref<SmallVector<Value>(Value r, Value t, ArrayRef<Value>)>;

/// Updates all tensors; `lists` is the number of lists of inputs.
template <typename Op>
FailureOr<SmallVector<Value>> updateAll(Op op, typename Op::Adaptor in,
                                        NodeBuilder &b, size_t lists,
                                        Update update) {
  ValueRange inputs = in.getInputs();
  size_t count = inputs.size() / lists;
  if (inputs.size() % lists || op.getOutputs().size() != count * (lists - 1))
    return b.decline() << "expected " << lists << " inputs and " << lists - 1
                       << " outputs for each tensor, got " << inputs.size()
                       << " and " << op.getOutputs().size();
  for (Value scalar : {in.getR(), in.getT()})
    if (rankOf(scalar) > 1 || (rankOf(scalar) == 1 && sizeOf(scalar, 0) != 1))
      return b.decline() << "expected R and T of one element, got "
                         << scalar.getType();
  SmallVector<Value> results(count * (lists - 1));
  for (size_t i = 0; i < count; ++i) {
    SmallVector<Value> values;
    for (size_t list = 0; list < lists; ++list)
      values.push_back(inputs[list * count + i]);
    Type dtype = dtypeOf(values.front());
    auto scalar = [&](Value x) { return b.view(b.convert(x, dtype), {}); };
    SmallVector<Value> made =
        update(scalar(in.getR()), scalar(in.getT()), values);
    for (auto [list, value] : llvm::enumerate(made))
      results[list * count + i] = value;
  }
  return results;
}

/// The gradient of a tensor and of its norm: norm_coefficient * X + G
Value regularized(NodeBuilder &b, Value x, Value gradient,
                  const APFloat &coefficient) {
  if (coefficient.isZero())
    return gradient;
  return b.add(scaled(b, x, coefficient.convertToDouble()), gradient);
}

/// Adagrad-1, with the gradient g of X:
/// H_new = H + g^2
/// X_new = X - R / (1 + T * decay_factor) * g / (sqrt(H_new) + epsilon)
FailureOr<SmallVector<Value>> lowerAdagrad(onnx::TrainingAdagradOp op,
                                           onnx::TrainingAdagradOp::Adaptor in,
                                           NodeBuilder &b) {
  double decay = op.getDecayFactor().convertToDouble(),
         epsilon = op.getEpsilon().convertToDouble();
  return updateAll(
      op, in, b, 3,
      [&](Value r, Value t, ArrayRef<Value> values) -> SmallVector<Value> {
        Value x = values[0];
        Value g = regularized(b, x, values[1], op.getNormCoefficient());
        Value rate = b.div(r, addNumber(b, scaled(b, t, decay), 1));
        Value h = b.add(values[2], b.mul(g, g));
        Value root = addNumber(b, b.create<torch::AtenSqrtOp>(h), epsilon);
        return {b.sub(x, b.div(b.mul(rate, g), root)), h};
      });
}

/// Adam-1, with the gradient g of X:
/// V_new = alpha * V + (1 - alpha) * g
/// H_new = beta * H + (1 - beta) * g^2
/// rate = R * sqrt(1 - beta^T) / (1 - alpha^T) if T > 0, else R
/// X_new = (1 - norm_coefficient_post)
///         * (X - rate * V_new / (sqrt(H_new) + epsilon))
FailureOr<SmallVector<Value>> lowerAdam(onnx::TrainingAdamOp op,
                                        onnx::TrainingAdamOp::Adaptor in,
                                        NodeBuilder &b) {
  double alpha = op.getAlpha().convertToDouble(),
         beta = op.getBeta().convertToDouble(),
         epsilon = op.getEpsilon().convertToDouble(),
         after = op.getNormCoefficientPost().convertToDouble();
  return updateAll(
      op, in, b, 4,
      [&](Value r, Value t, ArrayRef<Value> values) -> SmallVector<Value> {
        Value x = values[0];
        Value g = regularized(b, x, values[1], op.getNormCoefficient());
        Value v = b.add(scaled(b, values[2], alpha), scaled(b, g, 1 - alpha));
        Value h =
            b.add(scaled(b, values[3], beta), scaled(b, b.mul(g, g), 1 - beta));
        Value root = addNumber(b, b.create<torch::AtenSqrtOp>(h), epsilon);
        Value corrected = b.div(
            b.mul(r, b.create<torch::AtenSqrtOp>(oneMinusPower(b, beta, t))),
            oneMinusPower(b, alpha, t));
        Value isLater = b.create<torch::AtenGtScalarOp>(t, b.constantFloat(0));
        Value rate = b.where(isLater, corrected, r);
        Value updated = b.sub(x, b.mul(rate, b.div(v, root)));
        if (after != 0)
          updated = scaled(b, updated, 1 - after);
        return {updated, v, h};
      });
}

/// Momentum-1, with the gradient g of X:
/// V_new = alpha * V + (T > 0 ? beta : 1) * g
/// X_new = X - R * V_new if mode is "standard",
/// X_new = X - R * (g + alpha * V_new) if mode is "nesterov"
FailureOr<SmallVector<Value>>
lowerMomentum(onnx::TrainingMomentumOp op, onnx::TrainingMomentumOp::Adaptor in,
              NodeBuilder &b) {
  bool isNesterov = op.getMode() == "nesterov";
  if (!isNesterov && op.getMode() != "standard")
    return b.decline() << "expected mode standard or nesterov, got "
                       << op.getMode();
  double alpha = op.getAlpha().convertToDouble();
  return updateAll(
      op, in, b, 3,
      [&](Value r, Value t, ArrayRef<Value> values) -> SmallVector<Value> {
        Value x = values[0];
        Value g = regularized(b, x, values[1], op.getNormCoefficient());
        Value isLater = b.create<torch::AtenGtScalarOp>(t, b.constantFloat(0));
        Type dtype = dtypeOf(x);
        Value factor = b.where(
            isLater, b.scalarTensor(op.getBeta().convertToDouble(), dtype),
            b.scalarTensor(1.0, dtype));
        Value v = b.add(scaled(b, values[2], alpha), b.mul(factor, g));
        Value direction = isNesterov ? b.add(g, scaled(b, v, alpha)) : v;
        return {b.sub(x, b.mul(r, direction)), v};
      });
}

} // namespace

void onnx_to_torch::populateTraining(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerAdagrad);
  lowerings.add(lowerAdam);
  lowerings.add(lowerMomentum);
}
