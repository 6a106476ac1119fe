//===- Elementwise.cpp - Pointwise ATen ops to MHLO -----------------------===//
//
// Operands are first broadcast and converted to one dtype: PyTorch promotes
// implicitly, MHLO does not. Definitions follow torch's documentation
// (https://docs.pytorch.org/docs/stable/torch.html).
//
//===----------------------------------------------------------------------===//

#include "Families.h"
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
struct UnaryLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    Type element = this->resultType(op).getElementType();
    return b.create<TargetOp>(b.convert(adaptor.getSelf(), element));
  }
};

/// A rounding op, which is the identity on integers.
template <typename SourceOp, typename TargetOp>
struct RoundingLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    Value self = adaptor.getSelf();
    return isa<FloatType>(b.elementType(self)) ? b.create<TargetOp>(self)
                                               : self;
  }
};

/// A binary op with a counterpart in MHLO, computed in the result's dtype.
template <typename SourceOp, typename TargetOp>
struct BinaryLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    ValueRange operands = adaptor.getOperands().take_front(2);
    SmallVector<Value> aligned =
        align(b, operands, this->resultType(op).getElementType());
    return b.create<TargetOp>(aligned[0], aligned[1]);
  }
};

/// self + alpha * other, and the same with minus.
template <typename SourceOp, typename TargetOp>
struct AlphaLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    Type element = this->resultType(op).getElementType();
    Value other = b.convert(adaptor.getOther(), element);
    if (torch::matchNumber(op.getAlpha()) != 1.0) {
      Value alpha = number(b, op.getAlpha(), adaptor.getAlpha(), element);
      other = b.create<mhlo::MulOp>(
          other, b.broadcastScalar(alpha, b.sizes.sizesOf(other)));
    }
    SmallVector<Value> aligned = align(b, {adaptor.getSelf(), other}, element);
    // The sum of bools is their logical or, but XLA folds it modulo 2.
    if (std::is_same_v<TargetOp, mhlo::AddOp> && element.isInteger(1))
      return b.create<mhlo::OrOp>(aligned[0], aligned[1]);
    return b.create<TargetOp>(aligned[0], aligned[1]);
  }
};

template <typename SourceOp, Direction direction>
struct CompareLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    Type common = torch::resultDtype(op->getOperands());
    SmallVector<Value> aligned =
        align(b, adaptor.getOperands(), this->elementType(common));
    return b.compare(direction, aligned[0], aligned[1]);
  }
};

/// Nonzero operands are true.
template <typename SourceOp, typename TargetOp>
struct LogicalLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    SmallVector<Value> aligned =
        align(b, adaptor.getOperands(), b.getBuilder().getI1Type());
    return b.create<TargetOp>(aligned[0], aligned[1]);
  }
};

struct LogicalNotLowering : HloLowering<torch::AtenLogicalNotOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenLogicalNotOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Value flags = b.convert(adaptor.getSelf(), b.getBuilder().getI1Type());
    return b.create<mhlo::NotOp>(flags);
  }
};

struct AbsLowering : HloLowering<torch::AtenAbsOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenAbsOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Value self = adaptor.getSelf();
    bool isUnsigned = b.elementType(self).isUnsignedInteger();
    return isUnsigned ? self : b.create<mhlo::AbsOp>(self);
  }
};

/// atan(x) = atan2(x, 1).
struct AtanLowering : HloLowering<torch::AtenAtanOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenAtanOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Value x = b.convert(adaptor.getSelf(), resultType(op).getElementType());
    return b.create<mhlo::Atan2Op>(x, b.fullLike(1.0, x));
  }
};

struct ReciprocalLowering : HloLowering<torch::AtenReciprocalOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenReciprocalOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Value x = b.convert(adaptor.getSelf(), resultType(op).getElementType());
    return b.create<mhlo::DivOp>(b.fullLike(1.0, x), x);
  }
};

struct IsnanLowering : HloLowering<torch::AtenIsnanOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenIsnanOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    return b.isNan(adaptor.getSelf());
  }
};

/// torch.sign(NaN) is 0, mhlo.sign keeps NaN.
struct SignLowering : HloLowering<torch::AtenSignOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenSignOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Value x = adaptor.getSelf();
    if (b.elementType(x).isInteger(1))
      return x;
    Value sign = b.create<mhlo::SignOp>(x);
    if (!isa<FloatType>(b.elementType(x)))
      return sign;
    return b.select(b.isNan(x), b.fullLike(0.0, x), sign);
  }
};

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

struct DivTensorModeLowering : HloLowering<torch::AtenDivTensorModeOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenDivTensorModeOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    bool isTrue = torch::isNone(op.getRoundingMode());
    std::optional<StringRef> mode = torch::matchStr(op.getRoundingMode());
    if (!isTrue && mode != "floor" && mode != "trunc")
      return decline(op)
             << "expected a rounding_mode that is known while compiling";
    Type element = resultType(op).getElementType();
    SmallVector<Value> xy =
        align(b, {adaptor.getSelf(), adaptor.getOther()}, element);
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
};

struct PowLowering : HloLowering<torch::AtenPowTensorTensorOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenPowTensorTensorOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Type element = resultType(op).getElementType(), wide = element;
    // XLA reads the highest bit of an exponent as its sign, for every dtype.
    if (element.isUnsignedInteger())
      wide = IntegerType::get(op.getContext(), 64, IntegerType::Unsigned);
    SmallVector<Value> xy =
        align(b, {adaptor.getSelf(), adaptor.getExponent()}, wide);
    return b.convert(b.create<mhlo::PowOp>(xy[0], xy[1]), element);
  }
};

struct RemainderLowering : HloLowering<torch::AtenRemainderTensorOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenRemainderTensorOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    SmallVector<Value> xy = align(b, {adaptor.getSelf(), adaptor.getOther()},
                                  resultType(op).getElementType());
    return b.floorRemainder(xy[0], xy[1]);
  }
};

/// Unsigned integers shift in zeros, signed ones their sign bit.
struct RightShiftLowering : HloLowering<torch::AtenBitwiseRightShiftTensorOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenBitwiseRightShiftTensorOp op,
                         Adaptor adaptor, HloBuilder &b) const override {
    Type element = resultType(op).getElementType();
    SmallVector<Value> xy =
        align(b, {adaptor.getSelf(), adaptor.getOther()}, element);
    if (element.isUnsignedInteger())
      return b.create<mhlo::ShiftRightLogicalOp>(xy[0], xy[1]);
    return b.create<mhlo::ShiftRightArithmeticOp>(xy[0], xy[1]);
  }
};

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
struct ErfLowering : HloLowering<torch::AtenErfOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenErfOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Type element = resultType(op).getElementType();
    Value x = adaptor.getSelf();
    if (element.isF64())
      return erfF64(b, b.convert(x, element));
    Value result = erfF32(b, b.convert(x, b.getBuilder().getF32Type()));
    return b.convert(result, element);
  }
};

//===----------------------------------------------------------------------===//
// Choice and conversion
//===----------------------------------------------------------------------===//

struct WhereLowering : HloLowering<torch::AtenWhereSelfOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenWhereSelfOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Type element = resultType(op).getElementType();
    Sizes shape = b.commonShape(adaptor.getOperands());
    Value condition =
        b.convert(adaptor.getCondition(), b.getBuilder().getI1Type());
    return b.select(
        b.broadcastTo(condition, shape),
        b.broadcastTo(b.convert(adaptor.getSelf(), element), shape),
        b.broadcastTo(b.convert(adaptor.getOther(), element), shape));
  }
};

/// Floats are truncated to integers. Unsigned results go through i64, so that
/// negative numbers wrap around as in PyTorch instead of saturating.
struct ConvertLowering : HloLowering<torch::PrimsConvertElementTypeOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::PrimsConvertElementTypeOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Type element = resultType(op).getElementType();
    Value a = adaptor.getA();
    if (isa<FloatType>(b.elementType(a)) && isa<IntegerType>(element) &&
        element.getIntOrFloatBitWidth() < 32 && !element.isInteger(1))
      a = b.convert(a, b.getBuilder().getI64Type());
    return b.convert(a, element);
  }
};

} // namespace

void torch_to_mhlo::populateElementwise(const TypeConverter &types,
                                        RewritePatternSet &patterns,
                                        UnsupportedOps &unsupported) {
  using namespace torch;
  patterns
      .add<AbsLowering, AlphaLowering<AtenAddTensorOp, mhlo::AddOp>,
           AlphaLowering<AtenSubTensorOp, mhlo::SubtractOp>, AtanLowering,
           BinaryLowering<AtenAtan2Op, mhlo::Atan2Op>,
           BinaryLowering<AtenBitwiseAndTensorOp, mhlo::AndOp>,
           BinaryLowering<AtenBitwiseLeftShiftTensorOp, mhlo::ShiftLeftOp>,
           BinaryLowering<AtenBitwiseOrTensorOp, mhlo::OrOp>,
           BinaryLowering<AtenBitwiseXorTensorOp, mhlo::XorOp>,
           BinaryLowering<AtenDivTensorOp, mhlo::DivOp>,
           BinaryLowering<AtenFmodTensorOp, mhlo::RemOp>,
           BinaryLowering<AtenMaximumOp, mhlo::MaxOp>,
           BinaryLowering<AtenMinimumOp, mhlo::MinOp>,
           BinaryLowering<AtenMulTensorOp, mhlo::MulOp>,
           CompareLowering<AtenEqTensorOp, Direction::EQ>,
           CompareLowering<AtenGeTensorOp, Direction::GE>,
           CompareLowering<AtenGtTensorOp, Direction::GT>,
           CompareLowering<AtenLeTensorOp, Direction::LE>,
           CompareLowering<AtenLtTensorOp, Direction::LT>,
           CompareLowering<AtenNeTensorOp, Direction::NE>, ConvertLowering,
           DivTensorModeLowering, ErfLowering, IsnanLowering,
           LogicalLowering<AtenLogicalAndOp, mhlo::AndOp>,
           LogicalLowering<AtenLogicalOrOp, mhlo::OrOp>,
           LogicalLowering<AtenLogicalXorOp, mhlo::XorOp>, LogicalNotLowering,
           PowLowering, ReciprocalLowering, RemainderLowering,
           RightShiftLowering, RoundingLowering<AtenCeilOp, mhlo::CeilOp>,
           RoundingLowering<AtenFloorOp, mhlo::FloorOp>,
           RoundingLowering<AtenRoundOp, mhlo::RoundNearestEvenOp>,
           SignLowering, UnaryLowering<AtenBitwiseNotOp, mhlo::NotOp>,
           UnaryLowering<AtenCosOp, mhlo::CosineOp>,
           UnaryLowering<AtenExpOp, mhlo::ExponentialOp>,
           UnaryLowering<AtenExpm1Op, mhlo::ExponentialMinusOneOp>,
           UnaryLowering<AtenLog1pOp, mhlo::LogPlusOneOp>,
           UnaryLowering<AtenLogOp, mhlo::LogOp>,
           UnaryLowering<AtenNegOp, mhlo::NegateOp>,
           UnaryLowering<AtenRsqrtOp, mhlo::RsqrtOp>,
           UnaryLowering<AtenSigmoidOp, mhlo::LogisticOp>,
           UnaryLowering<AtenSinOp, mhlo::SineOp>,
           UnaryLowering<AtenSqrtOp, mhlo::SqrtOp>,
           UnaryLowering<AtenTanOp, mhlo::TanOp>,
           UnaryLowering<AtenTanhOp, mhlo::TanhOp>, WhereLowering>(
          types, patterns.getContext(), unsupported);
}
