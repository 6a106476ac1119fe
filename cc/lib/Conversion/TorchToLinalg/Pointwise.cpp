//===- Pointwise.cpp - Pointwise ATen ops to linalg.generic ---------------===//
//
// One table row or one function per op. A row gives the dtype in which the op
// computes and its computation on single elements; inputs are converted before,
// the result after, all in one linalg.generic.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Powers.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// The dtype in which a row computes, given the common dtype of its inputs.
enum class In {
  Common,   // as it is
  Wide,     // f16 and bf16 as f32
  Floating, // the same, and integers as f32
  Bool,     // whether elements are not 0
};

Type dtypeIn(In in, Type common) {
  switch (in) {
  case In::Common:
    return common;
  case In::Wide:
    return wide(common);
  case In::Floating:
    return isIntegral(common) ? Type(Float32Type::get(common.getContext()))
                              : wide(common);
  case In::Bool:
    return IntegerType::get(common.getContext(), 1);
  }
  llvm_unreachable("every case returns");
}

/// Computes on elements of one dtype; returns an element of that dtype, or an
/// i1.
using Compute = llvm::function_ref<Value(Elements &, ValueRange)>;

/// `compute` of the inputs, which are converted to `dtype`; its value is
/// converted to `result`.
Value pointwise(LinalgBuilder &b, ValueRange originals, ValueRange inputs,
                Type dtype, Type result, Compute compute) {
  SmallVector<Type> dtypes = llvm::map_to_vector(
      originals, [](Value original) { return dtypeOf(original); });
  return b.pointwise(
      inputs, elementType(result),
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        Elements elements(body, loc, dtype);
        SmallVector<Value> converted;
        for (auto [argument, from] : llvm::zip_equal(arguments, dtypes))
          converted.push_back(elements.convert(argument, from));
        Value computed = compute(elements, converted);
        Type from =
            computed.getType().isInteger(1) ? computed.getType() : dtype;
        return Elements(body, loc, result).convert(computed, from);
      });
}

/// add: self + alpha * other; sub: self - alpha * other.
template <typename Op, Value (Elements::*combine)(Value, Value) const>
FailureOr<Value> lowerScaled(Op op, typename Op::Adaptor in, LinalgBuilder &b) {
  Value originals[] = {op.getSelf(), op.getOther()};
  Type dtype = resultDtype(originals);
  bool isScaled = matchNumber(op.getAlpha()) != 1.0;
  if (isScaled)
    dtype = wide(dtype);
  Value alpha =
      isScaled ? scalarOperand(op.getAlpha(), in.getAlpha(), b.elements(dtype))
               : Value();
  return pointwise(b, originals, {in.getSelf(), in.getOther()}, dtype,
                   dtypeOf(op.getResult()), [&](Elements &e, ValueRange x) {
                     return (e.*combine)(x[0],
                                         alpha ? e.mul(alpha, x[1]) : x[1]);
                   });
}

/// div.Tensor_mode: the quotient, rounded according to the mode.
FailureOr<Value> lowerDivMode(AtenDivTensorModeOp op,
                              AtenDivTensorModeOp::Adaptor in,
                              LinalgBuilder &b) {
  bool isTrue = torch::isNone(op.getRoundingMode());
  std::optional<StringRef> mode = matchStr(op.getRoundingMode());
  if (!isTrue && (!mode || (*mode != "floor" && *mode != "trunc")))
    return b.decline()
           << "expected a rounding mode of none, \"floor\" or \"trunc\"";
  Value originals[] = {op.getSelf(), op.getOther()};
  Type dtype =
      dtypeIn(isTrue ? In::Floating : In::Wide, resultDtype(originals));
  return pointwise(b, originals, {in.getSelf(), in.getOther()}, dtype,
                   dtypeOf(op.getResult()), [&](Elements &e, ValueRange x) {
                     if (isTrue)
                       return e.div(x[0], x[1]);
                     return *mode == "floor" ? e.floorDiv(x[0], x[1])
                                             : e.truncDiv(x[0], x[1]);
                   });
}

/// pow: self^exponent.
FailureOr<Value> lowerPow(AtenPowTensorTensorOp op,
                          AtenPowTensorTensorOp::Adaptor in, LinalgBuilder &b) {
  Value originals[] = {op.getSelf(), op.getExponent()};
  return pointwise(b, originals, in.getOperands(),
                   dtypeIn(In::Wide, resultDtype(originals)),
                   dtypeOf(op.getResult()), [&](Elements &e, ValueRange x) {
                     return power(e, x[0], x[1], b.isForIree());
                   });
}

/// where: condition ? self : other.
FailureOr<Value> lowerWhere(AtenWhereSelfOp op, AtenWhereSelfOp::Adaptor in,
                            LinalgBuilder &b) {
  Type conditionDtype = dtypeOf(op.getCondition()),
       result = dtypeOf(op.getResult());
  Type dtypes[] = {dtypeOf(op.getSelf()), dtypeOf(op.getOther())};
  return b.pointwise(in.getOperands(), elementType(result),
                     [&](OpBuilder &body, Location loc, ValueRange x) {
                       Elements truth(body, loc, body.getI1Type()),
                           elements(body, loc, result);
                       return elements.select(
                           truth.convert(x[0], conditionDtype),
                           elements.convert(x[1], dtypes[0]),
                           elements.convert(x[2], dtypes[1]));
                     });
}

/// A conversion of the element type only.
FailureOr<Value> lowerConvertElementType(PrimsConvertElementTypeOp op,
                                         PrimsConvertElementTypeOp::Adaptor in,
                                         LinalgBuilder &b) {
  Type from = dtypeOf(op.getA()), to = dtypeOf(op.getResult());
  return b.convert(in.getA(), from, to);
}

/// A row whose function is one op of the math dialect.
template <typename MathOp>
Value function(Elements &e, ValueRange x) {
  return MathOp::create(e.getBuilder(), e.getLoc(), x[0]);
}
/// The same for ops that are the identity on integers.
template <typename MathOp>
Value rounding(Elements &e, ValueRange x) {
  return e.isFloat() ? function<MathOp>(e, x) : x[0];
}
template <Comparison comparison>
Value compare(Elements &e, ValueRange x) {
  return e.compare(comparison, x[0], x[1]);
}
template <Value (Elements::*compute)(Value, Value) const>
Value binary(Elements &e, ValueRange x) {
  return (e.*compute)(x[0], x[1]);
}
template <Value (Elements::*compute)(Value) const>
Value unary(Elements &e, ValueRange x) {
  return (e.*compute)(x[0]);
}
template <typename ArithOp>
Value bitwise(Elements &e, ValueRange x) {
  return ArithOp::create(e.getBuilder(), e.getLoc(), x[0], x[1]);
}

/// Flips all bits; for bool, logical not.
Value bitwiseNot(Elements &e, ValueRange x) {
  Value ones = e.isBool() ? e.one() : e.integer(-1);
  return arith::XOrIOp::create(e.getBuilder(), e.getLoc(), x[0], ones);
}

/// PyTorch defines shifts by at least the width, and by negative amounts, as
/// shifting all bits out: the result is 0, or for an arithmetic right shift the
/// sign.
Value shift(Elements &e, ValueRange x, bool left) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  unsigned width = e.getDtype().getIntOrFloatBitWidth();
  Value inRange = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        x[1], e.integer(width));
  bool keepsSign = !left && !e.isUnsigned();
  Value amount = e.select(inRange, x[1], e.integer(keepsSign ? width - 1 : 0));
  if (keepsSign)
    return arith::ShRSIOp::create(builder, loc, x[0], amount);
  Value shifted =
      left ? arith::ShLIOp::create(builder, loc, x[0], amount).getResult()
           : arith::ShRUIOp::create(builder, loc, x[0], amount).getResult();
  return e.select(inRange, shifted, e.zero());
}

/// 1 / (1 + exp(-x))
Value sigmoid(Elements &e, ValueRange x) {
  Value exponential =
      math::ExpOp::create(e.getBuilder(), e.getLoc(), e.neg(x[0]));
  return e.div(e.one(), e.add(e.one(), exponential));
}

/// -1, 0 or 1; 0 for NaN, which is neither less nor greater than 0.
Value sign(Elements &e, ValueRange x) {
  if (e.isBool())
    return x[0];
  Value positive = e.compare(Comparison::gt, x[0], e.zero());
  if (e.isUnsigned())
    return e.select(positive, e.one(), e.zero());
  Value negative = e.compare(Comparison::lt, x[0], e.zero());
  return e.select(positive, e.one(),
                  e.select(negative, e.integer(-1), e.zero()));
}

} // namespace

void torch_to_linalg::populatePointwise(LinalgLowerings &lowerings) {
  lowerings.addReal(lowerConvertElementType, lowerDivMode,
                    lowerScaled<AtenAddTensorOp, &Elements::add>,
                    lowerScaled<AtenSubTensorOp, &Elements::sub>, lowerPow,
                    lowerWhere);

  // A table row: an op whose operands are all tensors.
  auto row = [&](StringRef name, In in,
                 Value (*compute)(Elements &, ValueRange)) {
    lowerings.addReal(
        name, [=](Operation *op, ArrayRef<Value> operands, LinalgBuilder &b) {
          Type common = resultDtype(op->getOperands());
          return LoweredResults{pointwise(b, op->getOperands(), operands,
                                          dtypeIn(in, common),
                                          dtypeOf(op->getResult(0)), compute)};
        });
  };
#define ROW(OP, IN, ...)                                                       \
  row(Aten##OP##Op::getOperationName(), In::IN, __VA_ARGS__)
  ROW(Abs, Common, unary<&Elements::abs>);
  ROW(Atan, Floating, function<math::AtanOp>);
  ROW(BitwiseAndTensor, Common, bitwise<arith::AndIOp>);
  ROW(BitwiseLeftShiftTensor, Common,
      [](Elements &e, ValueRange x) { return shift(e, x, true); });
  ROW(BitwiseNot, Common, bitwiseNot);
  ROW(BitwiseOrTensor, Common, bitwise<arith::OrIOp>);
  ROW(BitwiseRightShiftTensor, Common,
      [](Elements &e, ValueRange x) { return shift(e, x, false); });
  ROW(BitwiseXorTensor, Common, bitwise<arith::XOrIOp>);
  ROW(Ceil, Common, rounding<math::CeilOp>);
  ROW(Cos, Floating, function<math::CosOp>);
  ROW(DivTensor, Floating, binary<&Elements::div>);
  ROW(EqTensor, Common, compare<Comparison::eq>);
  ROW(Erf, Floating, function<math::ErfOp>);
  ROW(Exp, Floating, function<math::ExpOp>);
  ROW(Floor, Common, rounding<math::FloorOp>);
  ROW(FmodTensor, Wide, binary<&Elements::fmod>);
  ROW(GeTensor, Common, compare<Comparison::ge>);
  ROW(GtTensor, Common, compare<Comparison::gt>);
  ROW(Isnan, Common, unary<&Elements::isNan>);
  ROW(LeTensor, Common, compare<Comparison::le>);
  ROW(Log, Floating, function<math::LogOp>);
  ROW(LogicalAnd, Bool, bitwise<arith::AndIOp>);
  ROW(LogicalNot, Bool, bitwiseNot);
  ROW(LogicalOr, Bool, bitwise<arith::OrIOp>);
  ROW(LogicalXor, Bool, bitwise<arith::XOrIOp>);
  ROW(LtTensor, Common, compare<Comparison::lt>);
  ROW(Maximum, Common, binary<&Elements::max>);
  ROW(Minimum, Common, binary<&Elements::min>);
  ROW(MulTensor, Common, binary<&Elements::mul>);
  ROW(NeTensor, Common, compare<Comparison::ne>);
  ROW(Neg, Common, unary<&Elements::neg>);
  ROW(Reciprocal, Floating,
      [](Elements &e, ValueRange x) { return e.div(e.one(), x[0]); });
  ROW(RemainderTensor, Wide, binary<&Elements::remainder>);
  ROW(Round, Common, rounding<math::RoundEvenOp>);
  ROW(Rsqrt, Floating, function<math::RsqrtOp>);
  ROW(Sigmoid, Floating, sigmoid);
  ROW(Sign, Common, sign);
  ROW(Sin, Floating, function<math::SinOp>);
  ROW(Sqrt, Floating, function<math::SqrtOp>);
  ROW(Tanh, Floating, function<math::TanhOp>);
#undef ROW
}
