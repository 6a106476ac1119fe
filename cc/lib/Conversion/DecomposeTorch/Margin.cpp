//===- Margin.cpp - Losses of pairs, triples and margins ------------------===//

#include "Decompositions.h"
#include "Loss.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/LossComposites.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

//===----------------------------------------------------------------------===//
// Of pairs and triples
//===----------------------------------------------------------------------===//

/// The sum over the last dim, which is removed.
static Tensor sumOverLast(Tensor x) {
  return {x.builder(), x.builder().sum(x, {x.rank() - 1}, /*keepdim=*/false)};
}

/// poisson_nll_loss(x, t) = exp(x) - t x for logarithms x, else x - t log(x +
/// eps). In full it has Stirling's t log(t) - t + log(2 pi t) / 2 for t > 1.
static Value poisson(AtenPoissonNllLossOp op, TorchBuilder &b) {
  std::optional<bool> isLog = matchBool(op.getLogInput()),
                      isFull = matchBool(op.getFull());
  if (!isLog || !isFull)
    return b.fail("expected a log_input and a full that are known while "
                  "compiling");
  Type dtype = tensorType(op).getDtype();
  Tensor x = computedIn(b, op.getInput(), dtype),
         t = computedIn(b, op.getTarget(), dtype);
  Tensor losses = *isLog ? exp(x) - t * x
                         : x - t * log(x + scalar(b, op.getEps(), x.dtype()));
  if (*isFull) {
    Tensor logarithm = log(t);
    Tensor stirling =
        t * logarithm - t + log(t * (2 * llvm::numbers::pi)) * 0.5;
    losses = losses + where(t <= 1, 0, stirling);
  }
  return reduced(op, b, losses);
}

/// hinge_embedding_loss(x, t) = x for t = 1, max(margin - x, 0) for t = -1, and
/// their sum for other t.
static Value hingeEmbedding(AtenHingeEmbeddingLossOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor x = computedIn(b, op.getSelf(), dtype), t(b, op.getTarget());
  Tensor below = max(scalar(b, op.getMargin(), x.dtype()) - x, 0);
  return reduced(op, b,
                 where(t == 1, 0, below) + where(t == -1, x.number(0), x));
}

/// margin_ranking_loss(x, y, t) = max(margin - t (x - y), 0)
static Value marginRanking(AtenMarginRankingLossOp op, TorchBuilder &b) {
  Tensor x(b, op.getInput1()), y(b, op.getInput2()), t(b, op.getTarget());
  // Integers are subtracted before they are converted, which may round them.
  Tensor above = computedIn(b, t * (x - y), tensorType(op).getDtype());
  Tensor margin = scalar(b, op.getMargin(), above.dtype());
  return reduced(op, b, max(margin - above, 0));
}

/// cosine_embedding_loss(x, y, t), with the cosine c of x and y, is 1 - c for t
/// = 1, max(c - margin, 0) for t = -1, and 0 for other t.
static Value cosineEmbedding(AtenCosineEmbeddingLossOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor x = computedIn(b, op.getInput1(), dtype),
         y = computedIn(b, op.getInput2(), dtype), t(b, op.getTarget());
  auto square = [](Tensor v) { return sumOverLast(v * v) + 1e-12; };
  Tensor cosine = sumOverLast(x * y) / sqrt(square(x) * square(y));
  Tensor unlike = max(cosine - scalar(b, op.getMargin(), x.dtype()), 0);
  return reduced(op, b, where(t == 1, 1 - cosine, where(t == -1, unlike, 0)));
}

/// triplet_margin_loss(a, p, n) = max(d(a, p) - d(a, n) + margin, 0) with the
/// pairwise distance d. Swapped, d(p, n) is used where it is smaller than d(a,
/// n).
static Value tripletMargin(AtenTripletMarginLossOp op, TorchBuilder &b) {
  std::optional<bool> isSwapped = matchBool(op.getSwap());
  if (!isSwapped)
    return b.fail("expected a swap that is known while compiling");
  auto distance = [&](Value x, Value y) {
    Value own = b.create<AtenPairwiseDistanceOp>(x, y, op.getP(), op.getEps(),
                                                 b.constantBool(false));
    return computedIn(b, own, tensorType(op).getDtype());
  };
  Tensor near = distance(op.getAnchor(), op.getPositive()),
         far = distance(op.getAnchor(), op.getNegative());
  if (*isSwapped)
    far = min(far, distance(op.getPositive(), op.getNegative()));
  Tensor margin = scalar(b, op.getMargin(), near.dtype());
  return reduced(op, b, max(near - far + margin, 0));
}

//===----------------------------------------------------------------------===//
// Of classes
//===----------------------------------------------------------------------===//

/// x with the sizes of another tensor, which may have dims of size 1 more or
/// fewer.
static Tensor sizedLike(Tensor x, Value other) {
  TorchBuilder &b = x.builder();
  bool isSame = x.rank() == tensorType(other).getRank();
  return isSame ? x : Tensor(b, b.view(x, b.sizes(other)));
}

namespace {
/// Scores [N,C] or [C], a class for each sample, and what the other classes
/// exceed it by: max(margin - x[t] + x[c], 0).
struct Margins {
  Tensor scores;
  Classes classes;
  Tensor above; // 0 for the class itself
  bool isSquared;
  int64_t dim; // of the classes
};
} // namespace

template <typename Op>
static std::optional<Margins> marginsOf(Op op, TorchBuilder &b, Type dtype) {
  Tensor x = atLeastRow(computedIn(b, op.getSelf(), dtype));
  std::optional<double> p = matchNumber(op.getP());
  if ((p != 1.0 && p != 2.0) || x.rank() > 2) {
    b.fail("expected a p of 1 or 2, and scores [N,C] or [C]");
    return std::nullopt;
  }
  int64_t dim = classDim(x);
  Classes classes = classesOf(b, x, op.getTarget(), b.constant(-1));
  Tensor own(b, b.unsqueeze(chosen(x, classes), dim));
  Tensor above = max(scalar(b, op.getMargin(), x.dtype()) - own + x, 0);
  above = where(isChosen(x, classes), 0, above);
  return Margins{x, classes, above, p == 2.0, dim};
}

/// 1 / C, times the weight of the class of each sample if there are weights.
template <typename Op>
static Tensor weightOfSamples(Op op, TorchBuilder &b, const Margins &margins) {
  Tensor x = margins.scores, share = 1 / countOver(x, margins.dim);
  std::optional<Tensor> weights = classWeights(b, x, op.getWeight());
  if (!weights)
    return share;
  return chosen({b, b.expand(*weights, b.sizes(x))}, margins.classes) * share;
}

/// multi_margin_loss(x, t) = sum(weight[t] max(margin - x[t] + x[c], 0)^p) / C
/// over the C - 1 other classes c, where p is 1 or 2.
static Value multiMargin(AtenMultiMarginLossOp op, TorchBuilder &b) {
  std::optional<Margins> margins = marginsOf(op, b, tensorType(op).getDtype());
  if (!margins)
    return {};
  Tensor above = margins->above;
  Tensor slopes = margins->isSquared ? above * above : above;
  Tensor losses = sumOverLast(slopes) * weightOfSamples(op, b, *margins);
  return reduced(op, b, sizedLike(losses, op.getTarget()));
}

/// The gradient of the scores `self` with these slopes [N,C] or [C], for one of
/// the samples' losses.
static Value gradientOf(Reduction reduction, Tensor g, Tensor slope,
                        Value self) {
  TorchBuilder &b = slope.builder();
  if (reduction == Reduction::Mean && slope.rank() == 2)
    g = g / countOver(slope, 0);
  if (g.rank() > 0) // a column for [N,C], and one number for [C]
    g = {b, b.view(g, slope.rank() == 2
                          ? SmallVector<Value>{b.size(slope, 0), b.constant(1)}
                          : SmallVector<Value>{})};
  return sizedLike(g * slope, self).as(tensorType(self).getDtype());
}

/// The gradient for another class is that of its term; for the class itself it
/// is minus their sum.
static Value multiMarginBackward(AtenMultiMarginLossBackwardOp op,
                                 TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  std::optional<Reduction> reduction = reductionOf(op, b);
  std::optional<Margins> margins = marginsOf(op, b, dtype);
  if (!reduction || !margins)
    return {};
  Tensor above = margins->above, x = margins->scores;
  Tensor slope = margins->isSquared ? above * 2 : (above > 0).as(x.dtype());
  Tensor g = computedIn(b, op.getGradOutput(), dtype) *
             weightOfSamples(op, b, *margins);
  Tensor own = -sumOver(slope, margins->dim);
  slope = where(isChosen(x, margins->classes), own, slope);
  return gradientOf(*reduction, g, slope, op.getSelf());
}

namespace {
/// Scores [N,C] or [C], and labels of the same sizes, which end at the first
/// negative one.
struct Labels {
  Tensor isLabel; // [...,labels,classes]: the class is that of the label
  Tensor isAny;   // [...,1,classes]: the class is that of some label
  Tensor above;   // [...,labels,classes]: max(1 - x[l] + x[c], 0), or 0 if the
                  // class has a label or there is no label
  Tensor count;   // of the classes
};
} // namespace

template <typename Op>
static std::optional<Labels> labelsOf(Op op, TorchBuilder &b, Type dtype) {
  Tensor x = atLeastRow(computedIn(b, op.getSelf(), dtype)),
         t = atLeastRow({b, op.getTarget()});
  if (x.rank() > 2 || t.rank() != x.rank()) {
    b.fail("expected scores and labels [N,C] or [C]");
    return std::nullopt;
  }
  int64_t dim = x.rank() - 1;
  Value last = b.constant(dim);
  Tensor ended = (t < 0).as(t.dtype()).apply<AtenCumsumOp>(last, b.none());
  Tensor isGiven = ended == 0, places = where(isGiven, t, 0);
  Tensor numbers = range(b, b.constant(0), b.size(x, dim)).as(t.dtype());
  Tensor isKept(b, b.unsqueeze(isGiven, dim + 1));
  Tensor isLabel =
      (Tensor(b, b.unsqueeze(places, dim + 1)) == numbers) & isKept;
  Tensor isAny = isLabel.apply<AtenAnyDimOp>(last, b.constantBool(true));
  Tensor own = x.apply<AtenGatherOp>(last, places, b.constantBool(false));
  Tensor above = max(1 - Tensor(b, b.unsqueeze(own, dim + 1)) +
                         Tensor(b, b.unsqueeze(x, dim)),
                     0);
  Tensor isCompared = isKept & !isAny;
  return Labels{isLabel, isAny, where(isCompared, above, 0), countOver(x, dim)};
}

/// multilabel_margin_loss(x, t) = sum(max(1 - x[l] + x[c], 0)) / C over the
/// labels l and the other classes c.
static Tensor lossOf(const Labels &labels) {
  return sumOverLast(sumOverLast(labels.above)) / labels.count;
}

static Value multilabelMargin(AtenMultilabelMarginLossOp op, TorchBuilder &b) {
  std::optional<Labels> labels = labelsOf(op, b, tensorType(op).getDtype());
  return labels ? reduced(op, b, lossOf(*labels)) : Value();
}

/// The loss, and 1 for the classes that have a label.
static Decompositions::Values
multilabelMarginForward(AtenMultilabelMarginLossForwardOp op, TorchBuilder &b) {
  Type dtype = tensorType(op.getOutput()).getDtype();
  std::optional<Reduction> reduction = reductionOf(op, b);
  std::optional<Labels> labels = labelsOf(op, b, dtype);
  if (!reduction || !labels)
    return {{}, {}};
  Tensor flags(b, b.squeeze(labels->isAny, labels->isAny.rank() - 2));
  return {reduced(*reduction, lossOf(*labels), dtype),
          sizedLike(flags, op.getTarget()).as(dtype)};
}

/// Each positive term has the gradient 1 for its class and -1 for its label.
static Value multilabelMarginBackward(AtenMultilabelMarginLossBackwardOp op,
                                      TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  std::optional<Reduction> reduction = reductionOf(op, b);
  std::optional<Labels> labels = labelsOf(op, b, dtype);
  if (!reduction || !labels)
    return {};
  int64_t dim = labels->above.rank() - 2;
  Tensor isPositive = (labels->above > 0).as(labels->above.dtype());
  Tensor slopes =
      where(labels->isLabel, -sumOver(isPositive, dim + 1), isPositive);
  Tensor slope(b, b.squeeze(sumOver(slopes, dim), dim));
  Tensor g = computedIn(b, op.getGradOutput(), dtype) / labels->count;
  return gradientOf(*reduction, g, slope, op.getSelf());
}

void populateMargin(Decompositions &decompositions) {
  decompositions.add(cosineEmbedding, hingeEmbedding, marginRanking,
                     multiMargin, multiMarginBackward, multilabelMargin,
                     multilabelMarginBackward, multilabelMarginForward, poisson,
                     tripletMargin);
}

} // namespace isthmus::decompose_torch
