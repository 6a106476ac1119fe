//===- Reduction.cpp - Means, variances, softmax --------------------------===//
//
// Sums of half types are computed in f32 and rounded once, as in PyTorch's
// kernels.
//
//===----------------------------------------------------------------------===//

#include "Complex.h"
#include "Decompositions.h"
#include "Formulas.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/ReductionArguments.h"
#include "isthmus/Dialect/Torch/ReductionComposites.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// Removes the reduced dims unless the op keeps them.
static Value finish(TorchBuilder &b, Tensor x,
                    const ReductionArguments &arguments) {
  return arguments.keepdim || x.rank() == 0 ? Value(x)
                                            : b.squeeze(x, arguments.dims);
}

static Value meanDim(AtenMeanDimOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  auto arguments = ReductionArguments::read(op);
  if (!arguments)
    return b.fail(kConstantReduction);
  Type dtype = tensorType(op).getDtype();
  Tensor mean = meanOver(x.as(dtype).widened(), arguments->dims);
  return finish(b, mean.as(dtype), *arguments);
}

/// The mean of all elements.
static Value meanOfAll(AtenMeanOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor x = Tensor(b, op.getSelf()).as(dtype).widened();
  SmallVector<int64_t> dims = allDims(x.rank());
  return b.squeeze(meanOver(x, dims).as(dtype), dims);
}

/// Elements that are not NaN; 0 in the place of those that are.
static std::pair<Tensor, Tensor> numbersOf(Tensor x) {
  Tensor isNumber = x == x;
  return {where(isNumber, x, 0), isNumber};
}

static Value nansum(AtenNansumOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  if (isFloatingPoint(x.dtype()))
    x = numbersOf(x).first;
  return b.create<AtenSumDimIntListOp>(x, op.getDim(), op.getKeepdim(),
                                       op.getDtype());
}

static Value nanmean(AtenNanmeanOp op, TorchBuilder &b) {
  auto arguments = ReductionArguments::read(op);
  if (!arguments)
    return b.fail(kConstantReduction);
  Type dtype = tensorType(op).getDtype();
  auto [x, isNumber] = numbersOf(Tensor(b, op.getSelf()).as(dtype).widened());
  Tensor mean = sumOver(x, arguments->dims) /
                sumOver(isNumber.as(x.dtype()), arguments->dims);
  return finish(b, mean.as(dtype), *arguments);
}

/// count_nonzero(x, dim) = sum(x != 0)
template <typename Op>
static Value countNonzero(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  Tensor isThere = isBoolean(x.dtype()) ? x : x != 0;
  Value dims = op.getDim();
  if (isa<torch::IntType>(dims.getType()))
    dims = b.ints(ValueRange(dims));
  return b.create<AtenSumDimIntListOp>(isThere, dims, b.constantBool(false),
                                       b.none());
}

/// aminmax(x, dim): the least and the largest, of all elements without a dim.
template <typename Op>
static Decompositions::Values aminmax(Op op, TorchBuilder &b) {
  Value dims = isNone(op.getDim()) ? b.ints(ArrayRef<int64_t>())
                                   : b.ints(ValueRange(op.getDim()));
  return {b.create<AtenAminOp>(op.getSelf(), dims, op.getKeepdim()),
          b.create<AtenAmaxOp>(op.getSelf(), dims, op.getKeepdim())};
}

static Decompositions::Values aminmaxOfAll(Aten_AminmaxOp op, TorchBuilder &b) {
  auto both =
      b.create<AtenAminmaxOp>(op.getSelf(), b.none(), b.constantBool(false));
  return {both.getMin(), both.getMax()};
}

/// vecdot(x, y, dim) = sum(conj(x) * y, dim)
static Value vecdot(AtenLinalgVecdotOp op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim)
    return b.fail(kConstantDim);
  Type dtype = tensorType(op).getDtype();
  Tensor product = conj(Tensor(b, op.getX()).as(dtype).widened()) *
                   Tensor(b, op.getY()).as(dtype).widened();
  int64_t place = normalDim(*dim, product.rank());
  return b.convert(b.squeeze(sumOver(product, place), place), dtype);
}

static Value sumOfAll(AtenSumOp op, TorchBuilder &b) {
  return b.create<AtenSumDimIntListOp>(op.getSelf(), b.none(),
                                       b.constantBool(false), op.getDtype());
}

static Value productOfAll(AtenProdOp op, TorchBuilder &b) {
  Value flat = b.view(op.getSelf(), b.constant(-1));
  return b.create<AtenProdDimIntOp>(flat, b.constant(0), b.constantBool(false),
                                    op.getDtype());
}

template <typename ReduceOp, typename Op>
static Value extremumOfAll(Op op, TorchBuilder &b) {
  return b.create<ReduceOp>(op.getSelf(), b.ints(ArrayRef<int64_t>()),
                            b.constantBool(false));
}

/// max(x, dim) and min(x, dim): the values, and their first positions.
template <typename ReduceOp, typename PlaceOp, typename Op>
static Decompositions::Values extremumAlong(Op op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  Value places;
  if (!op.getIndices().use_empty()) {
    Type number = IntegerType::get(b.getContext(), 32, IntegerType::Signed);
    places = b.create<PlaceOp>(isBoolean(x.dtype()) ? x.as(number) : x,
                               op.getDim(), op.getKeepdim());
  }
  return {
      b.create<ReduceOp>(x, b.ints(ValueRange(op.getDim())), op.getKeepdim()),
      places};
}

/// The correction of a variance: 1, the unbiased estimate, by default.
template <typename Op>
static Tensor correctionOf(Op op, TorchBuilder &b, Type dtype) {
  Value correction = op.getCorrection();
  return scalar(b, isNone(correction) ? b.constant(1) : correction, dtype);
}
template <typename Op>
static Tensor unbiasedCorrection(Op op, TorchBuilder &b, Type dtype) {
  return scalar(b, b.fold<AtenIntBoolOp>(op.getUnbiased()), dtype);
}
static Tensor correctionOf(AtenStdDimOp op, TorchBuilder &b, Type dtype) {
  return unbiasedCorrection(op, b, dtype);
}
static Tensor correctionOf(AtenVarDimOp op, TorchBuilder &b, Type dtype) {
  return unbiasedCorrection(op, b, dtype);
}
static Tensor correctionOf(AtenStdMeanDimOp op, TorchBuilder &b, Type dtype) {
  return unbiasedCorrection(op, b, dtype);
}
static Tensor correctionOf(AtenVarMeanDimOp op, TorchBuilder &b, Type dtype) {
  return unbiasedCorrection(op, b, dtype);
}

/// var(x) = sum(|x - mean(x)|^2) / max(n - correction, 0), and the mean, which
/// is complex for complex x. The standard deviation is std(x) = sqrt(var(x)).
template <bool isDeviation, typename Op>
static std::pair<Value, Value> spreadAndMean(Op op, TorchBuilder &b) {
  Complex own = partsOf(b, op.getSelf());
  auto arguments = ReductionArguments::read(op);
  if (!arguments)
    return {b.fail(kConstantReduction), {}};
  ArrayRef<int64_t> dims = arguments->dims;
  auto squaresOf = [&](Tensor x, Tensor mean) {
    Tensor distance = x - mean;
    return sumOver(distance * distance, dims);
  };
  Complex x = eachPart(own, [](Tensor part) { return part.widened(); });
  Complex mean = eachPart(x, [&](Tensor part) { return meanOver(part, dims); });
  Tensor squares = squaresOf(x.real, mean.real);
  if (x.imaginary)
    squares = squares + squaresOf(*x.imaginary, *mean.imaginary);
  Tensor spread =
      squares /
      max(countOver(x.real, dims) - correctionOf(op, b, x.real.dtype()), 0);
  if (isDeviation)
    spread = sqrt(spread);
  auto finished = [&](Tensor result) -> Tensor {
    return {b, finish(b, result.as(own.real.dtype()), *arguments)};
  };
  mean = eachPart(mean, finished);
  bool isComplexMean = isComplex(tensorType(op.getSelf()).getDtype());
  return {finished(spread), isComplexMean ? joined(mean) : Value(mean.real)};
}

template <bool isDeviation, typename Op>
static Value spread(Op op, TorchBuilder &b) {
  return spreadAndMean<isDeviation>(op, b).first;
}

template <bool isDeviation, typename Op>
static Decompositions::Values withMean(Op op, TorchBuilder &b) {
  auto [spread, mean] = spreadAndMean<isDeviation>(op, b);
  return {spread, mean};
}

/// The same over all elements.
template <bool isDeviation, typename Op>
static Value spreadOfAll(Op op, TorchBuilder &b) {
  Value all = b.none(), keepdim = b.constantBool(false);
  if (isDeviation)
    return b.create<AtenStdDimOp>(op.getSelf(), all, op.getUnbiased(), keepdim);
  return b.create<AtenVarDimOp>(op.getSelf(), all, op.getUnbiased(), keepdim);
}

template <typename DimOp, typename Op>
static Decompositions::Values withMeanOfAll(Op op, TorchBuilder &b) {
  auto along = b.create<DimOp>(op.getSelf(), b.none(), op.getUnbiased(),
                               b.constantBool(false));
  return {along->getResult(0), along->getResult(1)};
}

/// logsumexp(x) = m + log(sum(exp(x - m))) with the largest real part m, or 0
/// where that is infinite.
static Value logsumexp(AtenLogsumexpOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor x = Tensor(b, op.getSelf()).as(dtype).widened();
  auto arguments = ReductionArguments::read(op);
  if (!arguments)
    return b.fail(kConstantReduction);
  Tensor m = largestOver(partsOf(b, x).real, arguments->dims);
  m = where(abs(m) == infinity, 0, m);
  Tensor y = log(sumOver(exp(x - m), arguments->dims)) + m;
  return finish(b, y.as(dtype), *arguments);
}

/// The operand in the dtype that the op specifies, and the dim of the op;
/// nothing, and a failure, if the dim is not known.
template <typename Op>
static std::optional<std::pair<Tensor, int64_t>>
softmaxOperands(Op op, TorchBuilder &b) {
  std::optional<int64_t> dim = matchInt(op.getDim());
  if (!dim) {
    b.fail(kConstantDim);
    return std::nullopt;
  }
  Tensor x = Tensor(b, op.getSelf()).as(tensorType(op).getDtype()).widened();
  return std::pair(x, normalDim(*dim, x.rank()));
}

/// softmax, and _safe_softmax, which is 0 where all elements are -infinity.
template <bool mayHideAll, typename Op>
static Value softmax(Op op, TorchBuilder &b) {
  auto operands = softmaxOperands(op, b);
  if (!operands)
    return {};
  auto [x, dim] = *operands;
  return softmaxOver(x, dim, mayHideAll).as(tensorType(op).getDtype());
}

/// log_softmax(x) = x - max(x) - log(sum(exp(x - max(x))))
template <typename Op>
static Value logSoftmax(Op op, TorchBuilder &b) {
  auto operands = softmaxOperands(op, b);
  if (!operands)
    return {};
  auto [x, dim] = *operands;
  Tensor shifted = x - largestOver(x, dim);
  return (shifted - log(sumOver(exp(shifted), dim)))
      .as(tensorType(op).getDtype());
}

/// any(x) is the largest, all(x) the smallest of x != 0.
template <typename ReduceOp, typename Op>
static Value reduceBools(Op op, TorchBuilder &b, Value dims, Value keepdim) {
  Tensor x(b, op.getSelf());
  Tensor flags = isBoolean(x.dtype()) ? x : x != 0;
  return b.convert(b.create<ReduceOp>(flags, dims, keepdim),
                   tensorType(op).getDtype());
}

template <typename ReduceOp, typename Op>
static Value boolsAlong(Op op, TorchBuilder &b) {
  return reduceBools<ReduceOp>(op, b, b.ints(ValueRange(op.getDim())),
                               op.getKeepdim());
}

template <typename ReduceOp, typename Op>
static Value boolsOver(Op op, TorchBuilder &b) {
  Value dims = op.getDim();
  return reduceBools<ReduceOp>(
      op, b, isNone(dims) ? b.ints(ArrayRef<int64_t>()) : dims,
      op.getKeepdim());
}

template <typename ReduceOp, typename Op>
static Value boolsOfAll(Op op, TorchBuilder &b) {
  return reduceBools<ReduceOp>(op, b, b.ints(ArrayRef<int64_t>()),
                               b.constantBool(false));
}

void populateReduction(Decompositions &decompositions) {
  decompositions.add(
      spreadOfAll<false, AtenVarOp>, spreadOfAll<true, AtenStdOp>,
      boolsAlong<AtenAminOp, AtenAllDimOp>,
      boolsAlong<AtenAmaxOp, AtenAnyDimOp>, boolsOfAll<AtenAminOp, AtenAllOp>,
      boolsOfAll<AtenAmaxOp, AtenAnyOp>, boolsOver<AtenAminOp, AtenAllDimsOp>,
      boolsOver<AtenAmaxOp, AtenAnyDimsOp>,
      extremumAlong<AtenAmaxOp, AtenArgmaxOp, AtenMaxDimOp>,
      extremumAlong<AtenAminOp, AtenArgminOp, AtenMinDimOp>,
      extremumOfAll<AtenAmaxOp, AtenMaxOp>,
      extremumOfAll<AtenAminOp, AtenMinOp>, logSoftmax<Aten_LogSoftmaxOp>,
      logSoftmax<AtenLogSoftmaxIntOp>, logsumexp, meanDim, meanOfAll,
      productOfAll, softmax<true, Aten_SafeSoftmaxOp>,
      softmax<false, Aten_SoftmaxOp>, softmax<false, AtenSoftmaxIntOp>,
      spread<false, AtenVarCorrectionOp>, spread<false, AtenVarDimOp>,
      spread<true, AtenStdCorrectionOp>, spread<true, AtenStdDimOp>, sumOfAll,
      withMean<false, AtenVarMeanCorrectionOp>,
      withMean<false, AtenVarMeanDimOp>, withMean<true, AtenStdMeanDimOp>,
      withMean<true, AtenStdMeanCorrectionOp>,
      withMeanOfAll<AtenVarMeanDimOp, AtenVarMeanOp>,
      withMeanOfAll<AtenStdMeanDimOp, AtenStdMeanOp>,
      aminmax<Aten_AminmaxDimOp>, aminmax<AtenAminmaxOp>, aminmaxOfAll,
      countNonzero<AtenCountNonzeroOp>,
      countNonzero<AtenCountNonzeroDimIntListOp>, nanmean, nansum, vecdot);
}

} // namespace isthmus::decompose_torch
