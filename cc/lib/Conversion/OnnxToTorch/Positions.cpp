//===- Positions.cpp - onnxruntime's positions of tokens to ATen ----------===//
//
// One function per op of onnxruntime's. The comment beside it is its
// definition (https://onnxruntime.ai, ContribOperators).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Heads.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ViewComposites.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Declines what no rotary embedding here has.
template <typename Op>
LogicalResult checkRotary(Op op, NodeBuilder &b) {
  double scale = op.getScale() ? op.getScale()->convertToDouble() : 1;
  if (!op.getIsPackedBatching().value_or(0) && scale == 1)
    return success();
  return b.decline() << "expected is_packed_batching to be 0 and scale 1, got "
                     << op.getIsPackedBatching().value_or(0) << " and "
                     << scale;
}

/// turnPairs of the heads of [B, S, heads * E] or [B, heads, S, E] by angles
/// [B, S, R]. Heads of which the node has no number are as wide as the angles.
template <typename Op>
FailureOr<Value> turn(Op op, Value input, Value cos, Value sin,
                      NodeBuilder &b) {
  Value width = b.mulInt(b.size(cos, 2), b.constant(2));
  std::optional<int64_t> heads = op.getNumHeads().value_or(0);
  if (*heads == 0) {
    auto all = torch::matchInt(b.size(input, rankOf(input) - 1)),
         each = torch::matchInt(width);
    heads = all && each && *each ? std::optional(*all / *each) : std::nullopt;
  }
  FailureOr<Value> x = splitHeads(b, input, heads);
  if (failed(x) || b.hasFailed())
    return failure();
  Value turned = turnPairs(b, *x, b.unsqueeze(cos, 1), b.unsqueeze(sin, 1),
                           width, op.getInterleaved().value_or(0));
  return rankOf(input) == 3 ? joinHeads(b, turned) : turned;
}

/// RotaryEmbedding: turnPairs by the caches' angles at the positions of each
/// token, or of the first.
FailureOr<Value>
lowerRotaryEmbedding(onnx::MicrosoftRotaryEmbeddingOp op,
                     onnx::MicrosoftRotaryEmbeddingOp::Adaptor in,
                     NodeBuilder &b) {
  if (failed(checkRotary(op, b)))
    return failure();
  Value input = in.getInput(), positions = in.getPositionIds();
  if (rankOf(positions) == 1) {
    Value tokens = b.size(input, rankOf(input) == 3 ? 1 : 2);
    Value next = b.convert(iota(b, b.constant(0), tokens), dtypeOf(positions));
    positions = b.unsqueeze(b.add(positions, next), 0);
  }
  return turn(op, input, take(b, in.getCosCache(), positions, 0),
              take(b, in.getSinCache(), positions, 0), b);
}

/// MRotaryEmbedding: the same, with a position in time, height and width for
/// each token [3, B, S]. An angle follows one of the three: those of the
/// sections one after the other, or under mrope_layout 1 every third of as many
/// as a section has follows height (from 1 on) and width (from 2 on).
FailureOr<Value>
lowerMRotaryEmbedding(onnx::MicrosoftMRotaryEmbeddingOp op,
                      onnx::MicrosoftMRotaryEmbeddingOp::Adaptor in,
                      NodeBuilder &b) {
  if (failed(checkRotary(op, b)))
    return failure();
  SmallVector<int64_t> sections = intsOf(op.getMropeSection());
  int64_t angles = sizeOf(in.getCosCache(), 1),
          layout = op.getMropeLayout().value_or(0);
  constexpr int64_t most = 1 << 16;
  if (sections.size() != 3 ||
      llvm::any_of(sections, [](int64_t n) { return n < 0 || n > most; }) ||
      sections[0] + sections[1] + sections[2] != angles)
    return b.decline() << "expected three numbers in mrope_section whose sum "
                          "is the width of cos_cache, got "
                       << sections.size() << " for "
                       << in.getCosCache().getType();
  if (layout != 0 && layout != 1)
    return b.decline() << "expected mrope_layout to be 0 or 1, got " << layout;
  auto followed = [&](int64_t angle) -> int64_t { // 0 is time
    if (layout == 0)
      return angle < sections[0]                 ? 0
             : angle < sections[0] + sections[1] ? 1
                                                 : 2;
    int64_t which = angle % 3;
    return angle < 3 * sections[which] ? which : 0;
  };
  auto follows = [&](int64_t which) { // [R]
    SmallVector<bool> mask;
    for (int64_t angle = 0; angle < angles; ++angle)
      mask.push_back(followed(angle) == which);
    auto type = RankedTensorType::get({angles}, b.getBuilder().getI1Type());
    return b.literal(DenseElementsAttr::get(type, mask));
  };
  Value isHeight = follows(1), isWidth = follows(2);
  auto anglesOf = [&](Value cache) { // [B, S, R]
    Value all = take(b, cache, in.getPositionIds(), 0);
    auto of = [&](int64_t which) -> Value {
      return b.create<torch::AtenSelectIntOp>(all, b.constant(0),
                                              b.constant(which));
    };
    return b.where(isHeight, of(1), b.where(isWidth, of(2), of(0)));
  };
  return turn(op, in.getInput(), anglesOf(in.getCosCache()),
              anglesOf(in.getSinCache()), b);
}

/// RelativePositionBias: bias_table[head][bucket of key - query] as [1, heads,
/// queries, keys]. Half of the buckets, those of greater places if it
/// is_bidirectional, and again half of what is left, are of one distance each;
/// the others grow with the logarithm up to max_distance (T5,
/// https://arxiv.org/abs/1910.10683). The table's memory is [heads, buckets].
FailureOr<Value>
lowerRelativePositionBias(onnx::MicrosoftRelativePositionBiasOp op,
                          onnx::MicrosoftRelativePositionBiasOp::Adaptor in,
                          NodeBuilder &b) {
  FailureOr<Value> queries = intOf(b, in.getQueryLength(), "query_length"),
                   keys = intOf(b, in.getKeyLength(), "key_length");
  if (failed(queries) || failed(keys) ||
      failed(requireAtLeast(b, *queries, 0, "query_length")) ||
      failed(requireAtLeast(b, *keys, 0, "key_length")))
    return failure();
  bool isBidirectional = op.getIsBidirectional();
  int64_t buckets = sizeOf(in.getBiasTable(), 0);
  int64_t half = isBidirectional ? buckets / 2 : buckets, exact = half / 2;
  if (ShapedType::isDynamic(buckets) || exact < 1 ||
      op.getMaxDistance() <= exact)
    return b.decline() << "expected at least " << (isBidirectional ? 4 : 2)
                       << " buckets and a max_distance beyond those of one "
                          "distance each, got "
                       << in.getBiasTable().getType() << " and "
                       << op.getMaxDistance();
  Value table = b.view(in.getBiasTable(),
                       {b.size(in.getBiasTable(), 1), b.constant(buckets)});
  Value zero = b.constant(0);
  Value place =
      b.sub(iota(b, zero, *keys), alongAxis(b, iota(b, zero, *queries), 0, 2));
  Value bucket, distance;
  if (isBidirectional) {
    Value isAfter = b.create<torch::AtenGtScalarOp>(place, zero);
    bucket = b.create<torch::AtenMulScalarOp>(b.convert(isAfter, int64Dtype(b)),
                                              b.constant(half));
    distance = b.create<torch::AtenAbsOp>(place);
  } else {
    distance = b.create<torch::AtenNegOp>(
        b.create<torch::AtenClampOp>(place, b.none(), zero));
  }
  // exact + log(distance / exact) / log(max_distance / exact) * (half - exact)
  Value far = b.convert(
      b.create<torch::AtenClampOp>(distance, b.constant(exact), b.none()),
      Float32Type::get(b.getContext()));
  Value logarithm = b.create<torch::AtenLogOp>(
      b.create<torch::AtenDivScalarOp>(far, b.constantFloat(exact)));
  double base = std::log(static_cast<double>(op.getMaxDistance()) / exact);
  Value steps = b.convert(
      scaled(b,
             b.create<torch::AtenDivScalarOp>(logarithm, b.constantFloat(base)),
             half - exact),
      int64Dtype(b));
  Value wide = b.create<torch::AtenClampOp>(
      b.create<torch::AtenAddScalarOp>(steps, b.constant(exact), b.constant(1)),
      b.none(), b.constant(half - 1));
  Value isExact = b.create<torch::AtenLtScalarOp>(distance, b.constant(exact));
  Value own = b.where(isExact, distance, wide);
  return b.unsqueeze(take(b, table, bucket ? b.add(bucket, own) : own, 1), 0);
}

/// GatedRelativePositionBias: rel_pos * (u * (r * eco_a - 1) + 2), where u and
/// r of each query head are sigmoids of the sums of both halves of (query_layer
/// + query_bias) * weight + bias.
FailureOr<Value> lowerGatedRelativePositionBias(
    onnx::MicrosoftGatedRelativePositionBiasOp op,
    onnx::MicrosoftGatedRelativePositionBiasOp::Adaptor in, NodeBuilder &b) {
  if (isPresent(in.getTokenOffset()))
    return b.decline() << "expected no token_offset, got "
                       << in.getTokenOffset().getType();
  FailureOr<Value> query = splitHeads(
      b, b.add(in.getQueryLayer(), in.getQueryBias()), op.getNumHeads());
  if (failed(query))
    return failure();
  Value gates = b.add(b.create<torch::AtenMatmulOp>(*query, in.getWeight()),
                      in.getBias()); // [B, heads, S, D]
  if (b.hasFailed())
    return failure();
  Value half = b.floorDivInt(b.size(gates, 3), b.constant(2));
  auto gate = [&](Value begin, Value end) -> Value {
    return b.create<torch::AtenSigmoidOp>(
        b.sum(b.slice(gates, 3, begin, end), {3}, /*keepdim=*/true));
  };
  Value first = gate(b.constant(0), half), second = gate(half, Value());
  Value factor = addNumber(b, b.mul(second, in.getEcoA()), -1);
  factor = addNumber(b, b.mul(first, factor), 2);
  return b.mul(factor, in.getRelPos());
}

} // namespace

void onnx_to_torch::populatePositions(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerGatedRelativePositionBias);
  lowerings.add(lowerMRotaryEmbedding);
  lowerings.add(lowerRelativePositionBias);
  lowerings.add(lowerRotaryEmbedding);
}
