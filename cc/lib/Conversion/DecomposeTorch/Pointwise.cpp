//===- Pointwise.cpp - Pointwise ops with scalars, bounds and masks -------===//

#include "Decompositions.h"
#include "Tensor.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include <limits>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace isthmus::decompose_torch {

/// Whether a number is known, and one of a dtype's own.
static bool isExact(Value number, Type dtype) {
  std::optional<double> known = matchNumber(number);
  auto type = dyn_cast<mlir::FloatType>(dtype);
  if (!known || !type)
    return false;
  APFloat rounded(*known);
  bool losesInfo;
  rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return !losesInfo;
}

/// aten.mul.Scalar(x, number) is aten.mul.Tensor(x, tensor(number)), and so on:
/// the number gets the dtype in which the op computes. That of products and
/// quotients of narrow floats is f32.
template <typename ScalarOp, typename TensorOp>
static Value withTensor(ScalarOp op, TorchBuilder &b) {
  Type dtype = resultDtype({op.getSelf(), op.getOther()});
  if (isIntegral(dtype) && isFloatingPoint(tensorType(op).getDtype()))
    dtype = Float32Type::get(b.getContext());
  if constexpr (std::is_same_v<ScalarOp, AtenMulScalarOp> ||
                std::is_same_v<ScalarOp, AtenDivScalarOp> ||
                std::is_same_v<ScalarOp, AtenDivScalarModeOp>)
    if (isFloatingPoint(dtype) && dtype.getIntOrFloatBitWidth() == 16 &&
        !isExact(op.getOther(), dtype)) {
      Tensor wide = Tensor(b, op.getSelf()).widened();
      Tensor other = scalar(b, op.getOther(), wide.dtype());
      Tensor result = wide;
      if constexpr (std::is_same_v<ScalarOp, AtenDivScalarModeOp>)
        result = wide.apply<TensorOp>(other, op.getRoundingMode());
      else
        result = wide.apply<TensorOp>(other);
      return result.as(dtype);
    }
  Tensor other = scalar(b, op.getOther(), dtype);
  if constexpr (std::is_same_v<ScalarOp, AtenAddScalarOp> ||
                std::is_same_v<ScalarOp, AtenSubScalarOp>)
    return b.create<TensorOp>(op.getSelf(), other, op.getAlpha()).getResult();
  else if constexpr (std::is_same_v<ScalarOp, AtenDivScalarModeOp>)
    return b.create<TensorOp>(op.getSelf(), other, op.getRoundingMode())
        .getResult();
  else
    return b.create<TensorOp>(op.getSelf(), other).getResult();
}

/// clamp(x) = min(max(x, lower), upper); absent bounds are skipped.
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

/// clamp_min(x, bound) = max(x, bound), clamp_max(x, bound) = min(x, bound)
template <Tensor (*extremum)(Tensor, Tensor), typename Op>
static Tensor oneBound(Op op, TorchBuilder &b) {
  Value bound = op->getOperand(1);
  Type dtype = tensorType(op).getDtype();
  Tensor limit =
      isTensor(bound.getType()) ? Tensor(b, bound) : scalar(b, bound, dtype);
  return extremum({b, op.getSelf()}, limit).as(dtype);
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

/// where(condition, x, y) with a number for x, y or both.
template <typename Op>
static Value whereScalar(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  auto tensor = [&](Value side) {
    return isTensor(side.getType()) ? side : Value(scalar(b, side, dtype));
  };
  return b.where(op.getCondition(), tensor(op.getSelf()),
                 tensor(op.getOther()));
}

/// trunc(x) rounds towards 0.
static Tensor trunc(AtenTruncOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  if (isIntegral(x.dtype()))
    return x;
  return where(x < 0, x.apply<AtenCeilOp>(), x.apply<AtenFloorOp>());
}

/// copy(x, src) = src, with the sizes and the dtype of x
static Value copy(AtenCopyOp op, TorchBuilder &b) {
  Value source = b.convert(op.getSrc(), tensorType(op).getDtype());
  return b.expand(source, b.sizes(op.getSelf()));
}

/// rsub(x, number, alpha) = number - alpha * x
static Value rsub(AtenRsubScalarOp op, TorchBuilder &b) {
  Tensor other =
      scalar(b, op.getOther(), resultDtype({op.getSelf(), op.getOther()}));
  return b.create<AtenSubTensorOp>(other, op.getSelf(), op.getAlpha());
}

static Tensor square(AtenSquareOp op, TorchBuilder &b) {
  Tensor x = Tensor(b, op.getSelf()).as(tensorType(op).getDtype());
  return x * x;
}

/// The same op under another name.
template <typename Op, typename Renamed>
static Value renamed(Op op, TorchBuilder &b) {
  return b.create<Renamed>(op->getOperand(0), op->getOperand(1));
}

/// floor_divide(x, y) rounds the quotient down.
static Value floorDivide(AtenFloorDivideOp op, TorchBuilder &b) {
  return b.create<AtenDivTensorModeOp>(op.getSelf(), op.getOther(),
                                       b.constantStr("floor"));
}
static Value floorDivideScalar(AtenFloorDivideScalarOp op, TorchBuilder &b) {
  return b.create<AtenDivScalarModeOp>(op.getSelf(), op.getOther(),
                                       b.constantStr("floor"));
}

/// True for real numbers, and for complex ones without an imaginary part.
static Tensor isreal(AtenIsrealOp op, TorchBuilder &b) {
  Value x = op.getSelf();
  if (isComplex(tensorType(x).getDtype()))
    return Tensor(b, b.create<AtenImagOp>(x)) == 0;
  return {b, b.create<AtenFullOp>(b.ints(b.sizes(x)), b.constantBool(true),
                                  b.dtype(IntegerType::get(b.getContext(), 1)),
                                  b.none(), b.none(), b.none())};
}

/// number % x
static Value remainderOfNumber(AtenRemainderScalarTensorOp op,
                               TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  return b.create<AtenRemainderTensorOp>(scalar(b, op.getSelf(), dtype),
                                         b.convert(op.getOther(), dtype));
}

/// rsub(x, y, alpha) = y - alpha * x
static Value rsubTensor(AtenRsubTensorOp op, TorchBuilder &b) {
  return b.create<AtenSubTensorOp>(op.getOther(), op.getSelf(), op.getAlpha());
}

/// x - x is NaN if x is infinite or NaN, and equals 0 otherwise.
static Tensor isfinite(AtenIsfiniteOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return x - x == 0;
}

/// True where x is the infinity of a sign.
template <typename Op>
static Tensor isInfinity(Op op, TorchBuilder &b, double infinity) {
  Tensor x(b, op.getSelf());
  return isFloatingPoint(x.dtype()) ? x == infinity : x != x;
}
static Tensor isneginf(AtenIsneginfOp op, TorchBuilder &b) {
  return isInfinity(op, b, -std::numeric_limits<double>::infinity());
}
static Tensor isposinf(AtenIsposinfOp op, TorchBuilder &b) {
  return isInfinity(op, b, std::numeric_limits<double>::infinity());
}

/// isclose(x, y): equal, or |x - y| <= atol + rtol |y| and finite. Integers are
/// compared as they are, and their distance in f32.
static Tensor isclose(AtenIscloseOp op, TorchBuilder &b) {
  std::optional<bool> equalNan = matchBool(op.getEqualNan());
  if (!equalNan)
    return {b, b.fail("expected an equal_nan that is known while compiling")};
  Tensor x(b, op.getSelf()), y(b, op.getOther());
  Tensor result = x == y;
  if (*equalNan && (isFloatingPoint(x.dtype()) || isComplex(x.dtype())))
    result = result | ((x != x) & (y != y));
  if (matchNumber(op.getAtol()) == 0.0 && matchNumber(op.getRtol()) == 0.0)
    return result;
  Type dtype = resultDtype({op.getSelf(), op.getOther()});
  if (isIntegral(dtype))
    dtype = Float32Type::get(b.getContext());
  x = x.as(dtype);
  y = y.as(dtype);
  Tensor distance = abs(x - y);
  Tensor allowed = abs(scalar(b, op.getRtol(), dtype) * y) +
                   scalar(b, op.getAtol(), distance.dtype());
  return result | ((distance <= allowed) & (distance - distance == 0));
}

/// fmin(x, y) and fmax(x, y): the other operand where one is NaN.
template <Tensor (*extremum)(Tensor, Tensor), typename Op>
static Tensor withoutNan(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor x = Tensor(b, op.getSelf()).as(dtype),
         y = Tensor(b, op.getOther()).as(dtype);
  if (!isFloatingPoint(x.dtype()))
    return extremum(x, y);
  return where(x != x, y, where(y != y, x, extremum(x, y)));
}

/// heaviside(x, values) = 0 for x < 0, values for x = 0, 1 for x > 0
static Tensor heaviside(AtenHeavisideOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  Tensor x(b, op.getSelf());
  return where(x == 0, Tensor(b, op.getValues()).as(dtype), (x > 0).as(dtype));
}

/// frac(x) = x - trunc(x)
static Tensor frac(AtenFracOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  return x - x.apply<AtenTruncOp>();
}

/// nan_to_num(x): replaces NaN (by default by 0) and the infinities (by default
/// by the largest and smallest finite numbers).
static Tensor nanToNum(AtenNanToNumOp op, TorchBuilder &b) {
  Tensor x(b, op.getSelf());
  auto dtype = dyn_cast<mlir::FloatType>(x.dtype());
  if (!dtype)
    return x;
  double largest =
      APFloat::getLargest(dtype.getFloatSemantics()).convertToDouble();
  auto number = [&](Value given, double otherwise) {
    return isNone(given) ? x.number(otherwise) : scalar(b, given, dtype);
  };
  Tensor y = where(x == infinity, number(op.getPosinf(), largest), x);
  y = where(x == -infinity, number(op.getNeginf(), -largest), y);
  return where(x != x, number(op.getNan(), 0), y);
}

/// addcmul(x, y, z, value) = x + value * y * z, addcdiv(x, y, z, value) = x +
/// value * y / z
template <Tensor (*combine)(Tensor, Tensor), typename Op>
static Tensor addCombined(Op op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  auto wide = [&](Value value) {
    Tensor x = Tensor(b, value).as(dtype);
    return isFloatingPoint(dtype) ? x.widened() : x;
  };
  Tensor term = combine(wide(op.getTensor1()), wide(op.getTensor2()));
  if (matchNumber(op.getValue()) != 1.0)
    term = term * scalar(b, op.getValue(), term.dtype());
  return (wide(op.getSelf()) + term).as(dtype);
}

/// lerp(x, y, weight) = x + weight * (y - x), computed from the nearer end.
template <typename Op>
static Tensor lerp(Op op, TorchBuilder &b) {
  Tensor own(b, op.getSelf()), x = own.widened(),
                               y = Tensor(b, op.getEnd()).widened();
  Value weight = op.getWeight();
  Tensor w = isTensor(weight.getType()) ? Tensor(b, weight).widened()
                                        : scalar(b, weight, x.dtype());
  Tensor difference = y - x;
  return where(abs(w) < 0.5, x + w * difference, y - difference * (1 - w))
      .as(own.dtype());
}

static Value fillTensor(AtenFillTensorOp op, TorchBuilder &b) {
  return b.expand(b.convert(op.getValue(), tensorType(op).getDtype()),
                  b.sizes(op.getSelf()));
}

/// Devices, layouts and storage are ignored: these return their operand.
template <typename Op>
static Value identity(Op op, TorchBuilder &) {
  return op->getOperand(0);
}

/// The result type gives the dtype of a conversion.
template <typename Op>
static Value converted(Op op, TorchBuilder &b) {
  return b.convert(op->getOperand(0), tensorType(op).getDtype());
}

/// Metadata of a tensor that PyTorch recorded when tracing; dropped.
static Decompositions::Values assertMetadata(Aten_AssertTensorMetadataOp,
                                             TorchBuilder &) {
  return {};
}

/// number ** x
static Tensor powScalar(AtenPowScalarOp op, TorchBuilder &b) {
  Type dtype = tensorType(op).getDtype();
  return scalar(b, op.getSelf(), dtype)
      .apply<AtenPowTensorTensorOp>(Tensor(b, op.getExponent()).as(dtype));
}

/// x ** number. Exponents with an exact form use it, as in PyTorch's kernels,
/// including for integers, where no other power is exact.
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
      withTensor<AtenAddScalarOp, AtenAddTensorOp>,
      addCombined<operator/, AtenAddcdivOp>,
      addCombined<operator*, AtenAddcmulOp>, assertMetadata,
      withTensor<AtenBitwiseAndScalarOp, AtenBitwiseAndTensorOp>,
      withTensor<AtenBitwiseOrScalarOp, AtenBitwiseOrTensorOp>,
      withTensor<AtenBitwiseXorScalarOp, AtenBitwiseXorTensorOp>, clamp,
      oneBound<min, AtenClampMaxOp>, oneBound<min, AtenClampMaxTensorOp>,
      oneBound<max, AtenClampMinOp>, oneBound<max, AtenClampMinTensorOp>,
      clampTensor, copy, converted<Aten_ToCopyOp>, converted<AtenToDeviceOp>,
      converted<AtenToDtypeLayoutOp>, converted<AtenToDtypeOp>,
      converted<AtenTypeAsOp>, fillTensor, floorDivide, floorDivideScalar, frac,
      hardtanh, heaviside, identity<AtenAliasOp>, identity<AtenCloneOp>,
      identity<AtenContiguousOp>, identity<AtenDetachOp>,
      identity<AtenLiftFreshCopyOp>, isclose, isfinite, isneginf, isposinf,
      isreal, remainderOfNumber, lerp<AtenLerpScalarOp>, lerp<AtenLerpTensorOp>,
      nanToNum, withTensor<AtenDivScalarModeOp, AtenDivTensorModeOp>,
      withTensor<AtenDivScalarOp, AtenDivTensorOp>,
      withTensor<AtenEqScalarOp, AtenEqTensorOp>,
      withTensor<AtenFmodScalarOp, AtenFmodTensorOp>,
      withTensor<AtenGeScalarOp, AtenGeTensorOp>,
      withTensor<AtenGtScalarOp, AtenGtTensorOp>, isinf,
      withTensor<AtenLeScalarOp, AtenLeTensorOp>,
      withTensor<AtenLtScalarOp, AtenLtTensorOp>, maskedFill, maskedFillScalar,
      renamed<AtenMaxOtherOp, AtenMaximumOp>,
      renamed<AtenMinOtherOp, AtenMinimumOp>,
      withTensor<AtenMulScalarOp, AtenMulTensorOp>,
      withTensor<AtenNeScalarOp, AtenNeTensorOp>, powScalar, powTensorScalar,
      withTensor<AtenRemainderScalarOp, AtenRemainderTensorOp>,
      renamed<Aten__And__TensorOp, AtenBitwiseAndTensorOp>,
      renamed<Aten__Or__TensorOp, AtenBitwiseOrTensorOp>,
      renamed<Aten__Xor__TensorOp, AtenBitwiseXorTensorOp>, rsubTensor, rsub,
      square, withTensor<AtenSubScalarOp, AtenSubTensorOp>, trunc,
      withoutNan<max, AtenFmaxOp>, withoutNan<min, AtenFminOp>,
      whereScalar<AtenWhereScalarOp>, whereScalar<AtenWhereScalarOtherOp>,
      whereScalar<AtenWhereScalarSelfOp>);
}

} // namespace isthmus::decompose_torch
