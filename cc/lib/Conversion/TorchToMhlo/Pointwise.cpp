//===- Pointwise.cpp - Pointwise ATen ops to MHLO -------------------------===//
//
// Operands are first broadcast and converted to one dtype: PyTorch promotes
// implicitly, MHLO does not. Definitions follow torch's documentation
// (https://docs.pytorch.org/docs/stable/torch.html).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;
using Direction = hlo::ComparisonDirection;

namespace {

/// Broadcasts the operands to one shape and converts them to the element type.
SmallVector<Value> align(HloBuilder &b, ValueRange values, Type elementType) {
  Sizes shape = b.commonShape(values);
  return llvm::map_to_vector(values, [&](Value value) {
    return b.broadcastTo(b.convert(value, elementType), shape);
  });
}

/// A unary op with a counterpart in MHLO; the operand is converted to the
/// result's dtype.
template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerUnary(SourceOp, typename SourceOp::Adaptor in,
                            HloBuilder &b) {
  Type element = b.resultType().getElementType();
  return b.create<TargetOp>(b.convert(in.getSelf(), element));
}

/// A rounding op, which is the identity on integers.
template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerRounding(SourceOp, typename SourceOp::Adaptor in,
                               HloBuilder &b) {
  Value self = in.getSelf();
  return isa<FloatType>(b.elementType(self)) ? b.create<TargetOp>(self) : self;
}

/// A binary op with a counterpart in MHLO, computed in the result's dtype.
template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerBinary(SourceOp, typename SourceOp::Adaptor in,
                             HloBuilder &b) {
  ValueRange operands = in.getOperands().take_front(2);
  SmallVector<Value> aligned =
      align(b, operands, b.resultType().getElementType());
  return b.create<TargetOp>(aligned[0], aligned[1]);
}

/// self + alpha * other, and the same with minus.
template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerScaled(SourceOp op, typename SourceOp::Adaptor in,
                             HloBuilder &b) {
  Type element = b.resultType().getElementType();
  Value other = b.convert(in.getOther(), element);
  if (torch::matchNumber(op.getAlpha()) != 1.0) {
    Value alpha = number(b, op.getAlpha(), in.getAlpha(), element);
    other = b.create<mhlo::MulOp>(
        other, b.broadcastScalar(alpha, b.sizes.sizesOf(other)));
  }
  SmallVector<Value> aligned = align(b, {in.getSelf(), other}, element);
  // The sum of bools is their logical or, but XLA folds it modulo 2.
  if (std::is_same_v<TargetOp, mhlo::AddOp> && element.isInteger(1))
    return b.create<mhlo::OrOp>(aligned[0], aligned[1]);
  return b.create<TargetOp>(aligned[0], aligned[1]);
}

template <typename SourceOp, Direction direction>
FailureOr<Value> lowerCompare(SourceOp op, typename SourceOp::Adaptor in,
                              HloBuilder &b) {
  Type common = torch::resultDtype(op->getOperands());
  SmallVector<Value> aligned =
      align(b, in.getOperands(), b.elementType(common));
  return b.compare(direction, aligned[0], aligned[1]);
}

/// Nonzero operands are true.
template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerLogical(SourceOp, typename SourceOp::Adaptor in,
                              HloBuilder &b) {
  SmallVector<Value> aligned =
      align(b, in.getOperands(), b.getBuilder().getI1Type());
  return b.create<TargetOp>(aligned[0], aligned[1]);
}

FailureOr<Value> lowerLogicalNot(torch::AtenLogicalNotOp,
                                 torch::AtenLogicalNotOp::Adaptor in,
                                 HloBuilder &b) {
  Value flags = b.convert(in.getSelf(), b.getBuilder().getI1Type());
  return b.create<mhlo::NotOp>(flags);
}

FailureOr<Value> lowerAbs(torch::AtenAbsOp, torch::AtenAbsOp::Adaptor in,
                          HloBuilder &b) {
  Value self = in.getSelf();
  bool isUnsigned = b.elementType(self).isUnsignedInteger();
  return isUnsigned ? self : b.create<mhlo::AbsOp>(self);
}

/// atan(x) = atan2(x, 1).
FailureOr<Value> lowerAtan(torch::AtenAtanOp, torch::AtenAtanOp::Adaptor in,
                           HloBuilder &b) {
  Value x = b.convert(in.getSelf(), b.resultType().getElementType());
  return b.create<mhlo::Atan2Op>(x, b.fullLike(1.0, x));
}

FailureOr<Value> lowerReciprocal(torch::AtenReciprocalOp,
                                 torch::AtenReciprocalOp::Adaptor in,
                                 HloBuilder &b) {
  Value x = b.convert(in.getSelf(), b.resultType().getElementType());
  return b.create<mhlo::DivOp>(b.fullLike(1.0, x), x);
}

FailureOr<Value> lowerIsNan(torch::AtenIsnanOp, torch::AtenIsnanOp::Adaptor in,
                            HloBuilder &b) {
  return b.isNan(in.getSelf());
}

/// torch.sign(NaN) is 0, mhlo.sign keeps NaN and takes no unsigned integers.
FailureOr<Value> lowerSign(torch::AtenSignOp, torch::AtenSignOp::Adaptor in,
                           HloBuilder &b) {
  Value x = in.getSelf();
  if (b.elementType(x).isInteger(1))
    return x;
  if (b.elementType(x).isUnsignedInteger())
    return b.convert(b.compare(Direction::NE, x, b.fullLike(int64_t(0), x)),
                     b.elementType(x));
  Value sign = b.create<mhlo::SignOp>(x);
  if (!isa<FloatType>(b.elementType(x)))
    return sign;
  return b.select(b.isNan(x), b.fullLike(0.0, x), sign);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

FailureOr<Value> lowerDivMode(torch::AtenDivTensorModeOp op,
                              torch::AtenDivTensorModeOp::Adaptor in,
                              HloBuilder &b) {
  bool isTrue = torch::isNone(op.getRoundingMode());
  std::optional<StringRef> mode = torch::matchStr(op.getRoundingMode());
  if (!isTrue && mode != "floor" && mode != "trunc")
    return b.decline()
           << "expected a rounding_mode that is known while compiling";
  Type element = b.resultType().getElementType();
  SmallVector<Value> xy = align(b, {in.getSelf(), in.getOther()}, element);
  if (mode == "floor")
    return b.floorDivide(xy[0], xy[1]);
  Value quotient = b.create<mhlo::DivOp>(xy[0], xy[1]);
  if (isTrue || !isa<FloatType>(element)) // mhlo.divide truncates integers.
    return quotient;
  Value isNegative =
      b.compare(Direction::LT, quotient, b.fullLike(0.0, quotient));
  return b.select(isNegative, b.create<mhlo::CeilOp>(quotient),
                  b.create<mhlo::FloorOp>(quotient));
}

FailureOr<Value> lowerPow(torch::AtenPowTensorTensorOp op,
                          torch::AtenPowTensorTensorOp::Adaptor in,
                          HloBuilder &b) {
  Type element = b.resultType().getElementType(), wide = element;
  // XLA reads the highest bit of an exponent as its sign, for every dtype.
  if (element.isUnsignedInteger())
    wide = IntegerType::get(op.getContext(), 64, IntegerType::Unsigned);
  SmallVector<Value> xy = align(b, {in.getSelf(), in.getExponent()}, wide);
  return b.convert(b.create<mhlo::PowOp>(xy[0], xy[1]), element);
}

FailureOr<Value> lowerRemainder(torch::AtenRemainderTensorOp,
                                torch::AtenRemainderTensorOp::Adaptor in,
                                HloBuilder &b) {
  SmallVector<Value> xy =
      align(b, {in.getSelf(), in.getOther()}, b.resultType().getElementType());
  return b.floorRemainder(xy[0], xy[1]);
}

/// Unsigned integers shift in zeros, signed ones their sign bit.
FailureOr<Value>
lowerRightShift(torch::AtenBitwiseRightShiftTensorOp,
                torch::AtenBitwiseRightShiftTensorOp::Adaptor in,
                HloBuilder &b) {
  Type element = b.resultType().getElementType();
  SmallVector<Value> xy = align(b, {in.getSelf(), in.getOther()}, element);
  if (element.isUnsignedInteger())
    return b.create<mhlo::ShiftRightLogicalOp>(xy[0], xy[1]);
  return b.create<mhlo::ShiftRightArithmeticOp>(xy[0], xy[1]);
}

//===----------------------------------------------------------------------===//
// Error function
//===----------------------------------------------------------------------===//

/// c[0] x^n + c[1] x^(n-1) + ... + c[n].
Value polynomial(HloBuilder &b, Value x, ArrayRef<double> coefficients) {
  Value sum = b.fullLike(coefficients.front(), x);
  for (double c : coefficients.drop_front())
    sum =
        b.create<mhlo::AddOp>(b.create<mhlo::MulOp>(sum, x), b.fullLike(c, x));
  return sum;
}

/// x P(x^2) / Q(x^2) for |x| <= 4, where erf(4) rounds to 1 in f32.
Value erfF32(HloBuilder &b, Value x) {
  const double p[] = {-2.72614225801306e-10, 2.77068142495902e-08,
                      -2.10102402082508e-06, -5.69250639462346e-05,
                      -7.34990630326855e-04, -2.95459980854025e-03,
                      -1.60960333262415e-02};
  const double q[] = {-1.45660718464996e-05, -2.13374055278905e-04,
                      -1.68282697438203e-03, -7.37332916720468e-03,
                      -1.42647390514189e-02};
  Type element = b.elementType(x);
  Sizes shape = b.sizes.sizesOf(x);
  x = b.create<mhlo::ClampOp>(x.getType(), b.scalar(-4.0, element), x,
                              b.scalar(4.0, element));
  Value square = b.create<mhlo::MulOp>(x, x);
  Value numerator = b.create<mhlo::MulOp>(x, polynomial(b, square, p));
  return b.create<mhlo::DivOp>(numerator, polynomial(b, square, q));
}

/// For |x| <= 1, erf(x) = x T(x^2) / U(x^2); otherwise erf(|x|) = 1 - exp(-x^2)
/// P(|x|) / Q(|x|), which is 1 in f64 from 6 on (the rational approximations of
/// Cody, Math. Comp. 23 (1969), as in Cephes).
Value erfF64(HloBuilder &b, Value x) {
  const double t[] = {9.60497373987051638749e0, 9.00260197203842689217e1,
                      2.23200534594684319226e3, 7.00332514112805075473e3,
                      5.55923013010394962768e4};
  const double u[] = {1.0,
                      3.35617141647503099647e1,
                      5.21357949780152679795e2,
                      4.59432382970980127987e3,
                      2.26290000613890934246e4,
                      4.92673942608635921086e4};
  const double p[] = {2.46196981473530512524e-10, 5.64189564831068821977e-1,
                      7.46321056442269912687e0,   4.86371970985681366614e1,
                      1.96520832956077098242e2,   5.26445194995477358631e2,
                      9.34528527171957607540e2,   1.02755188689515710272e3,
                      5.57535335369399327526e2};
  const double q[] = {1.0,
                      1.32281951154744992508e1,
                      8.67072140885989742329e1,
                      3.54937778887819891062e2,
                      9.75708501743205489753e2,
                      1.82390916687909736289e3,
                      2.24633760818710981792e3,
                      1.65666309194161350182e3,
                      5.57535340817727675546e2};
  Value magnitude =
      b.create<mhlo::MinOp>(b.create<mhlo::AbsOp>(x), b.fullLike(6.0, x));
  Value square = b.create<mhlo::MulOp>(magnitude, magnitude);
  Value inner =
      b.create<mhlo::DivOp>(b.create<mhlo::MulOp>(x, polynomial(b, square, t)),
                            polynomial(b, square, u));
  Value tail = b.create<mhlo::MulOp>(
      b.create<mhlo::ExponentialOp>(b.create<mhlo::NegateOp>(square)),
      b.create<mhlo::DivOp>(polynomial(b, magnitude, p),
                            polynomial(b, magnitude, q)));
  Value outer = b.create<mhlo::MulOp>(
      b.create<mhlo::SignOp>(x),
      b.create<mhlo::SubtractOp>(b.fullLike(1.0, x), tail));
  Value isInner = b.compare(Direction::LE, magnitude, b.fullLike(1.0, x));
  return b.select(isInner, inner, outer);
}

/// StableHLO has no erf.
FailureOr<Value> lowerErf(torch::AtenErfOp, torch::AtenErfOp::Adaptor in,
                          HloBuilder &b) {
  Type element = b.resultType().getElementType();
  Value x = in.getSelf();
  if (element.isF64())
    return erfF64(b, b.convert(x, element));
  Value result = erfF32(b, b.convert(x, b.getBuilder().getF32Type()));
  return b.convert(result, element);
}

//===----------------------------------------------------------------------===//
// Choice and conversion
//===----------------------------------------------------------------------===//

FailureOr<Value> lowerWhere(torch::AtenWhereSelfOp,
                            torch::AtenWhereSelfOp::Adaptor in, HloBuilder &b) {
  Type element = b.resultType().getElementType();
  Sizes shape = b.commonShape(in.getOperands());
  Value condition = b.convert(in.getCondition(), b.getBuilder().getI1Type());
  return b.select(b.broadcastTo(condition, shape),
                  b.broadcastTo(b.convert(in.getSelf(), element), shape),
                  b.broadcastTo(b.convert(in.getOther(), element), shape));
}

/// Floats are truncated to integers. Unsigned results go through i64, so that
/// negative numbers wrap around as in PyTorch instead of saturating.
FailureOr<Value>
lowerConvertElementType(torch::PrimsConvertElementTypeOp,
                        torch::PrimsConvertElementTypeOp::Adaptor in,
                        HloBuilder &b) {
  Type element = b.resultType().getElementType();
  Value a = in.getA();
  if (isa<FloatType>(b.elementType(a)) && isa<IntegerType>(element) &&
      element.getIntOrFloatBitWidth() < 32 && !element.isInteger(1))
    a = b.convert(a, b.getBuilder().getI64Type());
  if (isa<Float8E4M3FNType>(element)) { // PyTorch's conversion saturates
    Type single = b.getBuilder().getF32Type();
    a = b.convert(a, single);
    double largest =
        APFloat::getLargest(cast<FloatType>(element).getFloatSemantics())
            .convertToDouble();
    a = b.create<mhlo::ClampOp>(a.getType(), b.scalar(-largest, single), a,
                                b.scalar(largest, single));
  }
  return b.convert(a, element);
}

} // namespace

void torch_to_mhlo::populatePointwise(HloLowerings &lowerings) {
  using namespace torch;
  lowerings.add(
      lowerAbs, lowerScaled<AtenAddTensorOp, mhlo::AddOp>,
      lowerScaled<AtenSubTensorOp, mhlo::SubtractOp>, lowerAtan,
      lowerBinary<AtenAtan2Op, mhlo::Atan2Op>,
      lowerBinary<AtenBitwiseAndTensorOp, mhlo::AndOp>,
      lowerBinary<AtenBitwiseLeftShiftTensorOp, mhlo::ShiftLeftOp>,
      lowerBinary<AtenBitwiseOrTensorOp, mhlo::OrOp>,
      lowerBinary<AtenBitwiseXorTensorOp, mhlo::XorOp>,
      lowerBinary<AtenDivTensorOp, mhlo::DivOp>,
      lowerBinary<AtenFmodTensorOp, mhlo::RemOp>,
      lowerBinary<AtenMaximumOp, mhlo::MaxOp>,
      lowerBinary<AtenMinimumOp, mhlo::MinOp>,
      lowerBinary<AtenMulTensorOp, mhlo::MulOp>,
      lowerCompare<AtenEqTensorOp, Direction::EQ>,
      lowerCompare<AtenGeTensorOp, Direction::GE>,
      lowerCompare<AtenGtTensorOp, Direction::GT>,
      lowerCompare<AtenLeTensorOp, Direction::LE>,
      lowerCompare<AtenLtTensorOp, Direction::LT>,
      lowerCompare<AtenNeTensorOp, Direction::NE>, lowerConvertElementType,
      lowerDivMode, lowerErf, lowerIsNan,
      lowerLogical<AtenLogicalAndOp, mhlo::AndOp>,
      lowerLogical<AtenLogicalOrOp, mhlo::OrOp>,
      lowerLogical<AtenLogicalXorOp, mhlo::XorOp>, lowerLogicalNot, lowerPow,
      lowerReciprocal, lowerRemainder, lowerRightShift,
      lowerRounding<AtenCeilOp, mhlo::CeilOp>,
      lowerRounding<AtenFloorOp, mhlo::FloorOp>,
      lowerRounding<AtenRoundOp, mhlo::RoundNearestEvenOp>, lowerSign,
      lowerUnary<AtenBitwiseNotOp, mhlo::NotOp>,
      lowerUnary<AtenCosOp, mhlo::CosineOp>,
      lowerUnary<AtenExpOp, mhlo::ExponentialOp>,
      lowerUnary<AtenExpm1Op, mhlo::ExponentialMinusOneOp>,
      lowerUnary<AtenLog1pOp, mhlo::LogPlusOneOp>,
      lowerUnary<AtenLogOp, mhlo::LogOp>, lowerUnary<AtenNegOp, mhlo::NegateOp>,
      lowerUnary<AtenRsqrtOp, mhlo::RsqrtOp>,
      lowerUnary<AtenSigmoidOp, mhlo::LogisticOp>,
      lowerUnary<AtenSinOp, mhlo::SineOp>, lowerUnary<AtenSqrtOp, mhlo::SqrtOp>,
      lowerUnary<AtenTanOp, mhlo::TanOp>, lowerUnary<AtenTanhOp, mhlo::TanhOp>,
      lowerWhere);
}
