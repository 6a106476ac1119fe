//===- Reduction.cpp - Means, variances, softmax --------------------------===//
//
// Sums in half types are f32 sums, rounded once, as in PyTorch's kernels.
//
//===----------------------------------------------------------------------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// The reduced dims go unless the op keeps them.
static Value finish(TorchBuilder &b, Tensor x, ArrayRef<int64_t> dims,
                    Value keepdim) {
  std::optional<bool> keeps = matchBool(keepdim);
  if (!keeps)
    return b.fail("expected keepdim to be known while compiling");
  return *keeps || x.rank() == 0 ? Value(x) : b.squeeze(x, dims);
}

static Value unknownDims(TorchBuilder &b) {
  return b.fail("expected dims that are known while compiling");
}

static Value meanDim(AtenMeanDimOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  auto dims = reducedDims(op.getDim(), x.rank());
  if (!dims)
    return unknownDims(b);
  Type dtype = tensorType(op).getDtype();
  return finish(b, meanOver(x.as(dtype).widened(), *dims).as(dtype), *dims,
                op.getKeepdim());
}

/// var(x) = sum((x - mean(x))^2) / max(n - correction, 0), and the mean.
template <typename Op>
static std::pair<Value, Value> varianceAndMean(Op op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  auto dims = reducedDims(op.getDim(), x.rank());
  if (!dims)
    return {unknownDims(b), {}};
  Tensor mean = meanOver(x, *dims), distance = x - mean;
  Tensor correction = isNone(op.getCorrection())
                          ? x.number(1)
                          : scalar(b, op.getCorrection(), x.dtype());
  Tensor variance = sumOver(distance * distance, *dims) /
                    max(countOver(x, *dims) - correction, 0);
  return {finish(b, variance.as(own.dtype()), *dims, op.getKeepdim()),
          finish(b, mean.as(own.dtype()), *dims, op.getKeepdim())};
}

static Value var(AtenVarCorrectionOp op, TorchBuilder &b) {
  return varianceAndMean(op, b).first;
}

static Decompositions::Values varMean(AtenVarMeanCorrectionOp op,
                                      TorchBuilder &b) {
  auto [variance, mean] = varianceAndMean(op, b);
  return {variance, mean};
}

/// norm(x, p) = sum(|x|^p)^(1/p); the limits for p = inf, -inf are the largest
/// and the smallest |x|, and p = 0 counts what is not 0.
static Value vectorNorm(AtenLinalgVectorNormOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor x = Tensor(b, op.getSelf()).as(dtype).widened();
  auto dims = reducedDims(op.getDim(), x.rank());
  std::optional<double> p = matchNumber(op.getOrd());
  if (!dims || !p)
    return b.fail("expected an order and dims that are known while compiling");
  Tensor size = abs(x), norm = size;
  if (*p == infinity)
    norm = largestOver(size, *dims);
  else if (*p == -infinity)
    norm = -largestOver(-size, *dims);
  else if (*p == 0)
    norm = sumOver((size != 0).as(x.dtype()), *dims);
  else if (*p == 1)
    norm = sumOver(size, *dims);
  else if (*p == 2)
    norm = sqrt(sumOver(x * x, *dims));
  else
    norm = sumOver(size.apply<AtenPowTensorTensorOp>(x.number(*p)), *dims)
               .apply<AtenPowTensorTensorOp>(x.number(1 / *p));
  return finish(b, norm.as(dtype), *dims, op.getKeepdim());
}

/// logsumexp(x) = m + log(sum(exp(x - m))) with m = max(x), or 0 where that is
/// infinite.
static Value logsumexp(AtenLogsumexpOp op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened();
  auto dims = reducedDims(op.getDim(), x.rank());
  if (!dims)
    return unknownDims(b);
  Tensor m = largestOver(x, *dims);
  m = where(abs(m) == infinity, 0, m);
  Tensor y = log(sumOver(exp(x - m), *dims)) + m;
  return finish(b, y.as(tensorType(op).getDtype()), *dims, op.getKeepdim());
}

/// The operand in the dtype the op asks for, and the dim it works along.
template <typename Op>
static std::optional<std::pair<Tensor, int64_t>>
softmaxOperands(Op op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  Tensor x = Tensor(b, op.getSelf()).as(tensorType(op).getDtype()).widened();
  if (!dim)
    return std::nullopt;
  return std::pair(x, normalDim(*dim, x.rank()));
}

/// softmax(x) = exp(x - max(x)) / sum(exp(x - max(x)))
template <typename Op>
static Value softmax(Op op, TorchBuilder &b) {
  auto operands = softmaxOperands(op, b);
  if (!operands)
    return unknownDims(b);
  auto [x, dim] = *operands;
  Tensor e = exp(x - largestOver(x, dim));
  return (e / sumOver(e, dim)).as(tensorType(op).getDtype());
}

/// log_softmax(x) = x - max(x) - log(sum(exp(x - max(x))))
template <typename Op>
static Value logSoftmax(Op op, TorchBuilder &b) {
  auto operands = softmaxOperands(op, b);
  if (!operands)
    return unknownDims(b);
  auto [x, dim] = *operands;
  Tensor shifted = x - largestOver(x, dim);
  return (shifted - log(sumOver(exp(shifted), dim)))
      .as(tensorType(op).getDtype());
}

/// any(x) is the largest, all(x) the smallest of x != 0.
template <typename ReduceOp, typename Op>
static Value reduceBools(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  Tensor flags = isBoolean(x.dtype()) ? x : x != 0;
  return b.create<ReduceOp>(flags, b.ints(ValueRange(op.getDim())),
                            op.getKeepdim());
}

void populateReduction(Decompositions &decompositions) {
  decompositions.add(reduceBools<AtenAminOp, AtenAllDimOp>,
                     reduceBools<AtenAmaxOp, AtenAnyDimOp>,
                     logSoftmax<Aten_LogSoftmaxOp>,
                     logSoftmax<AtenLogSoftmaxIntOp>, logsumexp, meanDim,
                     softmax<Aten_SoftmaxOp>, softmax<AtenSoftmaxIntOp>, var,
                     varMean, vectorNorm);
}

} // namespace isthmus::decompose_torch
