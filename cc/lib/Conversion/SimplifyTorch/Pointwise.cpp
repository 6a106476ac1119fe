//===- Pointwise.cpp - Pointwise ops that return an operand ---------------===//

#include "Simplifications.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

/// The value of a splat literal.
static std::optional<double> splatOf(Value value) {
  auto literal = value.getDefiningOp<ValueTensorLiteralOp>();
  auto elements = literal ? dyn_cast<SplatElementsAttr>(literal.getValue())
                          : SplatElementsAttr();
  if (!elements)
    return std::nullopt;
  Attribute element = elements.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(element))
    return number.getValueAsDouble();
  auto integer = dyn_cast<IntegerAttr>(element);
  if (!integer)
    return std::nullopt;
  return doubleOf(integer.getValue(), integer.getType());
}

/// The operand if it can replace the result.
static Value ifSameType(Value operand, Value result) {
  ValueTensorType type = tensorType(operand);
  return type == tensorType(result) && type.hasStaticShape() ? operand
                                                             : Value();
}

/// True if every value of dtype `from` is representable in dtype `to`.
static bool isExact(Type from, Type to) {
  if (from == to || isBoolean(from))
    return true;
  if (isFloatingPoint(from) && isFloatingPoint(to)) {
    const llvm::fltSemantics &a =
        cast<mlir::FloatType>(from).getFloatSemantics();
    const llvm::fltSemantics &b = cast<mlir::FloatType>(to).getFloatSemantics();
    return llvm::APFloat::isRepresentableBy(a, b);
  }
  auto a = dyn_cast<IntegerType>(from), b = dyn_cast<IntegerType>(to);
  return a && b && a.getSignedness() == b.getSignedness() &&
         a.getWidth() <= b.getWidth();
}

/// convert(convert(x, exact), dtype) = convert(x, dtype)
static Value simplify(PrimsConvertElementTypeOp op, TorchBuilder &b) {
  Value x = op.getA();
  Type to = tensorType(op).getDtype();
  if (tensorType(x).getDtype() == to)
    return x;
  auto inner = x.getDefiningOp<PrimsConvertElementTypeOp>();
  Type from = inner ? tensorType(inner.getA()).getDtype() : Type();
  bool passes = from && isExact(from, tensorType(x).getDtype());
  return passes ? b.convert(inner.getA(), to) : Value();
}

/// x * 1 = x
static Value simplify(AtenMulTensorOp op, TorchBuilder &) {
  if (splatOf(op.getOther()) == 1.0)
    return ifSameType(op.getSelf(), op);
  return splatOf(op.getSelf()) == 1.0 ? ifSameType(op.getOther(), op) : Value();
}

static Value simplify(AtenDivTensorOp op, TorchBuilder &) {
  return splatOf(op.getOther()) == 1.0 ? ifSameType(op.getSelf(), op) : Value();
}

/// x - 0 = x; x + 0 = x for integers, as -0.0 + 0.0 is 0.0.
static Value simplify(AtenSubTensorOp op, TorchBuilder &) {
  std::optional<double> subtracted = splatOf(op.getOther());
  return subtracted == 0.0 && !std::signbit(*subtracted)
             ? ifSameType(op.getSelf(), op)
             : Value();
}

static Value simplify(AtenAddTensorOp op, TorchBuilder &) {
  if (!isIntegral(tensorType(op).getDtype()))
    return {};
  if (splatOf(op.getOther()) == 0.0)
    return ifSameType(op.getSelf(), op);
  return splatOf(op.getSelf()) == 0.0 && matchInt(op.getAlpha()) == 1
             ? ifSameType(op.getOther(), op)
             : Value();
}

/// where(true, a, b) = a
static Value simplify(AtenWhereSelfOp op, TorchBuilder &) {
  std::optional<double> condition = splatOf(op.getCondition());
  if (!condition)
    return {};
  return ifSameType(*condition != 0.0 ? op.getSelf() : op.getOther(), op);
}

/// flags & true = flags, flags | false = flags
static Value simplify(AtenLogicalAndOp op, TorchBuilder &) {
  if (splatOf(op.getOther()) == 1.0)
    return ifSameType(op.getSelf(), op);
  return splatOf(op.getSelf()) == 1.0 ? ifSameType(op.getOther(), op) : Value();
}

static Value simplify(AtenLogicalOrOp op, TorchBuilder &) {
  if (splatOf(op.getOther()) == 0.0)
    return ifSameType(op.getSelf(), op);
  return splatOf(op.getSelf()) == 0.0 ? ifSameType(op.getOther(), op) : Value();
}

Value simplify_torch::simplifyPointwise(Operation *op, TorchBuilder &b) {
  return TypeSwitch<Operation *, Value>(op)
      .Case<AtenAddTensorOp, AtenDivTensorOp, AtenLogicalAndOp, AtenLogicalOrOp,
            AtenMulTensorOp, AtenSubTensorOp, AtenWhereSelfOp,
            PrimsConvertElementTypeOp>(
          [&](auto pointwise) { return simplify(pointwise, b); })
      .Default([](Operation *) { return Value(); });
}
