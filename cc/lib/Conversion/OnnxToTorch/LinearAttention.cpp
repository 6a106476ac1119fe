//===- LinearAttention.cpp - ONNX LinearAttention to ATen -----------------===//

#include "Families.h"
#include "Heads.h"
#include "Loops.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// A state S of [keys, values] per head is written at each step and read by the
/// query. By update_rule,
///   linear        S = S + k * v'
///   gated         S = exp(decay) * S + k * v'
///   delta         S = S + k * (beta * (v - S' * k))'
///   gated_delta   both; the decay comes first
/// and the output is scale * S' * q. It is computed in f32.
template <typename Op>
FailureOr<SmallVector<Value>> attendLinearly(Op op, typename Op::Adaptor in,
                                             NodeBuilder &b) {
  StringRef rule = op.getUpdateRule();
  bool isGated = rule == "gated" || rule == "gated_delta";
  bool isDelta = rule == "delta" || rule == "gated_delta";
  if (!isGated && !isDelta && rule != "linear")
    return b.decline() << "expected update_rule to be linear, gated, delta or "
                          "gated_delta, got '"
                       << rule << "'";
  if (isPresent(in.getDecay()) != isGated || isPresent(in.getBeta()) != isDelta)
    return b.decline() << "expected decay for gated rules and beta for delta "
                          "rules only, got others for '"
                       << rule << "'";
  int64_t heads = op.getKvNumHeads(), queryHeads = op.getQNumHeads();
  if (heads < 1 || queryHeads < 1 || queryHeads % heads != 0)
    return b.decline() << "expected q_num_heads to be a multiple of "
                          "kv_num_heads, got "
                       << queryHeads << " and " << heads;
  Type dtype = dtypeOf(in.getQuery()), wide = Float32Type::get(b.getContext());
  Value batch = b.size(in.getQuery(), 0), steps = b.size(in.getQuery(), 1);
  // [batch, steps, heads * d] as [steps, batch, heads, d]
  auto perHead = [&](Value tensor, int64_t count) {
    Value size = b.floorDivInt(b.size(tensor, 2), b.constant(count));
    tensor = b.view(b.convert(tensor, wide),
                    {batch, steps, b.constant(count), size});
    return b.permute(tensor, {1, 0, 2, 3});
  };
  // [steps, batch, heads, d, 1] and [steps, batch, heads, 1, d]
  Value key = b.unsqueeze(perHead(in.getKey(), heads), 4);
  Value value = b.unsqueeze(perHead(in.getValue(), heads), 3);
  // Query heads of a group read the state of the same key head, so they can be
  // treated as a group of rows.
  Value query = b.view(perHead(in.getQuery(), queryHeads),
                       {steps, batch, b.constant(heads),
                        b.constant(queryHeads / heads), b.size(key, 3)});
  Value decay, beta;
  if (isGated)
    decay = b.create<torch::AtenExpOp>(
        b.unsqueeze(perHead(in.getDecay(), heads), 4));
  if (isDelta)
    beta = b.unsqueeze(
        perHead(in.getBeta(), sizeOf(in.getBeta(), 2) == 1 ? 1 : heads), 3);
  Value keys = b.size(key, 3), values = b.size(value, 4);
  if (b.hasFailed())
    return failure();
  double given = op.getScale().convertToDouble();
  FailureOr<double> scale =
      scaleOf(b, given == 0 ? std::nullopt : std::optional(given), query);
  if (failed(scale))
    return failure();
  query = scaled(b, query, *scale);

  bool hasPast = isPresent(in.getPastState());
  Value state = hasPast ? b.convert(in.getPastState(), wide)
                        : filled(b, {batch, b.constant(heads), keys, values},
                                 b.constantFloat(0), wide);
  Gathering gathering;
  gathering.sizes = {batch, b.constant(heads), b.constant(queryHeads / heads),
                     values};
  auto step = [&](Value number, ValueRange carried) -> FailureOr<Step> {
    auto now = [&](Value tensor) -> Value {
      return b.create<torch::AtenSelectIntOp>(tensor, b.constant(0), number);
    };
    Value state = carried[0], k = now(key), v = now(value);
    if (isGated)
      state = b.mul(state, now(decay));
    if (isDelta) {
      Value stored =
          b.create<torch::AtenMatmulOp>(b.permute(k, {0, 1, 3, 2}), state);
      v = b.mul(b.sub(v, stored), now(beta));
    }
    state = b.add(state, b.mul(k, v));
    Value read = b.create<torch::AtenMatmulOp>(now(query), state);
    return Step{Value(), {state}, {read}};
  };
  FailureOr<Values> results =
      buildLoop(b, steps, Value(), state, step, gathering);
  if (failed(results))
    return failure();
  Value output =
      b.view(b.permute((*results)[1], {1, 0, 2, 3, 4}),
             {batch, steps, b.mulInt(b.constant(queryHeads), values)});
  return SmallVector<Value>{
      b.convert(output, dtype),
      b.convert((*results)[0], hasPast ? dtypeOf(in.getPastState()) : dtype)};
}

/// LinearAttention-27
FailureOr<SmallVector<Value>>
lowerLinearAttention(onnx::LinearAttentionOp op,
                     onnx::LinearAttentionOp::Adaptor in, NodeBuilder &b) {
  return attendLinearly(op, in, b);
}

/// onnxruntime's LinearAttention
FailureOr<SmallVector<Value>>
lowerMicrosoftLinearAttention(onnx::MicrosoftLinearAttentionOp op,
                              onnx::MicrosoftLinearAttentionOp::Adaptor in,
                              NodeBuilder &b) {
  if (op.getStateWindow())
    return b.decline() << "expected state_window 0, got "
                       << op.getStateWindow();
  return attendLinearly(op, in, b);
}

/// onnxruntime's LinearAttentionGate: decay_scale * softplus(a + dt_bias) and
/// sigmoid(b), in f32.
FailureOr<SmallVector<Value>>
lowerLinearAttentionGate(onnx::MicrosoftLinearAttentionGateOp op,
                         onnx::MicrosoftLinearAttentionGateOp::Adaptor in,
                         NodeBuilder &b) {
  if (isWanted(op.getBeta()) && !isPresent(in.getB()))
    return b.decline() << "expected b where beta is wanted, got none";
  Type dtype = dtypeOf(in.getA()), wide = Float32Type::get(b.getContext());
  Value rate = softplus(b, b.add(b.convert(in.getA(), wide), in.getDtBias()));
  Value decay = b.convert(b.mul(rate, in.getDecayScale()), dtype), beta;
  if (isPresent(in.getB()))
    beta = b.create<torch::AtenSigmoidOp>(in.getB());
  return SmallVector<Value>{decay, beta};
}

} // namespace

void onnx_to_torch::populateLinearAttention(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerLinearAttention);
  lowerings.add(lowerLinearAttentionGate);
  lowerings.add(lowerMicrosoftLinearAttention);
}
