//===- Norm.cpp - Norms and distances -------------------------------------===//

#include "Decompositions.h"
#include "Matrices.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/GradientComposites.h"
#include "isthmus/Dialect/Torch/IndexingComposites.h"
#include "isthmus/Dialect/Torch/IndexingOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// norm(x, p) = sum(|x|^p)^(1/p); the limits for p = inf, -inf are the largest
/// and the smallest |x|, and p = 0 counts nonzero elements. The dims are kept
/// with size 1.
static Tensor normOver(Tensor x, double p, ArrayRef<int64_t> dims) {
  Tensor size = abs(x);
  if (p == infinity)
    return largestOver(size, dims);
  if (p == -infinity)
    return -largestOver(-size, dims);
  if (p == 0)
    return sumOver((size != 0).as(x.dtype()), dims);
  if (p == 1)
    return sumOver(size, dims);
  if (p == 2)
    return sqrt(sumOver(x * x, dims));
  return sumOver(size.apply<AtenPowTensorTensorOp>(x.number(p)), dims)
      .apply<AtenPowTensorTensorOp>(x.number(1 / p));
}

/// The order of a norm. Nothing after a failure.
static std::optional<double> orderOf(TorchBuilder &b, Value p) {
  std::optional<double> order = matchNumber(p);
  if (!order)
    b.fail("expected an order that is known while compiling");
  return order;
}

/// A tensor with the norm of x: the moduli of complex numbers, else x itself.
static Tensor moduliOf(Tensor x) { return isComplex(x.dtype()) ? abs(x) : x; }

static Value vectorNorm(AtenLinalgVectorNormOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor x = moduliOf({b, op.getSelf()}).as(dtype).widened();
  auto arguments = ReductionArguments::read(op);
  if (!arguments)
    return b.fail(kConstantReduction);
  std::optional<double> p = orderOf(b, op.getOrd());
  if (!p)
    return {};
  Tensor norm = normOver(x, *p, arguments->dims).as(dtype);
  return arguments->keepdim || x.rank() == 0 ? Value(norm)
                                             : b.squeeze(norm, arguments->dims);
}

/// norm(x, p, dims) is the vector norm; the default p is 2.
static Value normOver(TorchBuilder &b, Value x, Value p, Value dims,
                      Value keepdim, Value dtype) {
  return b.create<AtenLinalgVectorNormOp>(x, isNone(p) ? b.constant(2) : p,
                                          dims, keepdim, dtype);
}
static Value norm(AtenNormScalarOptDimOp op, TorchBuilder &b) {
  return normOver(b, op.getSelf(), op.getP(), op.getDim(), op.getKeepdim(),
                  b.none());
}
static Value normIn(AtenNormScalarOptDimDtypeOp op, TorchBuilder &b) {
  return normOver(b, op.getSelf(), op.getP(), op.getDim(), op.getKeepdim(),
                  op.getDtype());
}
static Value normOfAll(AtenNormScalarOp op, TorchBuilder &b) {
  return normOver(b, op.getSelf(), op.getP(), b.none(), b.constantBool(false),
                  b.none());
}
static Value normOfAllIn(AtenNormScalarOptDtypeOp op, TorchBuilder &b) {
  return normOver(b, op.getSelf(), op.getP(), b.none(), b.constantBool(false),
                  op.getDtype());
}

/// cosine_similarity(x, y, dim, eps) = sum(x / max(|x|, eps) * y / max(|y|,
/// eps))
static Value cosineSimilarity(AtenCosineSimilarityOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  SmallVector<Value> sizes =
      broadcastSizes(b, b.sizes(op.getX1()), b.sizes(op.getX2()));
  Type dtype = tensorType(op).getDtype();
  int64_t normal = normalDim(*dim, sizes.size());
  auto unit = [&](Value x) {
    Tensor whole = Tensor(b, b.expand(x, sizes)).as(dtype).widened();
    return whole / max(normOver(whole, 2, normal),
                       scalar(b, op.getEps(), whole.dtype()));
  };
  Tensor product = unit(op.getX1()) * unit(op.getX2());
  return b.convert(b.sum(product, normal, /*keepdim=*/false), dtype);
}

/// cdist(x [...,P,M], y [...,R,M])[..., i, j] = norm(x[..., i] - y[..., j])
static Value cdist(Aten_CdistForwardOp op, TorchBuilder &b) {
  std::optional<double> p = orderOf(b, op.getP());
  if (!p)
    return {};
  Tensor x(b, op.getX1()), y(b, op.getX2());
  Tensor rows(b, b.unsqueeze(x, x.rank() - 1)),
      columns(b, b.unsqueeze(y, y.rank() - 2));
  Tensor difference = rows - columns;
  int64_t last = difference.rank() - 1;
  return b.squeeze(normOver(difference, *p, last), last);
}

/// The gradient of a difference d, given that of its norm: for p = 2, g d /
/// |d|; in general, g sign(d) (abs(d) / |d|)^(p - 1); for p = inf, that of the
/// largest elements. It is 0 where d is.
static Tensor gradientOfDifference(Tensor difference, Tensor gradient,
                                   Tensor norm, double p) {
  if (p == 0)
    return zerosLike(difference);
  Tensor isZero = difference == 0, size = abs(difference);
  Tensor sign = where(difference > 0, 1, where(difference < 0, -1, difference));
  if (p == 1)
    return gradient * sign;
  if (p == infinity) {
    Tensor below = norm - size; // NaN of infinities, as in PyTorch
    return gradient * sign * where(below > 0, 0, below + 1);
  }
  Tensor power = size / where(isZero, 1, norm);
  if (p != 2)
    power = where(isZero, 1, power)
                .apply<AtenPowTensorTensorOp>(power.number(p - 1));
  return where(isZero, 0, gradient * sign * power);
}

/// The gradient of x [...,P,M]: that of its differences with each y.
static Value cdistBackward(Aten_CdistBackwardOp op, TorchBuilder &b) {
  std::optional<double> p = orderOf(b, op.getP());
  if (!p)
    return {};
  Tensor x(b, op.getX1()), y(b, op.getX2());
  auto perPair = [&](Value pairs) -> Tensor {
    return {b, b.unsqueeze(pairs, tensorType(pairs).getRank())};
  };
  Tensor difference = Tensor(b, b.unsqueeze(x, x.rank() - 1)) -
                      Tensor(b, b.unsqueeze(y, y.rank() - 2));
  Tensor gradient = gradientOfDifference(difference, perPair(op.getGrad()),
                                         perPair(op.getCdist()), *p);
  int64_t others = difference.rank() - 2;
  return b.squeeze(sumOver(gradient, others), others);
}

static Value cdistOf(AtenCdistOp op, TorchBuilder &b) {
  return b.create<Aten_CdistForwardOp>(op.getX1(), op.getX2(), op.getP(),
                                       op.getComputeMode());
}

namespace {
/// The pairs i < j of the rows of x [n,m], in their order: all i, all j, and
/// the differences x[i] - x[j], which a norm of order p measures.
struct Pairs {
  double p;
  Value first, second;
  Tensor differences;
};
} // namespace

/// Nothing after a failure.
template <typename Op>
static std::optional<Pairs> pairsOfRows(Op op, TorchBuilder &b) {
  std::optional<double> p = orderOf(b, op.getP());
  if (!p)
    return std::nullopt;
  Tensor x(b, op.getSelf());
  int64_t count = x.sizes()[0];
  if (ShapedType::isDynamic(count)) {
    b.fail("expected a number of rows that is known while compiling");
    return std::nullopt;
  }
  if (count > maxLiteral || count * (count - 1) / 2 > maxLiteral) {
    b.fail("expected at most " + Twine(maxLiteral) + " pairs of rows, got " +
           Twine(count) + " rows");
    return std::nullopt;
  }
  SmallVector<int64_t> first, second;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = i + 1; j < count; ++j) {
      first.push_back(i);
      second.push_back(j);
    }
  auto asLiteral = [&](ArrayRef<int64_t> numbers) {
    return integers(b, numbers, static_cast<int64_t>(numbers.size()));
  };
  Value i = asLiteral(first), j = asLiteral(second), rows = b.constant(0);
  return Pairs{*p, i, j,
               x.apply<AtenIndexSelectOp>(rows, i) -
                   x.apply<AtenIndexSelectOp>(rows, j)};
}

/// pdist(x [n,m]) = norm(x[i] - x[j]) for the pairs i < j.
static Value pdist(Aten_PdistForwardOp op, TorchBuilder &b) {
  auto pairs = pairsOfRows(op, b);
  if (!pairs)
    return {};
  return b.squeeze(normOver(pairs->differences, pairs->p, 1), 1);
}

/// The gradient of each difference is added to x[i] and subtracted from x[j].
static Value pdistBackward(Aten_PdistBackwardOp op, TorchBuilder &b) {
  auto pairs = pairsOfRows(op, b);
  if (!pairs)
    return {};
  auto perPair = [&](Value row) -> Tensor { return {b, b.unsqueeze(row, 1)}; };
  Value gradient =
      gradientOfDifference(pairs->differences, perPair(op.getGrad()),
                           perPair(op.getPdist()), pairs->p);
  return zerosLike({b, op.getSelf()})
      .apply<AtenIndexAddOp>(b.constant(0), pairs->first, gradient,
                             b.constant(1))
      .apply<AtenIndexAddOp>(b.constant(0), pairs->second, gradient,
                             b.constant(-1));
}

/// dist(x, y, p): the norm of the difference of all elements.
static Value dist(AtenDistOp op, TorchBuilder &b) {
  std::optional<double> p = orderOf(b, op.getP());
  if (!p)
    return {};
  Type dtype = tensorType(op).getDtype();
  Type common = resultDtype({op.getSelf(), op.getOther()});
  Tensor difference = moduliOf(Tensor(b, op.getSelf()).as(common) -
                               Tensor(b, op.getOther()).as(common));
  SmallVector<int64_t> dims = allDims(difference.rank());
  return b.squeeze(normOver(difference.widened(), *p, dims).as(dtype), dims);
}

/// pairwise_distance(x, y, p, eps, keepdim): the norm of x - y + eps over the
/// last dim.
static Value pairwiseDistance(AtenPairwiseDistanceOp op, TorchBuilder &b) {
  std::optional<double> p = matchNumber(op.getP());
  std::optional<bool> keepdim = matchBool(op.getKeepdim());
  if (!p || !keepdim)
    return b.fail("expected an order and keepdim that are known while "
                  "compiling");
  Type dtype = tensorType(op).getDtype();
  // Integers are subtracted before they are converted, which may round them.
  Tensor difference = Tensor(b, op.getX1()) - Tensor(b, op.getX2());
  if (!isComplex(difference.dtype()))
    difference = difference.as(dtype);
  difference =
      moduliOf(difference + scalar(b, op.getEps(), difference.dtype()));
  int64_t last = difference.rank() - 1;
  Value norm = normOver(difference.widened(), *p, last).as(dtype);
  return *keepdim ? norm : b.squeeze(norm, last);
}

/// renorm(x, p, dim, maxnorm): slices of the dim whose norm is above maxnorm
/// are scaled to it.
static Value renorm(AtenRenormOp op, TorchBuilder &b) {
  std::optional<double> p = matchNumber(op.getP());
  std::optional<int64_t> dim = matchInt(op.getDim());
  Tensor own(b, op.getSelf()), x = own.widened();
  if (!p || !dim || own.rank() == 0)
    return b.fail("expected an order and a dim that are known while compiling");
  SmallVector<int64_t> others = allDims(x.rank());
  others.erase(others.begin() + normalDim(*dim, x.rank()));
  Tensor norm = normOver(moduliOf(x), *p, others),
         most = scalar(b, op.getMaxnorm(), norm.dtype());
  return (x * where(norm > most, most / (norm + 1e-7), 1)).as(own.dtype());
}

/// embedding_renorm(x [n,m], indices, maxnorm, p): rows that the indices select
/// and whose norm is above maxnorm are scaled to it.
static Value embeddingRenorm(AtenEmbeddingRenormOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  Tensor scaled =
      x.apply<AtenRenormOp>(op.getNormType(), b.constant(0), op.getMaxNorm());
  Value none = filled(b, {b.size(x, 0), b.constant(1)}, 0, x.dtype());
  Tensor marks(b, b.create<AtenIndexFillIntScalarOp>(
                      none, b.constant(0),
                      b.view(op.getIndices(), b.constant(-1)), b.constant(1)));
  return where(marks > 0, scaled, x);
}

void populateNorm(Decompositions &decompositions) {
  decompositions.add(cdistBackward, cdistOf, cdist, cosineSimilarity, dist,
                     embeddingRenorm, norm, normIn, normOfAll, normOfAllIn,
                     pairwiseDistance, pdistBackward, pdist, renorm,
                     vectorNorm);
}

} // namespace isthmus::decompose_torch
