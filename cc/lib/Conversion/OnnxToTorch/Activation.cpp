//===- Activation.cpp - ONNX activation functions to ATen -----------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Math.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

Value floatOperand(NodeBuilder &b, const APFloat &attribute) {
  return b.constantFloat(attribute.convertToDouble());
}

/// Celu-28: max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
FailureOr<Value> lowerCelu(onnx::CeluOp op, onnx::CeluOp::Adaptor in,
                           NodeBuilder &b) {
  return Value(
      b.create<torch::AtenCeluOp>(in.getX(), floatOperand(b, op.getAlpha())));
}

/// Elu-22: x if x > 0, else alpha * (exp(x) - 1)
FailureOr<Value> lowerElu(onnx::EluOp op, onnx::EluOp::Adaptor in,
                          NodeBuilder &b) {
  Value one = b.constantFloat(1);
  return Value(b.create<torch::AtenEluOp>(
      in.getX(), floatOperand(b, op.getAlpha()), one, one));
}

/// Gelu-20: x / 2 * (1 + erf(x / sqrt(2))), or its tanh approximation.
FailureOr<Value> lowerGelu(onnx::GeluOp op, onnx::GeluOp::Adaptor in,
                           NodeBuilder &b) {
  StringRef approximate = op.getApproximate();
  if (approximate != "none" && approximate != "tanh")
    return b.decline() << "expected approximate to be 'none' or 'tanh', got '"
                       << approximate << "'";
  return Value(
      b.create<torch::AtenGeluOp>(in.getX(), b.constantStr(approximate)));
}

/// HardSigmoid-22: max(0, min(1, alpha * x + beta))
FailureOr<Value> lowerHardSigmoid(onnx::HardSigmoidOp op,
                                  onnx::HardSigmoidOp::Adaptor in,
                                  NodeBuilder &b) {
  // PyTorch's hardsigmoid has fixed parameters.
  if (op.getAlpha().convertToFloat() == 1.0f / 6 &&
      op.getBeta().convertToFloat() == 0.5f)
    return Value(b.create<torch::AtenHardsigmoidOp>(in.getX()));
  Value scaled = b.create<torch::AtenMulScalarOp>(
      in.getX(), floatOperand(b, op.getAlpha()));
  Value shifted = b.create<torch::AtenAddScalarOp>(
      scaled, floatOperand(b, op.getBeta()), b.constant(1));
  return Value(b.create<torch::AtenClampOp>(shifted, b.constantFloat(0),
                                            b.constantFloat(1)));
}

/// LeakyRelu-16: x if x >= 0, else alpha * x
FailureOr<Value> lowerLeakyRelu(onnx::LeakyReluOp op,
                                onnx::LeakyReluOp::Adaptor in, NodeBuilder &b) {
  return Value(b.create<torch::AtenLeakyReluOp>(
      in.getX(), floatOperand(b, op.getAlpha())));
}

/// PRelu-16: x if x >= 0, else slope * x; the slope broadcasts.
FailureOr<Value> lowerPRelu(onnx::PReluOp, onnx::PReluOp::Adaptor in,
                            NodeBuilder &b) {
  Value isNegative = b.create<torch::AtenLtScalarOp>(in.getX(), b.constant(0));
  return b.where(isNegative, b.mul(in.getX(), in.getSlope()), in.getX());
}

/// Selu-22: gamma * (x if x > 0, else alpha * (exp(x) - 1))
FailureOr<Value> lowerSelu(onnx::SeluOp op, onnx::SeluOp::Adaptor in,
                           NodeBuilder &b) {
  return Value(b.create<torch::AtenEluOp>(
      in.getX(), floatOperand(b, op.getAlpha()), floatOperand(b, op.getGamma()),
      b.constantFloat(1)));
}

/// Shrink-9: x + bias if x < -lambd, x - bias if x > lambd, else 0
FailureOr<Value> lowerShrink(onnx::ShrinkOp op, onnx::ShrinkOp::Adaptor in,
                             NodeBuilder &b) {
  Type dtype = dtypeOf(in.getInput());
  double lambd = op.getLambd().convertToDouble();
  // With a bias that is not whole, integer results are rounded towards zero.
  double number = op.getBias().convertToDouble();
  bool isWhole = number == std::floor(number);
  Type wide = torch::isIntegral(dtype) && !isWhole
                  ? Float64Type::get(b.getContext())
                  : dtype;
  Value x = b.convert(in.getInput(), wide);
  Value bias = b.scalarTensor(number, wide);
  Value isLow = b.create<torch::AtenLtScalarOp>(x, b.constantFloat(-lambd));
  Value isHigh = b.create<torch::AtenGtScalarOp>(x, b.constantFloat(lambd));
  Value zero = b.scalarTensor(0.0, wide);
  Value y =
      b.where(isLow, b.add(x, bias), b.where(isHigh, b.sub(x, bias), zero));
  return b.convert(y, dtype);
}

/// Softplus-22: ln(exp(x) + 1)
FailureOr<Value> lowerSoftplus(onnx::SoftplusOp, onnx::SoftplusOp::Adaptor in,
                               NodeBuilder &b) {
  return softplus(b, in.getX());
}

/// Softsign-22: x / (1 + |x|)
FailureOr<Value> lowerSoftsign(onnx::SoftsignOp, onnx::SoftsignOp::Adaptor in,
                               NodeBuilder &b) {
  Value magnitude = b.create<torch::AtenAbsOp>(in.getInput());
  return b.div(in.getInput(),
               b.create<torch::AtenAddScalarOp>(magnitude, b.constantFloat(1),
                                                b.constant(1)));
}

/// x * sigmoid(alpha * x)
Value swish(NodeBuilder &b, Value x, const APFloat &alpha) {
  if (alpha.convertToDouble() == 1)
    return b.create<torch::AtenSiluOp>(x);
  Value scaled = b.create<torch::AtenMulScalarOp>(x, floatOperand(b, alpha));
  return b.mul(x, b.create<torch::AtenSigmoidOp>(scaled));
}

/// SwiGLU-28: Y = Swish(A) * B
FailureOr<Value> lowerSwiGLU(onnx::SwiGLUOp op, onnx::SwiGLUOp::Adaptor in,
                             NodeBuilder &b) {
  return b.mul(swish(b, in.getA(), op.getAlpha()), in.getB());
}

/// Swish-24: x * sigmoid(alpha * x)
FailureOr<Value> lowerSwish(onnx::SwishOp op, onnx::SwishOp::Adaptor in,
                            NodeBuilder &b) {
  return swish(b, in.getX(), op.getAlpha());
}

/// ThresholdedRelu-22: x if x > alpha, else 0
FailureOr<Value> lowerThresholdedRelu(onnx::ThresholdedReluOp op,
                                      onnx::ThresholdedReluOp::Adaptor in,
                                      NodeBuilder &b) {
  Value isHigh = b.create<torch::AtenGtScalarOp>(
      in.getX(), floatOperand(b, op.getAlpha()));
  return b.where(isHigh, in.getX(), b.scalarTensor(0.0, dtypeOf(in.getX())));
}

} // namespace

void onnx_to_torch::populateActivation(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerCelu);
  lowerings.add(lowerElu);
  lowerings.add(lowerGelu);
  lowerings.add(lowerHardSigmoid);
  lowerings.add(lowerLeakyRelu);
  lowerings.add(lowerPRelu);
  lowerings.add(lowerSelu);
  lowerings.add(lowerShrink);
  lowerings.add(lowerSoftplus);
  lowerings.add(lowerSoftsign);
  lowerings.add(lowerSwiGLU);
  lowerings.add(lowerSwish);
  lowerings.add(lowerThresholdedRelu);
  lowerings.addUnary<onnx::HardSwishOp,
                     torch::AtenHardswishOp>(); // HardSwish-22: x * max(0,
                                                // min(1, x / 6 + 0.5))
  lowerings.addUnary<onnx::MishOp,
                     torch::AtenMishOp>(); // Mish-22: x * tanh(softplus(x))
  lowerings.addUnary<onnx::ReluOp, torch::AtenReluOp>(); // Relu-14: max(0, x)
  lowerings.addUnary<onnx::SigmoidOp,
                     torch::AtenSigmoidOp>(); // Sigmoid-13: 1 / (1 + exp(-x))
}
