//===- Math.cpp - ATen functions of one tensor to TOSA --------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

bool isFloat(Value x) { return isa<FloatType>(TosaBuilder::elementOf(x)); }

Value tosaSqrt(Value x, TosaBuilder &b) { return b.sqrt(x); }

template <typename Op>
Value tosaUnary(Value x, TosaBuilder &b) {
  return b.unary<Op>(x);
}

/// Rounding is the identity on integers.
template <typename Op>
Value roundingUnary(Value x, TosaBuilder &b) {
  return isFloat(x) ? b.unary<Op>(x) : x;
}

Value negate(Value x, TosaBuilder &b) { return b.neg(x); }

Value bitwiseNot(Value x, TosaBuilder &b) {
  return TosaBuilder::elementOf(x).isInteger(1)
             ? b.logicalNot(x)
             : b.unary<tosa::BitwiseNotOp>(x);
}

/// 1, -1, or 0 if x is neither greater nor less than 0.
Value sign(Value x, TosaBuilder &b) {
  if (TosaBuilder::elementOf(x).isInteger(1))
    return x;
  Value zero = b.splatLike(0, x);
  return b.select(b.greater(x, zero), b.splatLike(1, x),
                  b.select(b.less(x, zero), b.splatLike(-1, x), zero));
}

/// Rounds half to even: up from floor(x) if the fraction is more than a half,
/// or if it is a half and floor(x) is odd.
Value roundHalfToEven(Value x, TosaBuilder &b) {
  if (!isFloat(x))
    return x;
  Value half = b.splatLike(0.5, x);
  Value down = b.floor(x), left = b.sub(x, down);
  Value halved = b.mul(down, half);
  Value odd = b.greater(halved, b.floor(halved));
  Value up = b.logicalOr(b.greater(left, half),
                         b.logicalAnd(b.equal(left, half), odd));
  return b.add(down, b.select(up, b.splatLike(1, x), b.splatLike(0, x)));
}

/// atan is odd; atan(x) = pi/2 - atan(1/x) brings |x| to at most 1, and
/// atan(x) = pi/4 + atan((x - 1) / (x + 1)) to at most t = tan(pi/8). There
/// atan(t) = t + t^3 P(t^2), with P fitted to 1e-7 relative.
Value atan(Value x, TosaBuilder &b) {
  Type storage = TosaBuilder::elementOf(x);
  x = b.cast(x, b.f32());
  Value one = b.splatLike(1, x), zero = b.splatLike(0, x);
  Value size = b.abs(x), steep = b.greater(size, one);
  Value slope = b.select(steep, b.reciprocal(size), size);
  Value upper = b.greater(slope, b.splatLike(0.41421356237, x));
  Value turned = b.mul(b.sub(slope, one), b.reciprocal(b.add(slope, one)));
  Value t = b.select(upper, turned, slope), square = b.mul(t, t);
  Value p = b.splatLike(-0.06459166, x);
  for (double coefficient : {0.10746235, -0.14264227, 0.1999955, -0.33333332})
    p = b.add(b.mul(p, square), b.splatLike(coefficient, x));
  Value angle = b.add(t, b.mul(b.mul(t, square), p));
  angle = b.add(angle, b.select(upper, b.splatLike(M_PI / 4, x), zero));
  angle = b.select(steep, b.sub(b.splatLike(M_PI / 2, x), angle), angle);
  return b.cast(b.select(b.less(x, zero), b.neg(angle), angle), storage);
}

/// An op of one operand, computed in the dtype of its result.
template <typename SourceOp, Value (*compute)(Value, TosaBuilder &)>
FailureOr<Value> lowerUnary(SourceOp op, typename SourceOp::Adaptor in,
                            TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  Value x = promoted(b, op.getSelf(), in.getSelf(), dtype);
  return b.store(compute(x, b), dtype);
}

} // namespace

void torch_to_tosa::populateMath(TosaLowerings &lowerings) {
  using namespace torch;
  lowerings.add(lowerUnary<AtenAbsOp, tosaUnary<tosa::AbsOp>>,
                lowerUnary<AtenAtanOp, atan>,
                lowerUnary<AtenBitwiseNotOp, bitwiseNot>,
                lowerUnary<AtenCeilOp, roundingUnary<tosa::CeilOp>>,
                lowerUnary<AtenCosOp, tosaUnary<tosa::CosOp>>,
                lowerUnary<AtenErfOp, tosaUnary<tosa::ErfOp>>,
                lowerUnary<AtenExpOp, tosaUnary<tosa::ExpOp>>,
                lowerUnary<AtenFloorOp, roundingUnary<tosa::FloorOp>>,
                lowerUnary<AtenLogOp, tosaUnary<tosa::LogOp>>,
                lowerUnary<AtenNegOp, negate>,
                lowerUnary<AtenReciprocalOp, tosaUnary<tosa::ReciprocalOp>>,
                lowerUnary<AtenRoundOp, roundHalfToEven>,
                lowerUnary<AtenRsqrtOp, tosaUnary<tosa::RsqrtOp>>,
                lowerUnary<AtenSigmoidOp, tosaUnary<tosa::SigmoidOp>>,
                lowerUnary<AtenSignOp, sign>,
                lowerUnary<AtenSinOp, tosaUnary<tosa::SinOp>>,
                lowerUnary<AtenSqrtOp, tosaSqrt>,
                lowerUnary<AtenTanhOp, tosaUnary<tosa::TanhOp>>);
}
