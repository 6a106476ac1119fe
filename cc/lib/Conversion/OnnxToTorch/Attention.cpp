//===- Attention.cpp - ONNX attention to ATen -----------------------------===//
//
// One function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Heads.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Nn.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Value addTo(NodeBuilder &b, Value sum, Value term) {
  return sum ? b.add(sum, term) : term;
}

/// The term added to the scores [B, heads, S, T]: the mask, and -inf for the
/// keys that a query must not attend to. Null if there is nothing to add.
class Bias {
public:
  Bias(NodeBuilder &b, Value query, Value key, Value past, Value lengths)
      : b(b), dtype(dtypeOf(query)), queries(b.size(query, 2)),
        keys(b.size(key, 2)), past(past), lengths(lengths) {}

  Value build(onnx::AttentionOp op, Value mask) {
    if (mask)
      sum = asBias(mask);
    bool isWindowed =
        op.getLeftWindowSize() >= 0 || op.getRightWindowSize() >= 0;
    if (op.getIsCausal() || isWindowed) {
      Value distance =
          b.sub(queryPlaces(), keyPlaces()); // of a query after a key
      if (op.getIsCausal())
        allow(b.create<torch::AtenGeScalarOp>(distance, b.constant(0)));
      if (op.getLeftWindowSize() >= 0)
        allow(b.create<torch::AtenLeScalarOp>(
            distance, b.constant(op.getLeftWindowSize())));
      if (op.getRightWindowSize() >= 0)
        allow(b.create<torch::AtenGeScalarOp>(
            distance, b.constant(-op.getRightWindowSize())));
    }
    if (lengths)
      allow(b.create<torch::AtenLtTensorOp>(keyPlaces(), perSample(lengths)));
    return sum;
  }

private:
  Value perSample(Value vector) { return alongAxis(b, vector, 0, 4); }
  Value keyPlaces() { return iota(b, b.constant(0), keys); }

  /// The position of each query among the keys: queries follow the keys of
  /// earlier steps.
  Value queryPlaces() {
    Value places = alongAxis(b, iota(b, b.constant(0), queries), 0, 2);
    Value one = b.constant(1);
    if (past)
      return b.create<torch::AtenAddScalarOp>(places, b.size(past, 2), one);
    if (lengths)
      return b.add(places, perSample(b.create<torch::AtenSubScalarOp>(
                               lengths, queries, one)));
    return places;
  }

  /// The mask as a bias, as wide as the number of keys; keys beyond its end are
  /// masked.
  Value asBias(Value mask) {
    bool isBool = torch::isBoolean(dtypeOf(mask));
    if (!isBool) // integers have no -inf
      mask = b.convert(mask, dtype);
    Value width = b.size(mask, rankOf(mask) - 1);
    auto known = torch::matchInt(width), all = torch::matchInt(keys);
    if (!known || known != all)
      mask = padLastDims(b, mask, b.constant(0), b.subInt(keys, width),
                         isBool ? b.constant(0) : b.constantFloat(-infinity));
    return isBool ? where(mask) : mask;
  }

  Value where(Value allowed) {
    return b.where(allowed, b.scalarTensor(0.0, dtype),
                   b.scalarTensor(-infinity, dtype));
  }
  void allow(Value allowed) { sum = addTo(b, sum, where(allowed)); }

  NodeBuilder &b;
  Type dtype;
  Value queries, keys, past, lengths, sum;
};

/// The dtype softmax_precision, or `otherwise` if it is not given; null if
/// torch has none.
Type softmaxDtype(NodeBuilder &b, std::optional<int64_t> precision,
                  Type otherwise) {
  if (!precision)
    return otherwise;
  Type element = onnx::getElementType(*precision, b.getContext());
  return element ? torch::toTorchDtype(element) : Type();
}

/// (scale * Q) * K', with 1 / sqrt(E) for a scale that is not given. Scales
/// both sides by the root of the scale, so that no product overflows.
FailureOr<Value> scaledProduct(NodeBuilder &b, std::optional<APFloat> given,
                               Value query, Value key) {
  FailureOr<double> scale = scaleOf(
      b, given ? std::optional(given->convertToDouble()) : std::nullopt, query);
  if (failed(scale))
    return failure();
  auto scaled = [&](Value x) -> Value {
    return b.create<torch::AtenMulScalarOp>(x,
                                            b.constantFloat(std::sqrt(*scale)));
  };
  return Value(b.create<torch::AtenMatmulOp>(
      scaled(query), scaled(b.permute(key, {0, 1, 3, 2}))));
}

/// Attention-25: softmax(scale * Q * K' + bias) * V per head, the scores
/// bounded by softcap before the bias is added.
FailureOr<SmallVector<Value>> lowerAttention(onnx::AttentionOp op,
                                             onnx::AttentionOp::Adaptor in,
                                             NodeBuilder &b) {
  FailureOr<Value> query = splitHeads(b, in.getQ(), op.getQNumHeads());
  FailureOr<Value> key = splitHeads(b, in.getK(), op.getKvNumHeads());
  FailureOr<Value> value = splitHeads(b, in.getV(), op.getKvNumHeads());
  if (failed(query) || failed(key) || failed(value))
    return failure();
  auto orNull = [](Value operand) {
    return isPresent(operand) ? operand : Value();
  };
  Value past = orNull(in.getPastKey()),
        lengths = orNull(in.getNonpadKvSeqlen());
  if (!past != !orNull(in.getPastValue()))
    return b.decline()
           << "expected past_key and past_value together, got one of them";
  if (past) {
    key = b.cat({past, *key}, 2);
    value = b.cat({in.getPastValue(), *value}, 2);
  }
  Value presentKey = *key, presentValue = *value, none = b.none();
  Value bias =
      Bias(b, *query, *key, past, lengths).build(op, orNull(in.getAttnMask()));
  if (b.hasFailed())
    return failure();
  key = repeatHeads(b, *key, b.size(*query, 1));
  value = repeatHeads(b, *value, b.size(*query, 1));

  Value y, scores;
  double softcap = op.getSoftcap().convertToDouble();
  bool wantsScores = isWanted(op.getQkMatmulOutput());
  if (softcap == 0 && !op.getSoftmaxPrecision() && !wantsScores) {
    Value scale = op.getScale()
                      ? b.constantFloat(op.getScale()->convertToDouble())
                      : none;
    y = b.create<torch::AtenScaledDotProductAttentionOp>(
        *query, *key, *value, bias ? bias : none, b.constantFloat(0),
        b.constantBool(false), scale, b.constantBool(false));
  } else {
    FailureOr<Value> product = scaledProduct(b, op.getScale(), *query, *key);
    if (failed(product))
      return failure();
    SmallVector<Value, 4> byMode = {*product}; // qk_matmul_output_mode
    Value capped = *product;
    if (softcap != 0) { // softcap * tanh(scores / softcap)
      Value bounded = b.create<torch::AtenTanhOp>(
          b.create<torch::AtenDivScalarOp>(capped, b.constantFloat(softcap)));
      capped =
          b.create<torch::AtenMulScalarOp>(bounded, b.constantFloat(softcap));
    }
    byMode.push_back(capped);
    byMode.push_back(bias ? b.add(capped, bias) : capped);
    Type dtype = dtypeOf(*query);
    Type wide = softmaxDtype(b, op.getSoftmaxPrecision(), dtype);
    if (!wide)
      return b.decline() << "expected softmax_precision to be a dtype that "
                            "torch has, got "
                         << *op.getSoftmaxPrecision();
    Value weights = b.create<torch::AtenSoftmaxIntOp>(
        b.convert(byMode[2], wide), b.constant(-1), none);
    if (bias) { // a query that attends to no key has weights 0
      Value largest = b.create<torch::AtenAmaxOp>(
          bias, b.ints(ArrayRef<int64_t>(-1)), b.constantBool(true));
      Value isBlind =
          b.create<torch::AtenEqScalarOp>(largest, b.constantFloat(-infinity));
      weights = b.where(isBlind, b.scalarTensor(0.0, wide), weights);
    }
    byMode.push_back(b.convert(weights, dtype));
    y = b.create<torch::AtenMatmulOp>(byMode[3], *value);
    int64_t mode = op.getQkMatmulOutputMode();
    if (mode < 0 || mode > 3)
      return b.decline() << "expected qk_matmul_output_mode in [0, 3], got "
                         << mode;
    scores = byMode[mode];
  }
  if (b.hasFailed())
    return failure();
  if (rankOf(in.getQ()) == 3)
    y = joinHeads(b, y);
  return SmallVector<Value>{y, presentKey, presentValue, scores};
}

/// RotaryEmbedding-23: turnPairs by the angles of the caches, at the positions
/// if they are given.
FailureOr<Value> lowerRotaryEmbedding(onnx::RotaryEmbeddingOp op,
                                      onnx::RotaryEmbeddingOp::Adaptor in,
                                      NodeBuilder &b) {
  Value input = in.getX();
  std::optional<int64_t> heads = op.getNumHeads();
  FailureOr<Value> x = splitHeads(b, input, heads);
  if (failed(x) || b.hasFailed())
    return failure();
  Value width = op.getRotaryEmbeddingDim()
                    ? b.constant(op.getRotaryEmbeddingDim())
                    : b.size(*x, 3);
  // The caches as [B, 1, S, width / 2].
  auto angles = [&](Value cache) {
    if (isPresent(in.getPositionIds()))
      cache = take(b, cache, in.getPositionIds(), 0);
    return b.unsqueeze(cache, 1);
  };
  Value turned =
      turnPairs(b, *x, angles(in.getCosCache()), angles(in.getSinCache()),
                width, op.getInterleaved());
  return rankOf(input) == 3 ? joinHeads(b, turned) : turned;
}

/// FlexAttention-1: prob_mod(softmax(score_mod(scale * Q * K'))) * V per head,
/// the scores and the probabilities in the dtype softmax_precision.
FailureOr<Value> lowerFlexAttention(onnx::PreviewFlexAttentionOp op,
                                    onnx::PreviewFlexAttentionOp::Adaptor in,
                                    NodeBuilder &b) {
  Value query = in.getQ(), heads = b.size(query, 1),
        key = repeatHeads(b, in.getK(), heads),
        value = repeatHeads(b, in.getV(), heads);
  Type dtype = dtypeOf(query), f32 = Float32Type::get(b.getContext());
  Type wide =
      softmaxDtype(b, op.getSoftmaxPrecision(), dtype.isF64() ? dtype : f32);
  if (!wide || !torch::isFloatingPoint(wide))
    return b.decline() << "expected softmax_precision to be a float dtype, got "
                       << *op.getSoftmaxPrecision();
  FailureOr<Value> product = scaledProduct(b, op.getScale(), query, key);
  if (failed(product))
    return failure();
  auto modified = [&](Region &graph, Value x) -> FailureOr<Value> {
    if (graph.empty())
      return x;
    FailureOr<SmallVector<Value>> yielded = b.inlineRegion(graph, x);
    if (failed(yielded))
      return failure();
    return yielded->front();
  };
  FailureOr<Value> scores =
      modified(op.getScoreMod(), b.convert(*product, wide));
  if (failed(scores))
    return failure();
  FailureOr<Value> weights = modified(
      op.getProbMod(),
      b.create<torch::AtenSoftmaxIntOp>(*scores, b.constant(-1), b.none()));
  if (failed(weights))
    return failure();
  return b.convert(
      b.create<torch::AtenMatmulOp>(*weights, b.convert(value, wide)), dtype);
}

} // namespace

void onnx_to_torch::populateAttention(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerAttention);
  lowerings.add(lowerFlexAttention);
  lowerings.add(lowerRotaryEmbedding);
}
