//===- Attention.cpp - Scaled dot-product attention -----------------------===//

#include "Decompositions.h"
#include "Formulas.h"
#include "Matrices.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/LinearComposites.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/NnComposites.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// 1 / sqrt(E) unless the op gives a scale, in the dtype of what is scaled.
template <typename Op>
static Tensor scaleOf(Op op, TorchBuilder &b, Tensor query, Tensor scaled) {
  if (!isNone(op.getScale()))
    return scalar(b, op.getScale(), scaled.dtype());
  Value size = b.size(query, query.rank() - 1);
  if (std::optional<int64_t> known = matchInt(size))
    return scaled.number(1 / std::sqrt(static_cast<double>(*known)));
  return rsqrt(scalar(b, size, scaled.dtype()));
}

/// True where a query may attend to a key: at positions up to its own, [L,S].
static Tensor causalMask(TorchBuilder &b, Tensor scores) {
  auto positions = [&](int64_t dim) {
    return range(b, b.constant(0), b.size(scores, dim));
  };
  Tensor row(b, b.unsqueeze(positions(scores.rank() - 2), 1));
  Tensor column(b, positions(scores.rank() - 1));
  return column <= row;
}

/// The scores [...,L,S] with -inf where a query must not attend to a key, or
/// with the mask's own terms.
static Tensor masked(TorchBuilder &b, Tensor scores, bool isCausal,
                     Value mask) {
  if (isCausal)
    scores = where(causalMask(b, scores), scores, -infinity);
  if (isNone(mask))
    return scores;
  Tensor own(b, mask);
  return isBoolean(own.dtype()) ? where(own, scores, -infinity)
                                : scores + own.widened();
}

/// attention(Q [...,H,L,E], K [...,H,S,E], V [...,H,S,Ev]) =
///   softmax(Q K^T * scale + mask) V
/// With grouped queries, K and V have fewer heads, and each serves several
/// adjacent heads of Q: these become additional rows of one product.
static Value attention(AtenScaledDotProductAttentionOp op, TorchBuilder &b) {
  Tensor query(b, op.getQuery()), key(b, op.getKey()), value(b, op.getValue());
  std::optional<bool> isCausal = matchBool(op.getIsCausal());
  std::optional<bool> isGrouped = matchBool(op.getEnableGqa());
  if (!isCausal || !isGrouped)
    return b.fail(
        "expected is_causal and enable_gqa to be known while compiling");
  if (matchNumber(op.getDropoutP()) != 0.0)
    return b.fail("expected no dropout: its random numbers are PyTorch's own");
  if (*isCausal && !isNone(op.getAttnMask()))
    return b.fail("expected either a mask or is_causal, got both");

  Type dtype = query.dtype();
  SmallVector<Value> heads = b.sizes(query); // [...,H,L,E]
  // bf16 would round the scaled query; unscaled scores of f16 might overflow.
  bool scalesScores = dtype.isBF16();
  Tensor rows = scalesScores ? query : query * scaleOf(op, b, query, query);
  if (*isGrouped) {
    if (query.rank() < 3 || key.rank() != query.rank() ||
        value.rank() != query.rank())
      return b.fail("expected a query, a key and a value of one rank with a "
                    "dim of heads, got others");
    SmallVector<Value> grouped = heads;
    grouped[query.rank() - 3] = b.size(key, key.rank() - 3);
    grouped[query.rank() - 2] = b.constant(-1);
    rows = {b, b.view(rows, grouped)};
  }

  Tensor scores = matmul(rows, transposed(key)).widened();
  if (scalesScores)
    scores = scores * scaleOf(op, b, query, scores);
  SmallVector<Value> groupedScores = b.sizes(scores);
  if (*isGrouped) {
    SmallVector<Value> sizes = heads;
    sizes.back() = b.size(scores, scores.rank() - 1);
    scores = {b, b.view(scores, sizes)};
  }

  scores = masked(b, scores, *isCausal, op.getAttnMask());
  Tensor weights = softmaxOver(scores, scores.rank() - 1,
                               /*mayHideAll=*/!isNone(op.getAttnMask()))
                       .as(dtype);
  if (*isGrouped)
    weights = {b, b.view(weights, groupedScores)};
  Value result = weights.apply<AtenMatmulOp>(value);
  if (!*isGrouped)
    return result;
  heads.back() = b.size(value, value.rank() - 1);
  return b.view(result, heads);
}

/// Whether queries may have more heads than keys. Kernels take such ones
/// without being told; with as many keys as queries, a group is one query.
static bool hasGroups(Value query, Value key) {
  auto heads = [](Value x) {
    ValueTensorType type = tensorType(x);
    return type.getRank() > 2 ? type.getSizes()[type.getRank() - 3] : 1;
  };
  int64_t all = heads(query);
  return all != heads(key) || ShapedType::isDynamic(all);
}

/// Keys or values [N,G,S,E] for each head of the query, [N,H,S,E].
static Tensor forEachHead(TorchBuilder &b, Value query, Tensor x) {
  if (!hasGroups(query, x))
    return x;
  SmallVector<Value> all = b.sizes(x);
  SmallVector<Value> groups = all;
  all[1] = b.size(query, 1);
  groups.insert(groups.begin() + 2, b.floorDivInt(all[1], groups[1]));
  return {b, b.view(b.expand(b.unsqueeze(x, 2), groups), all)};
}

/// The gradient of keys or values [N,G,S,E], from those for each head.
static Tensor sumOfHeads(TorchBuilder &b, Value x, Tensor gradient) {
  if (!hasGroups(gradient, x))
    return gradient;
  SmallVector<Value> groups = b.sizes(x);
  groups.insert(groups.begin() + 2, b.constant(-1));
  return {b, b.sum(b.view(gradient, groups), {2}, /*keepdim=*/false)};
}

/// The masked scores [N,H,L,S] of attention without dropout; nothing, and a
/// failure, if they cannot be built.
template <typename Op>
static std::optional<Tensor> flashScores(Op op, TorchBuilder &b) {
  std::optional<bool> isCausal = matchBool(op.getIsCausal());
  if (!isCausal) {
    b.fail("expected is_causal to be known while compiling");
    return std::nullopt;
  }
  if (matchNumber(op.getDropoutP()) != 0.0) {
    b.fail("expected no dropout: its random numbers are PyTorch's own");
    return std::nullopt;
  }
  Tensor query = Tensor(b, op.getQuery()).widened();
  Tensor key = forEachHead(b, query, Tensor(b, op.getKey()).widened());
  Tensor scores = matmul(query * scaleOf(op, b, query, query), transposed(key));
  return masked(b, scores, *isCausal, op.getAttnMask());
}

/// PyTorch's own decompositions turn attention into this op on a CPU. Its
/// second result, log(sum(exp(scores))), serves gradients.
static Decompositions::Values
flashAttention(Aten_ScaledDotProductFlashAttentionForCpuOp op,
               TorchBuilder &b) {
  Value output = b.create<AtenScaledDotProductAttentionOp>(
      op.getQuery(), op.getKey(), op.getValue(), op.getAttnMask(),
      op.getDropoutP(), op.getIsCausal(), op.getScale(),
      b.constantBool(hasGroups(op.getQuery(), op.getKey())));
  if (op.getLogsumexp().use_empty())
    return {output, {}};
  std::optional<Tensor> scores = flashScores(op, b);
  if (!scores)
    return {Value(), Value()};
  Value sums = b.create<AtenLogsumexpOp>(*scores, b.ints(ArrayRef<int64_t>(-1)),
                                         b.constantBool(false));
  return {output, b.convert(sums, tensorType(op.getLogsumexp()).getDtype())};
}

/// With W = exp(scores - logsumexp), G the gradient of the output Y, and
/// D = W * (G V^T - sum(G * Y)) * scale: the gradients of Q, K and V are D K,
/// D^T Q and W^T G.
static Decompositions::Values
flashAttentionBackward(Aten_ScaledDotProductFlashAttentionForCpuBackwardOp op,
                       TorchBuilder &b) {
  std::optional<Tensor> scores = flashScores(op, b);
  if (!scores)
    return {Value(), Value(), Value()};
  auto wide = [&](Value value) { return Tensor(b, value).widened(); };
  Tensor query = wide(op.getQuery()), grad = wide(op.getGradOut());
  Tensor key = forEachHead(b, query, wide(op.getKey())),
         value = forEachHead(b, query, wide(op.getValue()));
  Tensor sums(b, b.unsqueeze(wide(op.getLogsumexp()), 3));
  // A row whose keys are all hidden has no weights.
  Tensor isHidden = sums == -infinity;
  Tensor weights = where(isHidden, 0, exp(*scores - where(isHidden, 0, sums)));
  Tensor change =
      matmul(grad, transposed(value)) - sumOver(grad * wide(op.getOut()), 3);
  Tensor ofScores = weights * change * scaleOf(op, b, query, query);
  auto like = [&](Value input, Tensor grad) -> Value {
    return sumOfHeads(b, input, grad).as(tensorType(input).getDtype());
  };
  return {like(op.getQuery(), matmul(ofScores, key)),
          like(op.getKey(), matmul(transposed(ofScores), query)),
          like(op.getValue(), matmul(transposed(weights), grad))};
}

/// The mask of attention on an accelerator, which not all kernels take.
template <typename Op>
static Value maskOf(Op op, TorchBuilder &b) {
  if constexpr (std::is_same_v<Op, Aten_ScaledDotProductFlashAttentionOp>)
    return b.none();
  else
    return op.getAttnBias();
}

/// What PyTorch's own decompositions turn attention into on an accelerator. All
/// results but the first serve gradients.
template <typename Op>
static Decompositions::Values deviceAttention(Op op, TorchBuilder &b) {
  Decompositions::Values results(op->getNumResults());
  if (!llvm::all_of(op->getResults().drop_front(),
                    [](Value result) { return result.use_empty(); })) {
    b.fail("expected a program that uses the first result alone: the others "
           "are those of a kernel for gradients");
    return results;
  }
  results.front() = b.create<AtenScaledDotProductAttentionOp>(
      op.getQuery(), op.getKey(), op.getValue(), maskOf(op, b),
      op.getDropoutP(), op.getIsCausal(), op.getScale(),
      b.constantBool(hasGroups(op.getQuery(), op.getKey())));
  return results;
}

/// The same without a kernel, whose second result are the weights.
static Decompositions::Values
plainAttention(Aten_ScaledDotProductAttentionMathOp op, TorchBuilder &b) {
  if (!isNone(op.getDropoutMask()))
    return {b.fail("expected no mask of dropout, got one"), {}};
  if (!op.getResult1().use_empty())
    return {b.fail("expected a program that does not use attention's weights"),
            {}};
  return {b.create<AtenScaledDotProductAttentionOp>(
              op.getQuery(), op.getKey(), op.getValue(), op.getAttnMask(),
              op.getDropoutP(), op.getIsCausal(), op.getScale(),
              op.getEnableGqa()),
          {}};
}

//===----------------------------------------------------------------------===//
// Layers that PyTorch runs as one kernel outside of training
//===----------------------------------------------------------------------===//

namespace {

/// Projections of an attention layer: the weight [3E,E] of query, key and
/// value, and that of the result.
struct Projections {
  Value inWeight, inBias, outWeight, outBias;
};

/// A mask that hides a key where it is not 0. The kind says which dims it has:
/// 0 is [T,S], 1 is [B,S], 2 has those of the scores.
struct Mask {
  Value mask, kind;
};

} // namespace

/// True where a mask hides a key, as it broadcasts to the scores [B,H,T,S];
/// nothing, and a failure, if its kind is not known.
static std::optional<Tensor> hidden(TorchBuilder &b, const Mask &mask) {
  Tensor own(b, mask.mask);
  std::optional<int64_t> kind = isNone(mask.kind) ? 2 : matchInt(mask.kind);
  if (!kind || *kind < 0 || *kind > 2) {
    b.fail("expected a kind of mask that is known while compiling");
    return std::nullopt;
  }
  Tensor isHidden = isBoolean(own.dtype()) ? own : own != 0;
  if (*kind == 1)
    isHidden = {b, b.unsqueeze(b.unsqueeze(isHidden, 1), 1)};
  return isHidden;
}

/// The result [B,T,E] of multi-head attention and its weights [B,H,T,S].
static std::optional<std::pair<Tensor, Tensor>>
multiHeadAttention(TorchBuilder &b, ArrayRef<Value> inputs, Value heads,
                   const Projections &projections, const Mask &mask) {
  Value width = b.size(inputs[0], 2), perHead = b.floorDivInt(width, heads);
  SmallVector<Tensor> parts; // query, key and value, [B,H,T,E/H]
  for (Value input : inputs) {
    Value start = b.mulInt(width, b.constant(parts.size()));
    auto own = [&](Value all) {
      return b.slice(all, 0, start, b.addInt(start, width));
    };
    Value projected = b.create<AtenLinearOp>(input, own(projections.inWeight),
                                             own(projections.inBias));
    parts.push_back(
        {b, b.permute(b.view(projected, {b.size(input, 0), b.size(input, 1),
                                         heads, perHead}),
                      {0, 2, 1, 3})});
  }
  Tensor query = parts[0];
  query = query * rsqrt(scalar(b, perHead, query.dtype()));
  Tensor scores = query.apply<AtenMatmulOp>(b.permute(parts[1], {0, 1, 3, 2}));
  if (!isNone(mask.mask)) {
    auto isHidden = hidden(b, mask);
    if (!isHidden)
      return std::nullopt;
    scores = where(*isHidden, -infinity, scores);
  }
  Tensor weights = scores.apply<AtenSoftmaxIntOp>(b.constant(3), b.none());
  Value merged =
      b.view(b.permute(weights.apply<AtenMatmulOp>(parts[2]), {0, 2, 1, 3}),
             {b.size(inputs[0], 0), b.size(inputs[0], 1), width});
  Tensor result(b, b.create<AtenLinearOp>(merged, projections.outWeight,
                                          projections.outBias));
  return std::pair(result, weights);
}

static Decompositions::Values
nativeAttention(Aten_NativeMultiHeadAttentionOp op, TorchBuilder &b) {
  auto isMean = matchBool(op.getAverageAttnWeights());
  Value inputs[] = {op.getQuery(), op.getKey(), op.getValue()};
  auto found = multiHeadAttention(b, inputs, op.getNumHead(),
                                  {op.getQkvWeight(), op.getQkvBias(),
                                   op.getProjWeight(), op.getProjBias()},
                                  {op.getMask(), op.getMaskType()});
  if (!found || !isMean)
    return {b.fail("expected arguments that are known while compiling"), {}};
  auto [result, weights] = *found;
  if (op->getResult(1).use_empty())
    return {result, {}};
  if (matchBool(op.getNeedWeights()) != true)
    return {b.fail("expected no uses of weights that are not asked for"), {}};
  return {result,
          *isMean ? b.squeeze(meanOver(weights, {1}), 1) : Value(weights)};
}

/// transformer_encoder_layer(x): attention, then two linear layers with an
/// activation between them; each is added to its input and normalized, before
/// it (norm_first) or after the sum.
static Value encoderLayer(Aten_TransformerEncoderLayerFwdOp op,
                          TorchBuilder &b) {
  auto usesGelu = matchBool(op.getUseGelu()),
       isNormFirst = matchBool(op.getNormFirst());
  if (!usesGelu || !isNormFirst)
    return b.fail("expected use_gelu and norm_first to be known while "
                  "compiling");
  auto normalized = [&](Value x, Value weight, Value bias) {
    return Tensor(b, b.create<AtenLayerNormOp>(
                         x, b.ints(ValueRange(b.size(x, 2))), weight, bias,
                         op.getEps(), b.constantBool(false)));
  };
  auto first = [&](Value x) {
    return normalized(x, op.getNormWeight_1(), op.getNormBias_1());
  };
  auto second = [&](Value x) {
    return normalized(x, op.getNormWeight_2(), op.getNormBias_2());
  };
  Tensor x(b, op.getSrc());
  Value input = *isNormFirst ? Value(first(x)) : Value(x);
  auto attended = multiHeadAttention(b, {input, input, input}, op.getNumHeads(),
                                     {op.getQkvWeight(), op.getQkvBias(),
                                      op.getProjWeight(), op.getProjBias()},
                                     {op.getMask(), op.getMaskType()});
  if (!attended)
    return {};
  x = x + attended->first;
  if (!*isNormFirst)
    x = first(x);
  Value inner = b.create<AtenLinearOp>(*isNormFirst ? second(x) : x,
                                       op.getFfnWeight_1(), op.getFfnBias_1());
  inner = *usesGelu ? Value(b.create<AtenGeluOp>(inner, b.constantStr("none")))
                    : Value(b.create<AtenReluOp>(inner));
  x = x + Tensor(b, b.create<AtenLinearOp>(inner, op.getFfnWeight_2(),
                                           op.getFfnBias_2()));
  return *isNormFirst ? x : second(x);
}

void populateAttention(Decompositions &decompositions) {
  decompositions.add(
      attention, deviceAttention<Aten_ScaledDotProductCudnnAttentionOp>,
      deviceAttention<Aten_ScaledDotProductEfficientAttentionOp>,
      deviceAttention<Aten_ScaledDotProductFlashAttentionOp>,
      deviceAttention<Aten_ScaledDotProductFusedAttentionOverrideableOp>,
      encoderLayer, flashAttention, flashAttentionBackward, nativeAttention,
      plainAttention);
}

} // namespace isthmus::decompose_torch
