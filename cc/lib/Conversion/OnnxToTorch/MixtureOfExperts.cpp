//===- MixtureOfExperts.cpp - onnxruntime's MoE to ATen -------------------===//

#include "Families.h"
#include "Quantization.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/SortingOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// x W^T + bias for each expert: x [E or 1, N, A], W [E, B, A], bias [E, B]
Value linear(NodeBuilder &b, Value x, Value weights, Value bias) {
  Value y = b.create<torch::AtenMatmulOp>(x, b.permute(weights, {0, 2, 1}));
  return isPresent(bias) ? b.add(y, b.unsqueeze(bias, 1)) : y;
}

/// swiglu: G * sigmoid(alpha * G) * (L + beta), where G = min(g, limit) and
/// L = clamp(l, -limit, limit). The elements of g and l alternate in the last
/// dim, or l follows g.
template <typename Op>
FailureOr<Value> swiglu(Op op, NodeBuilder &b, Value x) {
  int64_t width = sizeOf(x, 2), fusion = op.getSwigluFusion();
  if (ShapedType::isDynamic(width) || width % 2 || fusion < 1 || fusion > 2)
    return b.decline() << "expected swiglu_fusion 1 or 2 and an even number of "
                          "elements that is known while compiling, got "
                       << fusion << " and " << x.getType();
  Value half = b.constant(width / 2);
  Value gate = fusion == 1 ? b.slice(x, 2, b.constant(0), Value(), 2)
                           : b.slice(x, 2, b.constant(0), half);
  Value other = fusion == 1 ? b.slice(x, 2, b.constant(1), Value(), 2)
                            : b.slice(x, 2, half);
  if (auto limit = op.getSwigluLimit()) {
    double most = limit->convertToDouble();
    gate = b.create<torch::AtenClampOp>(gate, b.none(), b.constantFloat(most));
    other = b.create<torch::AtenClampOp>(other, b.constantFloat(-most),
                                         b.constantFloat(most));
  }
  Value steep = scaled(b, gate, op.getActivationAlpha().convertToDouble());
  Value shifted = addNumber(b, other, op.getActivationBeta().convertToDouble());
  return b.mul(b.mul(gate, b.create<torch::AtenSigmoidOp>(steep)), shifted);
}

template <typename Op>
FailureOr<Value> activated(Op op, NodeBuilder &b, Value x) {
  StringRef name = op.getActivationType();
  if (name == "identity")
    return x;
  if (name == "relu")
    return Value(b.create<torch::AtenReluOp>(x));
  if (name == "silu")
    return Value(b.create<torch::AtenSiluOp>(x));
  if (name == "gelu")
    return Value(b.create<torch::AtenGeluOp>(x, b.constantStr("tanh")));
  if (name == "swiglu")
    return swiglu(op, b, x);
  return b.decline() << "expected an activation_type of relu, gelu, silu, "
                        "swiglu or identity, got "
                     << name;
}

/// The weights W1, W2 [experts, results, inputs] of an op and their bias.
struct Layers {
  Value first, firstBias, second, secondBias;
};

/// The sum over the k experts of the largest router_probs of a token of
/// p * (W2 f(W1 x + b1) + b2), where p is softmax(router_probs), divided by the
/// sum of those of the k experts if normalize_routing_weights is 1. All experts
/// are computed for all tokens; those that are not chosen count 0 times.
template <typename Op>
FailureOr<Value> mixExperts(Op op, typename Op::Adaptor in,
                            const Layers &layers, NodeBuilder &b) {
  if (op.getUseSparseMixer() || isPresent(in.getFc3ExpertsWeights()))
    return b.decline() << "expected use_sparse_mixer to be 0 and no "
                          "fc3_experts_weights, got others";
  Value input = in.getInput(), router = in.getRouterProbs();
  int64_t experts = sizeOf(layers.first, 0);
  if (op.getK() < 1 || ShapedType::isDynamic(experts) || op.getK() > experts)
    return b.decline() << "expected k from 1 to the number of experts, got "
                       << op.getK() << " and weights of "
                       << in.getFc1ExpertsWeights().getType();
  Value last = b.constant(-1);
  SmallVector<Value> sizes = b.sizes(input);
  Value rows = rankOf(input) == 2 ? input : b.view(input, {last, sizes.back()});
  Value hidden =
      linear(b, b.unsqueeze(rows, 0), layers.first, layers.firstBias);
  if (b.hasFailed())
    return failure();
  FailureOr<Value> inner = activated(op, b, hidden);
  if (failed(inner))
    return failure();
  Value outputs = linear(b, *inner, layers.second, layers.secondBias);

  Value one = b.constant(1);
  Value probabilities =
      b.create<torch::AtenSoftmaxIntOp>(router, one, b.none());
  auto top =
      b.create<torch::AtenTopkOp>(probabilities, b.constant(op.getK()), one,
                                  b.constantBool(true), b.constantBool(true));
  Value weights = top->getResult(0);
  if (op.getNormalizeRoutingWeights())
    weights = b.div(weights, b.sum(weights, {1}, /*keepdim=*/true));
  Value none = filled(b, b.sizes(router), b.constantFloat(0), dtypeOf(router));
  Value gates =
      b.create<torch::AtenScatterSrcOp>(none, one, top->getResult(1), weights);
  Value perExpert = b.unsqueeze(b.permute(gates, {1, 0}), 2); // [E, N, 1]
  Value y = b.sum(b.mul(outputs, perExpert), {0}, /*keepdim=*/false);
  if (rankOf(input) == 2)
    return y;
  sizes.back() = b.size(y, 1);
  return b.view(y, sizes);
}

/// MoE
FailureOr<Value> lowerMoE(onnx::MicrosoftMoEOp op,
                          onnx::MicrosoftMoEOp::Adaptor in, NodeBuilder &b) {
  return mixExperts(op, in,
                    {in.getFc1ExpertsWeights(), in.getFc1ExpertsBias(),
                     in.getFc2ExpertsWeights(), in.getFc2ExpertsBias()},
                    b);
}

/// The weights [experts, results, inputs] of integers of `bits` in bytes, with
/// a scale and a zero point for each row [experts, results], or for each block
/// of it.
FailureOr<Value> unpackExperts(NodeBuilder &b, Value bytes, Value scale,
                               Value zeroPoint, int64_t bits,
                               std::optional<int64_t> blockSize, Type dtype) {
  if (failed(checkBits(b, bits)))
    return failure();
  bool isBlocked = blockSize.value_or(0) > 0;
  if (!isPresent(scale) || rankOf(scale) != (isBlocked ? 3 : 2))
    return b.decline() << "expected a scale of each row, or with block_size of "
                          "each block, got "
                       << scale.getType();
  Value q = unpackBits(b, bytes, bits, /*isSigned=*/false), zero;
  int64_t along = isBlocked ? 2 : 1;
  if (isPresent(zeroPoint)) {
    if (rankOf(zeroPoint) != along + 1)
      return b.decline() << "expected a zero point for each scale, got "
                         << zeroPoint.getType();
    zero = b.slice(unpackBits(b, zeroPoint, bits, /*isSigned=*/false), along,
                   b.constant(0), b.size(scale, along));
  }
  if (b.hasFailed())
    return failure();
  scale = b.convert(scale, dtype);
  SmallVector<Value> sizes = b.sizes(q);
  Value blocks = isBlocked ? b.size(scale, 2) : b.constant(1);
  sizes.back() = isBlocked ? b.constant(*blockSize) : sizes.back();
  sizes.insert(sizes.begin() + 2, blocks);
  if (!isBlocked) {
    scale = b.unsqueeze(scale, 2);
    zero = zero ? b.unsqueeze(zero, 2) : zero;
  }
  return dequantizeBlocks(b, b.view(q, sizes), scale, zero, middleOf(bits));
}

/// QMoE: MoE whose weights are (q - zero point) * scale. (onnxruntime 1.31 on a
/// CPU acts as if normalize_routing_weights were 1.)
FailureOr<Value> lowerQMoE(onnx::MicrosoftQMoEOp op,
                           onnx::MicrosoftQMoEOp::Adaptor in, NodeBuilder &b) {
  if (op.getQuantType() != "int" || op.getWeightsPrepacked() == 1 ||
      isPresent(in.getRouterWeights()))
    return b.decline() << "expected quant_type int, weights that are not "
                          "prepacked and no router_weights, got quant_type '"
                       << op.getQuantType() << "', weights_prepacked "
                       << op.getWeightsPrepacked()
                       << (isPresent(in.getRouterWeights())
                               ? " and router_weights"
                               : "");
  Type dtype = dtypeOf(in.getInput());
  int64_t bits = op.getExpertWeightBits();
  FailureOr<Value> first = unpackExperts(
      b, in.getFc1ExpertsWeights(), in.getFc1Scales(), in.getFc1ZeroPoints(),
      op.getFc1ExpertWeightBits().value_or(bits), op.getBlockSize(), dtype);
  if (failed(first))
    return failure();
  FailureOr<Value> second = unpackExperts(
      b, in.getFc2ExpertsWeights(), in.getFc2Scales(), in.getFc2ZeroPoints(),
      op.getFc2ExpertWeightBits().value_or(bits), op.getBlockSize(), dtype);
  if (failed(second))
    return failure();
  return mixExperts(
      op, in, {*first, in.getFc1ExpertsBias(), *second, in.getFc2ExpertsBias()},
      b);
}

} // namespace

void onnx_to_torch::populateMixtureOfExperts(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerMoE);
  lowerings.add(lowerQMoE);
}
