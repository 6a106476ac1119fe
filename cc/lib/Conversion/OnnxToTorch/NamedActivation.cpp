//===- NamedActivation.cpp - Activations that an attribute names ----------===//
//
// The functions are those of RNN-22 (https://onnx.ai/onnx/operators).
//
//===----------------------------------------------------------------------===//

#include "NamedActivation.h"
#include "Operands.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// alpha * x + beta
Value affine(NodeBuilder &b, Value x, double alpha, double beta) {
  Value scaled = b.create<torch::AtenMulScalarOp>(x, b.constantFloat(alpha));
  return b.create<torch::AtenAddScalarOp>(scaled, b.constantFloat(beta),
                                          b.constant(1));
}

Value elu(NodeBuilder &b, Value x, double alpha, double) {
  Value one = b.constantFloat(1);
  return b.create<torch::AtenEluOp>(x, b.constantFloat(alpha), one, one);
}

/// max(0, min(1, alpha * x + beta))
Value hardSigmoid(NodeBuilder &b, Value x, double alpha, double beta) {
  return b.create<torch::AtenClampOp>(affine(b, x, alpha, beta),
                                      b.constantFloat(0), b.constantFloat(1));
}

Value leakyRelu(NodeBuilder &b, Value x, double alpha, double) {
  return b.create<torch::AtenLeakyReluOp>(x, b.constantFloat(alpha));
}

/// alpha * tanh(beta * x)
Value scaledTanh(NodeBuilder &b, Value x, double alpha, double beta) {
  Value scaled = b.create<torch::AtenMulScalarOp>(x, b.constantFloat(beta));
  return b.create<torch::AtenMulScalarOp>(b.create<torch::AtenTanhOp>(scaled),
                                          b.constantFloat(alpha));
}

/// x / (1 + |x|)
Value softsign(NodeBuilder &b, Value x, double, double) {
  Value magnitude = b.create<torch::AtenAbsOp>(x);
  return b.div(x, b.create<torch::AtenAddScalarOp>(
                      magnitude, b.constantFloat(1), b.constant(1)));
}

/// x if x > alpha, else 0
Value thresholdedRelu(NodeBuilder &b, Value x, double alpha, double) {
  Value isHigh = b.create<torch::AtenGtScalarOp>(x, b.constantFloat(alpha));
  return b.where(isHigh, x, b.scalarTensor(0.0, dtypeOf(x)));
}

/// An op that has no parameters.
template <typename Op>
Value plain(NodeBuilder &b, Value x, double, double) {
  return b.create<Op>(x);
}

const ActivationKind kinds[] = {
    {"affine", 1, 0, affine},
    {"elu", 1, {}, elu},
    {"hardsigmoid", 0.2, 0.5, hardSigmoid},
    {"leakyrelu", 0.01, {}, leakyRelu},
    {"relu", {}, {}, plain<torch::AtenReluOp>},
    {"scaledtanh", 1, 1, scaledTanh},
    {"sigmoid", {}, {}, plain<torch::AtenSigmoidOp>},
    {"softplus",
     {},
     {},
     [](NodeBuilder &b, Value x, double, double) { return softplus(b, x); }},
    {"softsign", {}, {}, softsign},
    {"tanh", {}, {}, plain<torch::AtenTanhOp>},
    {"thresholdedrelu", 1, {}, thresholdedRelu},
};

} // namespace

FailureOr<const ActivationKind *>
onnx_to_torch::findActivation(NodeBuilder &b, StringRef name) {
  for (const ActivationKind &kind : kinds)
    if (name.equals_insensitive(kind.name))
      return &kind;
  return b.decline() << "expected an activation that ONNX has, got '" << name
                     << "'";
}
