//===- Attention.cpp - Scaled dot-product attention -----------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/ViewOps.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// 1 / sqrt(E) unless the op gives a scale.
static Tensor scaleOf(AtenScaledDotProductAttentionOp op, TorchBuilder &b,
                      Tensor query) {
  if (!isNone(op.getScale()))
    return scalar(b, op.getScale(), query.dtype());
  Value size = b.size(query, query.rank() - 1);
  if (std::optional<int64_t> known = matchInt(size))
    return query.number(1 / std::sqrt(static_cast<double>(*known)));
  return rsqrt(scalar(b, size, query.dtype()));
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

/// softmax over the last dim; 0 in rows where the mask hides all keys.
static Tensor safeSoftmax(Tensor scores, bool mayHideAll) {
  int64_t last = scores.rank() - 1;
  Tensor m = largestOver(scores, last);
  if (mayHideAll)
    m = where(m == -infinity, 0, m);
  Tensor e = exp(scores - m);
  Tensor total = sumOver(e, last);
  if (mayHideAll)
    total = where(total == 0, 1, total);
  return e / total;
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
  Tensor rows = query * scaleOf(op, b, query);
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

  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, key.rank()));
  std::swap(order[key.rank() - 1], order[key.rank() - 2]);
  Tensor scores = rows.apply<AtenMatmulOp>(b.permute(key, order)).widened();
  SmallVector<Value> groupedScores = b.sizes(scores);
  if (*isGrouped) {
    SmallVector<Value> sizes = heads;
    sizes.back() = b.size(scores, scores.rank() - 1);
    scores = {b, b.view(scores, sizes)};
  }

  bool hasMask = !isNone(op.getAttnMask());
  if (*isCausal)
    scores = where(causalMask(b, scores), scores, -infinity);
  if (hasMask) {
    Tensor mask(b, op.getAttnMask());
    scores = isBoolean(mask.dtype()) ? where(mask, scores, -infinity)
                                     : scores + mask.widened();
  }

  Tensor weights = safeSoftmax(scores, hasMask).as(dtype);
  if (*isGrouped)
    weights = {b, b.view(weights, groupedScores)};
  Value result = weights.apply<AtenMatmulOp>(value);
  if (!*isGrouped)
    return result;
  heads.back() = b.size(value, value.rank() - 1);
  return b.view(result, heads);
}

/// PyTorch's own decompositions turn attention into this op on a CPU. The
/// second result is used by gradients.
static Decompositions::Values
flashAttention(Aten_ScaledDotProductFlashAttentionForCpuOp op,
               TorchBuilder &b) {
  if (!op.getLogsumexp().use_empty())
    return {b.fail("expected uses of the first result only: the other serves "
                   "gradients"),
            {}};
  return {b.create<AtenScaledDotProductAttentionOp>(
              op.getQuery(), op.getKey(), op.getValue(), op.getAttnMask(),
              op.getDropoutP(), op.getIsCausal(), op.getScale(),
              b.constantBool(false)),
          {}};
}

void populateAttention(Decompositions &decompositions) {
  decompositions.add(attention, flashAttention);
}

} // namespace isthmus::decompose_torch
