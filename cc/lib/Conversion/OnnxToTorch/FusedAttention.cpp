//===- FusedAttention.cpp - onnxruntime's attention to ATen ---------------===//
//
// One function per op of onnxruntime's. The comment beside it is its
// definition (https://onnxruntime.ai, ContribOperators).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "FixedCaches.h"
#include "Heads.h"
#include "Norms.h"
#include "Quantization.h"
#include "Window.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// No model has as many heads, and no product with them overflows.
constexpr int64_t maxHeads = 1 << 20;

/// Declines a node that has only one of two operands.
LogicalResult checkTogether(NodeBuilder &b, Value first, Value second,
                            StringRef names) {
  if (isPresent(first) == isPresent(second))
    return success();
  return b.decline() << "expected " << names << " together, got one of them";
}

Value addTo(NodeBuilder &b, Value sum, Value term) {
  return sum ? b.add(sum, term) : term;
}

/// The positions of the last of the keys, [queries].
Value lastPlaces(NodeBuilder &b, Value queries, Value keys) {
  return iota(b, b.subInt(keys, queries), keys);
}

/// The bias that lets each query attend to the keys up to its own place, at
/// most `window` keys if that is not negative: [S, T].
Value causalBias(NodeBuilder &b, Value places, Value keys, int64_t window,
                 Type dtype) {
  Value distance =
      b.sub(alongAxis(b, places, 0, 2), iota(b, b.constant(0), keys));
  Value bias =
      unless(b, b.create<torch::AtenGeScalarOp>(distance, b.constant(0)),
             -infinity, dtype);
  if (window < 0)
    return bias;
  return b.add(
      bias,
      unless(b, b.create<torch::AtenLtScalarOp>(distance, b.constant(window)),
             -infinity, dtype));
}

/// The bias for a mask of keys: the length of each sample, or zeros where a key
/// is masked, [B, T] or [B, S, T].
FailureOr<Value> maskBias(NodeBuilder &b, Value mask, Value query, Value key,
                          double otherwise) {
  Type dtype = dtypeOf(query);
  int64_t rank = rankOf(mask);
  if (rank == 1 && sizeOf(mask, 0) == sizeOf(query, 0)) {
    Value places = iota(b, b.constant(0), b.size(key, 2));
    Value lengths = alongAxis(b, b.convert(mask, int64Dtype(b)), 0, 4);
    return unless(b, b.create<torch::AtenLtTensorOp>(places, lengths),
                  otherwise, dtype);
  }
  if (rank != 2 && rank != 3)
    return b.decline() << "expected a mask of lengths [batch], of keys [batch, "
                          "keys] or [batch, queries, keys], got "
                       << mask.getType();
  Value seen = b.create<torch::AtenNeScalarOp>(mask, b.constant(0));
  for (int64_t i = rank; i < 4; ++i)
    seen = b.unsqueeze(seen, 1);
  return unless(b, seen, otherwise, dtype);
}

/// The sum of all terms added to scores; null if there are none. With the
/// `places` of the queries, it is causal.
FailureOr<Value> biasOf(NodeBuilder &b, Value query, Value key, Value mask,
                        Value bias, Value places, double otherwise) {
  Value sum;
  if (isPresent(mask)) {
    FailureOr<Value> masked = maskBias(b, mask, query, key, otherwise);
    if (failed(masked))
      return failure();
    sum = *masked;
  }
  if (places)
    sum = addTo(b, sum,
                causalBias(b, places, b.size(key, 2), -1, dtypeOf(query)));
  return isPresent(bias) ? addTo(b, sum, bias) : sum;
}

/// softmax(query * key^T * scale + bias) * value of [B, heads, S, E] each; a
/// scale of 0 is 1 / sqrt(E).
Value attend(NodeBuilder &b, Value query, Value key, Value value, Value bias,
             double scale) {
  return joinHeads(b, b.create<torch::AtenScaledDotProductAttentionOp>(
                          query, key, value, bias ? bias : b.none(),
                          b.constantFloat(0), b.constantBool(false),
                          scale == 0 ? b.none() : b.constantFloat(scale),
                          b.constantBool(false)));
}

double valueOr(std::optional<APFloat> number, double otherwise) {
  return number ? number->convertToDouble() : otherwise;
}

/// How GroupQueryAttention differs from `attend`.
struct Softmax {
  /// softcap * tanh(scores / softcap) in place of scores, unless it is 0.
  double softcap;
  /// A score of each query head [heads] for a key without a value; null if
  /// there is none.
  Value sink;
};

/// `attend` with such a softmax.
FailureOr<Value> attend(NodeBuilder &b, Value query, Value key, Value value,
                        Value bias, double scale, const Softmax &softmax) {
  if (softmax.softcap == 0 && !softmax.sink)
    return attend(b, query, key, value, bias, scale);
  FailureOr<double> factor =
      scaleOf(b, scale == 0 ? std::nullopt : std::optional(scale), query);
  if (failed(factor))
    return failure();
  Value scores = scaled(
      b, b.create<torch::AtenMatmulOp>(query, b.permute(key, {0, 1, 3, 2})),
      *factor);
  if (softmax.softcap != 0)
    scores = scaled(
        b, b.create<torch::AtenTanhOp>(scaled(b, scores, 1 / softmax.softcap)),
        softmax.softcap);
  if (bias)
    scores = b.add(scores, bias);
  Value keys = b.size(scores, 3);
  if (softmax.sink) {
    SmallVector<Value> sizes = b.sizes(scores);
    if (b.hasFailed())
      return failure();
    sizes[3] = b.constant(1);
    Value sink = b.convert(alongAxis(b, softmax.sink, 1, 4), dtypeOf(scores));
    scores = b.cat({scores, b.expand(sink, sizes)}, 3);
  }
  Value weights = softmaxFrom(b, scores, 3);
  if (softmax.sink)
    weights = b.slice(weights, 3, b.constant(0), keys);
  return joinHeads(b, b.create<torch::AtenMatmulOp>(weights, value));
}

/// Attention of query, key and value that are one tensor [B, S, width], each of
/// a width of its own, after the keys and values of earlier steps, past[0] and
/// past[1].
template <typename Op>
FailureOr<SmallVector<Value>>
attendTogether(Op op, typename Op::Adaptor in, Value all,
               ArrayRef<Value> widths, Value attentionBias, NodeBuilder &b) {
  SmallVector<Value> heads;
  Value end = b.constant(0);
  for (Value width : widths) {
    Value begin = end;
    end = b.addInt(begin, width);
    auto part = splitHeads(b, b.slice(all, 2, begin, end), op.getNumHeads());
    if (failed(part))
      return failure();
    heads.push_back(*part);
  }
  Value query = heads[0], key = heads[1], value = heads[2], present;
  if (isPresent(in.getPast())) {
    auto past = [&](int64_t which) {
      return b.squeeze(
          b.slice(in.getPast(), 0, b.constant(which), b.constant(which + 1)),
          {0});
    };
    key = b.cat({past(0), key}, 2);
    value = b.cat({past(1), value}, 2);
  }
  if (isWanted(op.getPresent()))
    present = b.cat({b.unsqueeze(key, 0), b.unsqueeze(value, 0)}, 0);
  Value places;
  if (op.getUnidirectional())
    places = lastPlaces(b, b.size(query, 2), b.size(key, 2));
  FailureOr<Value> bias =
      biasOf(b, query, key, in.getMaskIndex(), attentionBias, places,
             valueOr(op.getMaskFilterValue(), -10000));
  if (failed(bias) || b.hasFailed())
    return failure();
  return SmallVector<Value>{
      attend(b, query, key, value, *bias, valueOr(op.getScale(), 0)), present};
}

/// Checks the attributes that attendTogether supports before a node's input is
/// multiplied.
template <typename Op>
LogicalResult checkAttributes(Op op, NodeBuilder &b) {
  if (op.getDoRotary().value_or(0) ||
      op.getPastPresentShareBuffer().value_or(0))
    return b.decline() << "expected no do_rotary or past_present_share_buffer, "
                          "got one of them";
  if (op.getNumHeads() < 1 || op.getNumHeads() > maxHeads)
    return b.decline() << "expected num_heads in [1, " << maxHeads << "], got "
                       << op.getNumHeads();
  return success();
}

/// Three equal parts of a matrix's columns.
SmallVector<Value> thirds(NodeBuilder &b, Value weights) {
  return SmallVector<Value>(3,
                            b.floorDivInt(b.size(weights, 1), b.constant(3)));
}

/// Attention: of query, key and value, which one matrix computes from the
/// input.
FailureOr<SmallVector<Value>>
lowerAttention(onnx::MicrosoftAttentionOp op,
               onnx::MicrosoftAttentionOp::Adaptor in, NodeBuilder &b) {
  if (isPresent(in.getPastSequenceLength()))
    return b.decline() << "expected no past_sequence_length, got "
                       << in.getPastSequenceLength().getType();
  if (failed(checkAttributes(op, b)))
    return failure();
  Value all = b.create<torch::AtenMatmulOp>(in.getInput(), in.getWeights());
  if (isPresent(in.getBias()))
    all = b.add(all, in.getBias());
  SmallVector<Value> widths;
  for (int64_t width : intsOf(op.getQkvHiddenSizes()))
    widths.push_back(b.constant(width));
  if (widths.empty())
    widths = thirds(b, in.getWeights());
  if (widths.size() != 3)
    return b.decline() << "expected three qkv_hidden_sizes, got "
                       << widths.size();
  return attendTogether(op, in, all, widths, in.getAttentionBias(), b);
}

/// QAttention: Attention of a quantized input and matrix.
FailureOr<SmallVector<Value>>
lowerQAttention(onnx::MicrosoftQAttentionOp op,
                onnx::MicrosoftQAttentionOp::Adaptor in, NodeBuilder &b) {
  if (failed(checkAttributes(op, b)))
    return failure();
  Value product = b.create<torch::AtenMatmulOp>(
      centredMatrix(b, in.getInput(), in.getInputZeroPoint(), -2),
      centredMatrix(b, in.getWeight(), in.getWeightZeroPoint(), -1));
  if (b.hasFailed())
    return failure();
  Value all = scaledProduct(b, product, in.getInputScale(), in.getWeightScale(),
                            in.getBias());
  return attendTogether(op, in, all, thirds(b, in.getWeight()),
                        /*attentionBias=*/b.none(), b);
}

/// [B, heads, S, E] each.
struct Heads {
  Value query, key, value;
};

/// The heads of a query [B, S, width], and of keys and values beside it or
/// within it.
FailureOr<Heads> groupedHeads(onnx::MicrosoftGroupQueryAttentionOp op,
                              onnx::MicrosoftGroupQueryAttentionOp::Adaptor in,
                              NodeBuilder &b) {
  int64_t heads = op.getNumHeads(), kvHeads = op.getKvNumHeads();
  if (heads < 1 || heads > maxHeads || kvHeads < 1 || heads % kvHeads)
    return b.decline() << "expected num_heads in [1, " << maxHeads
                       << "] and kv_num_heads that divides it, got " << heads
                       << " and " << kvHeads;
  if (failed(checkTogether(b, in.getKey(), in.getValue(), "key and value")))
    return failure();
  if (isPresent(in.getKey())) {
    auto query = splitHeads(b, in.getQuery(), heads),
         key = splitHeads(b, in.getKey(), kvHeads),
         value = splitHeads(b, in.getValue(), kvHeads);
    if (failed(query) || failed(key) || failed(value))
      return failure();
    return Heads{*query, *key, *value};
  }
  auto all = splitHeads(b, in.getQuery(), heads + 2 * kvHeads);
  if (failed(all))
    return failure();
  Value first = b.constant(heads), second = b.constant(heads + kvHeads);
  return Heads{b.slice(*all, 1, b.constant(0), first),
               b.slice(*all, 1, first, second), b.slice(*all, 1, second)};
}

/// The cache of a fixed size that the node has; null if it grows, or if there
/// is none.
FailureOr<std::unique_ptr<FixedCache>>
fixedCacheOf(onnx::MicrosoftGroupQueryAttentionOp op,
             onnx::MicrosoftGroupQueryAttentionOp::Adaptor in, Value steps,
             NodeBuilder &b) {
  int64_t window = op.getLocalWindowSize();
  bool hasPast = isPresent(in.getPastKey()), isCausal = op.getCausal();
  bool keepsWindow = op.getSlidingWindowCache() != 0;
  if (keepsWindow &&
      (!hasPast || !isCausal || window < 1 || isPresent(in.getAttentionBias())))
    return b.decline() << "expected a past_key, causal 1, a local_window_size "
                          "of 1 or more and no attention_bias beside "
                          "sliding_window_cache, got others";
  std::unique_ptr<FixedCache> cache;
  if (!hasPast || !isCausal)
    return std::move(cache);
  // seqlens_k is the last place of each sample.
  Value tokens = b.create<torch::AtenAddScalarOp>(
      b.convert(in.getSeqlensK(), int64Dtype(b)), b.constant(1), b.constant(1));
  Value rows = b.size(in.getPastKey(), 2);
  if (keepsWindow) {
    b.check(b.eqInt(b.maxInt(rows, b.constant(window)), rows),
            "a past_key of at least local_window_size rows");
    cache = std::make_unique<WindowCache>(b, tokens, rows, steps, window);
    return std::move(cache);
  }
  FailureOr<Value> total =
      intOf(b, in.getTotalSequenceLength(), "total_sequence_length");
  if (failed(total))
    return failure();
  std::optional<int64_t> known = torch::matchInt(rows),
                         wanted = torch::matchInt(*total);
  if (known && wanted && *wanted <= *known)
    cache = std::make_unique<BufferCache>(b, tokens, rows, steps, window);
  return std::move(cache);
}

/// GroupQueryAttention: attention of num_heads query heads and kv_num_heads of
/// keys and values, turned by their places, after those of earlier steps. The
/// cache grows with each step, unless it has rows for all tokens already, by
/// sizes that are known, or keeps a window.
FailureOr<SmallVector<Value>>
lowerGroupQueryAttention(onnx::MicrosoftGroupQueryAttentionOp op,
                         onnx::MicrosoftGroupQueryAttentionOp::Adaptor in,
                         NodeBuilder &b) {
  for (Value extra : {in.getKScale(), in.getVScale()})
    if (isPresent(extra))
      return b.decline() << "expected no scales of the cache, got "
                         << extra.getType();
  if (isWanted(op.getOutputQk()))
    return b.decline() << "expected no output_qk, got one";
  if (failed(checkTogether(b, in.getPastKey(), in.getPastValue(),
                           "past_key and past_value")) ||
      failed(checkTogether(b, in.getQNormWeight(), in.getKNormWeight(),
                           "q_norm_weight and k_norm_weight")))
    return failure();
  FailureOr<Heads> split = groupedHeads(op, in, b);
  if (failed(split) || b.hasFailed())
    return failure();
  auto [query, key, value] = *split;
  bool hasPast = isPresent(in.getPastKey());
  Value past = hasPast ? b.size(in.getPastKey(), 2) : b.constant(0);
  Value queries = b.size(query, 2), keys = b.addInt(past, queries);
  auto cache = fixedCacheOf(op, in, queries, b);
  if (failed(cache))
    return failure();
  if (isPresent(in.getQNormWeight())) {
    query = rmsNorm(b, query, in.getQNormWeight(), op.getQkNormEpsilon(), 3);
    key = rmsNorm(b, key, in.getKNormWeight(), op.getQkNormEpsilon(), 3);
  }
  if (op.getDoRotary().value_or(0)) {
    if (!isPresent(in.getCosCache()) || !isPresent(in.getSinCache()))
      return b.decline() << "expected cos_cache and sin_cache, got none";
    auto angles = [&](Value table) { // [1 or B, 1, S, width / 2]
      if (isPresent(in.getPositionIds()))
        return b.unsqueeze(take(b, table, in.getPositionIds(), 0), 1);
      if (*cache)
        return b.unsqueeze(take(b, table, (*cache)->places(), 0), 1);
      return b.unsqueeze(b.unsqueeze(b.slice(table, 0, past, keys), 0), 0);
    };
    Value cos = angles(in.getCosCache()), sin = angles(in.getSinCache());
    Value width = b.mulInt(b.size(in.getCosCache(), 1), b.constant(2));
    bool isInterleaved = op.getRotaryInterleaved().value_or(0);
    query = turnPairs(b, query, cos, sin, width, isInterleaved);
    key = turnPairs(b, key, cos, sin, width, isInterleaved);
  }
  if (hasPast && !*cache) {
    Value least = b.create<torch::AtenAminOp>(
        in.getSeqlensK(), b.ints(ArrayRef<int64_t>(0)), b.constantBool(false));
    Value missing = b.subInt(
        keys, b.addInt(b.create<torch::AtenIntTensorOp>(least), b.constant(1)));
    b.check(b.eqInt(b.mulInt(past, missing), b.constant(0)),
            "a past_key of all earlier tokens of each sample and no more");
  }
  if (hasPast) {
    key = b.cat({in.getPastKey(), key}, 2);
    value = b.cat({in.getPastValue(), value}, 2);
  }
  if (b.hasFailed())
    return failure();
  Value bias, presentKey = key, presentValue = value;
  if (*cache) {
    presentKey = (*cache)->after(key);
    presentValue = (*cache)->after(value);
    key = (*cache)->attended(key);
    value = (*cache)->attended(value);
    bias = (*cache)->bias(dtypeOf(query));
  } else if (op.getCausal()) {
    bias = causalBias(b, lastPlaces(b, queries, keys), keys,
                      op.getLocalWindowSize(), dtypeOf(query));
  }
  if (isPresent(in.getAttentionBias()))
    bias = addTo(b, bias, in.getAttentionBias());
  Value count = b.constant(op.getNumHeads());
  Softmax softmax = {valueOr(op.getSoftcap(), 0), Value()};
  if (isPresent(in.getHeadSink()))
    softmax.sink = in.getHeadSink();
  else if (op.getSmoothSoftmax() == 1)
    softmax.sink = filled(b, count, b.constantFloat(0), dtypeOf(query));
  FailureOr<Value> y =
      attend(b, query, repeatHeads(b, key, count), repeatHeads(b, value, count),
             bias, valueOr(op.getScale(), 0), softmax);
  if (failed(y))
    return failure();
  return SmallVector<Value>{*y, presentKey, presentValue, Value()};
}

/// The heads of query, key and value, the first part of the bias added to each.
template <typename Op>
FailureOr<Heads> headsOf(Op op, typename Op::Adaptor in, NodeBuilder &b) {
  if (isPresent(in.getCacheIndirection()) || isWanted(op.getQk()))
    return b.decline() << "expected no cache_indirection or qk, got one of "
                          "them";
  if (!isPresent(in.getKey()) || !isPresent(in.getValue()) ||
      op.getNumHeads() < 1 || op.getNumHeads() > maxHeads)
    return b.decline() << "expected query, key and value apart, and num_heads "
                          "in [1, "
                       << maxHeads << "], got " << in.getQuery().getType()
                       << " and " << op.getNumHeads();
  if (failed(checkTogether(b, in.getPastKey(), in.getPastValue(),
                           "past_key and past_value")))
    return failure();
  Value end = b.constant(0); // of the bias's part that was added last
  auto heads = [&](Value x) {
    if (isPresent(in.getBias()) && rankOf(x) == 3) {
      Value begin = end;
      end = b.addInt(begin, b.size(x, 2));
      x = b.add(x, b.slice(in.getBias(), 0, begin, end));
    }
    return splitHeads(b, x, op.getNumHeads());
  };
  auto query = heads(in.getQuery()), key = heads(in.getKey()),
       value = heads(in.getValue());
  if (failed(query) || failed(key) || failed(value) || b.hasFailed())
    return failure();
  return Heads{*query, *key, *value};
}

/// MultiHeadAttention: attention of query, key and value after the keys and
/// values of earlier steps.
FailureOr<SmallVector<Value>>
lowerMultiHeadAttention(onnx::MicrosoftMultiHeadAttentionOp op,
                        onnx::MicrosoftMultiHeadAttentionOp::Adaptor in,
                        NodeBuilder &b) {
  if (isPresent(in.getPastSequenceLength()))
    return b.decline() << "expected no past_sequence_length, got "
                       << in.getPastSequenceLength().getType();
  FailureOr<Heads> heads = headsOf(op, in, b);
  if (failed(heads))
    return failure();
  auto [query, key, value] = *heads;
  Value first = b.constant(0);
  if (isPresent(in.getPastKey())) {
    first = b.size(in.getPastKey(), 2);
    key = b.cat({in.getPastKey(), key}, 2);
    value = b.cat({in.getPastValue(), value}, 2);
  }
  Value places;
  if (op.getUnidirectional()) {
    // As in onnxruntime, the last query attends to all keys.
    Value last = b.subInt(b.addInt(first, b.size(query, 2)), b.constant(1)),
          keys = b.size(key, 2);
    places = b.cat(
        {iota(b, first, last), iota(b, keys, b.addInt(keys, b.constant(1)))},
        0);
  }
  FailureOr<Value> bias =
      biasOf(b, query, key, in.getKeyPaddingMask(), in.getAttentionBias(),
             places, valueOr(op.getMaskFilterValue(), -10000));
  if (failed(bias))
    return failure();
  Value y = attend(b, query, key, value, *bias, valueOr(op.getScale(), 0));
  return SmallVector<Value>{y, key, value, Value()};
}

/// DecoderMaskedMultiHeadAttention: MultiHeadAttention of one token, whose key
/// and value are written into buffers [B, heads, room, E] behind those of
/// past_sequence_length earlier tokens. Without buffers, it reads all keys.
FailureOr<SmallVector<Value>> lowerDecoderMaskedMultiHeadAttention(
    onnx::MicrosoftDecoderMaskedMultiHeadAttentionOp op,
    onnx::MicrosoftDecoderMaskedMultiHeadAttentionOp::Adaptor in,
    NodeBuilder &b) {
  bool hasBuffer = isPresent(in.getPastKey());
  if (isPresent(in.getBeamWidth()) ||
      hasBuffer != bool(op.getPastPresentShareBuffer().value_or(0)) ||
      hasBuffer != isPresent(in.getPastSequenceLength()))
    return b.decline() << "expected past_key, past_sequence_length and "
                          "past_present_share_buffer together, and no "
                          "beam_width, got others";
  FailureOr<Heads> heads = headsOf(op, in, b);
  if (failed(heads))
    return failure();
  auto [query, key, value] = *heads;
  Value mask = in.getMaskIndex(), scoreBias = in.getAttentionBias(), bias;
  if (hasBuffer) {
    FailureOr<Value> past =
        intOf(b, in.getPastSequenceLength(), "past_sequence_length");
    if (failed(past))
      return failure();
    Value room = b.size(in.getPastKey(), 2);
    b.check(b.eqInt(b.minInt(b.maxInt(*past, b.constant(0)),
                             b.subInt(room, b.constant(1))),
                    *past),
            "a past_sequence_length that leaves room in the buffer");
    Value places = iota(b, b.constant(0), room);
    Value isNew =
        alongAxis(b, b.create<torch::AtenEqScalarOp>(places, *past), 2, 4);
    key = b.where(isNew, key, in.getPastKey());
    value = b.where(isNew, value, in.getPastValue());
    bias = unless(b, b.create<torch::AtenLeScalarOp>(places, *past), -infinity,
                  dtypeOf(query));
    // Both are as wide as the number of tokens; the rest is masked already.
    auto widened = [&](Value x) {
      Value width = b.size(x, rankOf(x) - 1);
      return padLastDims(b, x, b.constant(0), b.subInt(room, width),
                         number(b, 0, dtypeOf(x)));
    };
    if (isPresent(mask) && rankOf(mask) == 2)
      mask = widened(mask);
    if (isPresent(scoreBias))
      scoreBias = widened(scoreBias);
  }
  FailureOr<Value> given =
      biasOf(b, query, key, mask, scoreBias, /*places=*/Value(),
             valueOr(op.getMaskFilterValue(), -10000));
  if (failed(given) || b.hasFailed())
    return failure();
  if (*given)
    bias = addTo(b, bias, *given);
  Value y = attend(b, query, key, value, bias, valueOr(op.getScale(), 0));
  return SmallVector<Value>{y, key, value, Value()};
}

} // namespace

void onnx_to_torch::populateFusedAttention(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerAttention);
  lowerings.add(lowerDecoderMaskedMultiHeadAttention);
  lowerings.add(lowerGroupQueryAttention);
  lowerings.add(lowerMultiHeadAttention);
  lowerings.add(lowerQAttention);
}
