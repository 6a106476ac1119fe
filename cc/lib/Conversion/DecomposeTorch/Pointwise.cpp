//===- Pointwise.cpp - Pointwise ops with scalars, bounds and masks -------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// aten.mul.Scalar(x, number) is aten.mul.Tensor(x, tensor(number)), and so on:
/// the number takes the dtype that the two are computed in.
template <typename ScalarOp, typename TensorOp>
static Value withTensor(ScalarOp op, TorchBuilder &b) {
  Type dtype = resultDtype({op.getSelf(), op.getOther()});
  if (std::is_same_v<ScalarOp, AtenDivScalarOp> && isIntegral(dtype))
    dtype = Float32Type::get(b.getContext());
  Tensor other = scalar(b, op.getOther(), dtype);
  if constexpr (std::is_same_v<ScalarOp, AtenAddScalarOp> ||
                std::is_same_v<ScalarOp, AtenSubScalarOp>)
    return b.create<TensorOp>(op.getSelf(), other, op.getAlpha()).getResult();
  else
    return b.create<TensorOp>(op.getSelf(), other).getResult();
}

/// clamp(x) = min(max(x, lower), upper); an absent bound is none.
static Tensor clampTo(Tensor x, std::optional<Tensor> lower,
                      std::optional<Tensor> upper, Type dtype) {
  if (lower)
    x = max(x, *lower);
  if (upper)
    x = min(x, *upper);
  return x.as(dtype);
}

static Tensor clamp(AtenClampOp op, TorchBuilder &b) {
  SmallVector<Value> present = {op.getSelf()};
  for (Value bound : {op.getMin(), op.getMax()})
    if (!isNone(bound))
      present.push_back(bound);
  Type dtype = resultDtype(present);
  auto bound = [&](Value number) {
    return isNone(number) ? std::nullopt
                          : std::optional(scalar(b, number, dtype));
  };
  return clampTo({b, op.getSelf()}, bound(op.getMin()), bound(op.getMax()),
                 dtype);
}

/// hardtanh(x) = clamp(x, min, max)
static Tensor hardtanh(AtenHardtanhOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return clampTo(x, scalar(b, op.getMinVal(), x.dtype()),
                 scalar(b, op.getMaxVal(), x.dtype()), x.dtype());
}

static Tensor clampTensor(AtenClampTensorOp op, TorchBuilder &b) {
  SmallVector<Value> present = {op.getSelf()};
  auto bound = [&](Value tensor) -> std::optional<Tensor> {
    if (isNone(tensor))
      return std::nullopt;
    present.push_back(tensor);
    return Tensor(b, tensor);
  };
  std::optional<Tensor> lower = bound(op.getMin()), upper = bound(op.getMax());
  return clampTo({b, op.getSelf()}, lower, upper, resultDtype(present));
}

/// Integers are never infinite.
static Value isinf(AtenIsinfOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  if (isFloatingPoint(x.dtype()))
    return abs(x) == std::numeric_limits<double>::infinity();
  Type dtype = IntegerType::get(b.getContext(), 1);
  return b.create<AtenFullOp>(b.ints(b.sizes(x)), b.constantBool(false),
                              b.dtype(dtype), b.none(), b.none(), b.none());
}

/// masked_fill(x, mask, value) = value where the mask is true, else x.
static Tensor maskedFill(AtenMaskedFillTensorOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return where({b, op.getMask()}, Tensor(b, op.getValue()).as(x.dtype()), x);
}

static Tensor maskedFillScalar(AtenMaskedFillScalarOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return where({b, op.getMask()}, scalar(b, op.getValue(), x.dtype()), x);
}

/// rsub(x, number, alpha) = number - alpha * x
static Value rsub(AtenRsubScalarOp op, TorchBuilder &b) {
  Tensor other =
      scalar(b, op.getOther(), resultDtype({op.getSelf(), op.getOther()}));
  return b.create<AtenSubTensorOp>(other, op.getSelf(), op.getAlpha());
}

static Tensor square(AtenSquareOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return x * x;
}

/// The same op under another name.
template <typename Op, typename Renamed>
static Value renamed(Op op, TorchBuilder &b) {
  return b.create<Renamed>(op->getOperand(0), op->getOperand(1));
}

/// Devices, layouts and storage play no part: these give what they get.
template <typename Op>
static Value identity(Op op, TorchBuilder &) {
  return op->getOperand(0);
}

/// What a conversion asks for is its result's dtype.
template <typename Op>
static Value converted(Op op, TorchBuilder &b) {
  return b.convert(op->getOperand(0), tensorType(op).getDtype());
}

static Value dropout(AtenDropoutOp op, TorchBuilder &b) {
  if (matchBool(op.getTrain()) != false)
    return b.fail("expected dropout outside of training");
  return op.getInput();
}

/// What PyTorch knew of a tensor when it traced.
static Decompositions::Values assertMetadata(Aten_AssertTensorMetadataOp,
                                             TorchBuilder &) {
  return {};
}

/// x ** number. Exponents with an exact form take it, as in PyTorch's kernels:
/// for integers, too, where no other power is exact.
static Tensor powTensorScalar(AtenPowTensorScalarOp op, TorchBuilder &b) {
  Type dtype = resultDtype({op.getSelf(), op.getExponent()});
  Tensor x = Tensor(b, op.getSelf()).as(dtype);
  std::optional<double> exponent = matchNumber(op.getExponent());
  if (exponent == 1.0)
    return x;
  if (exponent == 2.0)
    return x * x;
  if (exponent == 3.0)
    return x * x * x;
  if (exponent == 0.5 && isFloatingPoint(dtype))
    return sqrt(x);
  if (exponent == -0.5 && isFloatingPoint(dtype))
    return rsqrt(x);
  if (exponent == -1.0 && isFloatingPoint(dtype))
    return x.apply<AtenReciprocalOp>();
  return x.apply<AtenPowTensorTensorOp>(scalar(b, op.getExponent(), dtype));
}

void populatePointwise(Decompositions &decompositions) {
  decompositions.add(
      withTensor<AtenAddScalarOp, AtenAddTensorOp>, assertMetadata, clamp,
      clampTensor, converted<Aten_ToCopyOp>, converted<AtenToDeviceOp>,
      converted<AtenToDtypeLayoutOp>, converted<AtenToDtypeOp>,
      converted<AtenTypeAsOp>, dropout, hardtanh, identity<AtenAliasOp>,
      identity<AtenCloneOp>, identity<AtenContiguousOp>, identity<AtenDetachOp>,
      withTensor<AtenDivScalarOp, AtenDivTensorOp>,
      withTensor<AtenEqScalarOp, AtenEqTensorOp>,
      withTensor<AtenGeScalarOp, AtenGeTensorOp>,
      withTensor<AtenGtScalarOp, AtenGtTensorOp>, isinf,
      withTensor<AtenLeScalarOp, AtenLeTensorOp>,
      withTensor<AtenLtScalarOp, AtenLtTensorOp>, maskedFill, maskedFillScalar,
      withTensor<AtenMulScalarOp, AtenMulTensorOp>,
      withTensor<AtenNeScalarOp, AtenNeTensorOp>, powTensorScalar,
      renamed<Aten__And__TensorOp, AtenBitwiseAndTensorOp>,
      renamed<Aten__Or__TensorOp, AtenBitwiseOrTensorOp>, rsub, square,
      withTensor<AtenSubScalarOp, AtenSubTensorOp>);
}

} // namespace isthmus::decompose_torch
