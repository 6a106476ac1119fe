//===- ScalarFolds.cpp - Constant folding of ints, floats and bools -------===//

#include "WholeNumber.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch;

namespace {

std::optional<int64_t> intOf(Attribute attribute) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!integer)
    return std::nullopt;
  return integerOf(integer.getValue(), integer.getType());
}

std::optional<bool> boolOf(Attribute attribute) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  return integer ? std::optional<bool>(!integer.getValue().isZero())
                 : std::nullopt;
}

std::optional<double> numberOf(Attribute attribute) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (std::optional<int64_t> integer = intOf(attribute))
    return static_cast<double>(*integer);
  return std::nullopt;
}

OpFoldResult intAttr(MLIRContext *context, int64_t value) {
  return IntegerAttr::get(IntegerType::get(context, 64), value);
}
OpFoldResult boolAttr(MLIRContext *context, bool value) {
  return BoolAttr::get(context, value);
}
OpFoldResult floatAttr(MLIRContext *context, double value) {
  return FloatAttr::get(Float64Type::get(context), value);
}

/// Folds two known ints; `function` returns nullopt where it is undefined.
template <typename Adaptor, typename Function>
OpFoldResult foldInts(Operation *op, Adaptor adaptor, Function function) {
  std::optional<int64_t> a = intOf(adaptor.getOperands()[0]);
  std::optional<int64_t> b = intOf(adaptor.getOperands()[1]);
  if (!a || !b)
    return nullptr;
  std::optional<int64_t> result = function(*a, *b);
  return result ? intAttr(op->getContext(), *result) : nullptr;
}

template <typename Adaptor, typename Function>
OpFoldResult compareInts(Operation *op, Adaptor adaptor, Function function) {
  std::optional<int64_t> a = intOf(adaptor.getOperands()[0]);
  std::optional<int64_t> b = intOf(adaptor.getOperands()[1]);
  return a && b ? boolAttr(op->getContext(), function(*a, *b)) : nullptr;
}

template <typename Adaptor, typename Function>
OpFoldResult foldFloats(Operation *op, Adaptor adaptor, Function function) {
  std::optional<double> a = numberOf(adaptor.getOperands()[0]);
  std::optional<double> b = numberOf(adaptor.getOperands()[1]);
  return a && b ? floatAttr(op->getContext(), function(*a, *b)) : nullptr;
}

/// An op that overflows does not fold, so that an overflow happens only at run
/// time, if the op runs.
template <bool (*Overflowing)(int64_t, int64_t, int64_t &)>
std::optional<int64_t> checked(int64_t a, int64_t b) {
  int64_t result;
  return Overflowing(a, b, result) ? std::nullopt
                                   : std::optional<int64_t>(result);
}
bool addOverflows(int64_t a, int64_t b, int64_t &r) {
  return __builtin_add_overflow(a, b, &r);
}
bool subOverflows(int64_t a, int64_t b, int64_t &r) {
  return __builtin_sub_overflow(a, b, &r);
}
bool mulOverflows(int64_t a, int64_t b, int64_t &r) {
  return __builtin_mul_overflow(a, b, &r);
}

/// Python's // rounds down; the result of its % has the sign of the divisor.
std::optional<int64_t> floorDivide(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  return llvm::divideFloorSigned(a, b);
}
std::optional<int64_t> floorRemainder(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// The single element of a rank-0 or one-element literal.
Attribute elementOf(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attribute);
  if (!elements || elements.getNumElements() != 1)
    return {};
  return *elements.getValues<Attribute>().begin();
}

/// Whether operand `index` is the constant `value`.
template <typename Adaptor>
bool isConstant(Adaptor adaptor, unsigned index, int64_t value) {
  return intOf(adaptor.getOperands()[index]) == value;
}

} // namespace

OpFoldResult AtenAddIntOp::fold(FoldAdaptor adaptor) {
  if (isConstant(adaptor, 1, 0))
    return getOperand(0);
  if (isConstant(adaptor, 0, 0))
    return getOperand(1);
  return foldInts(*this, adaptor, checked<addOverflows>);
}

OpFoldResult AtenSubIntOp::fold(FoldAdaptor adaptor) {
  if (isConstant(adaptor, 1, 0))
    return getOperand(0);
  if (getOperand(0) == getOperand(1))
    return intAttr(getContext(), 0);
  return foldInts(*this, adaptor, checked<subOverflows>);
}

OpFoldResult AtenMulIntOp::fold(FoldAdaptor adaptor) {
  if (isConstant(adaptor, 1, 1))
    return getOperand(0);
  if (isConstant(adaptor, 0, 1))
    return getOperand(1);
  if (isConstant(adaptor, 0, 0) || isConstant(adaptor, 1, 0))
    return intAttr(getContext(), 0);
  return foldInts(*this, adaptor, checked<mulOverflows>);
}

OpFoldResult AtenFloordivIntOp::fold(FoldAdaptor adaptor) {
  if (isConstant(adaptor, 1, 1))
    return getOperand(0);
  return foldInts(*this, adaptor, floorDivide);
}

OpFoldResult AtenRemainderIntOp::fold(FoldAdaptor adaptor) {
  return foldInts(*this, adaptor, floorRemainder);
}

OpFoldResult AtenNegIntOp::fold(FoldAdaptor adaptor) {
  std::optional<int64_t> a = intOf(adaptor.getA());
  return a && *a != INT64_MIN ? intAttr(getContext(), -*a) : nullptr;
}

OpFoldResult PrimMinIntOp::fold(FoldAdaptor adaptor) {
  if (getOperand(0) == getOperand(1))
    return getOperand(0);
  return foldInts(*this, adaptor, [](int64_t a, int64_t b) {
    return std::optional(std::min(a, b));
  });
}

OpFoldResult PrimMaxIntOp::fold(FoldAdaptor adaptor) {
  if (getOperand(0) == getOperand(1))
    return getOperand(0);
  return foldInts(*this, adaptor, [](int64_t a, int64_t b) {
    return std::optional(std::max(a, b));
  });
}

OpFoldResult AtenEqIntOp::fold(FoldAdaptor adaptor) {
  if (getOperand(0) == getOperand(1))
    return boolAttr(getContext(), true);
  return compareInts(*this, adaptor, std::equal_to<int64_t>());
}
OpFoldResult AtenNeIntOp::fold(FoldAdaptor adaptor) {
  if (getOperand(0) == getOperand(1))
    return boolAttr(getContext(), false);
  return compareInts(*this, adaptor, std::not_equal_to<int64_t>());
}
OpFoldResult AtenLtIntOp::fold(FoldAdaptor adaptor) {
  return compareInts(*this, adaptor, std::less<int64_t>());
}
OpFoldResult AtenLeIntOp::fold(FoldAdaptor adaptor) {
  return compareInts(*this, adaptor, std::less_equal<int64_t>());
}
OpFoldResult AtenGtIntOp::fold(FoldAdaptor adaptor) {
  return compareInts(*this, adaptor, std::greater<int64_t>());
}
OpFoldResult AtenGeIntOp::fold(FoldAdaptor adaptor) {
  return compareInts(*this, adaptor, std::greater_equal<int64_t>());
}

OpFoldResult AtenAddFloatOp::fold(FoldAdaptor adaptor) {
  return foldFloats(*this, adaptor, std::plus<double>());
}
OpFoldResult AtenSubFloatOp::fold(FoldAdaptor adaptor) {
  return foldFloats(*this, adaptor, std::minus<double>());
}
OpFoldResult AtenMulFloatOp::fold(FoldAdaptor adaptor) {
  return foldFloats(*this, adaptor, std::multiplies<double>());
}
OpFoldResult AtenDivFloatOp::fold(FoldAdaptor adaptor) {
  std::optional<double> divisor = numberOf(adaptor.getB());
  if (!divisor || *divisor == 0.0)
    return nullptr;
  return foldFloats(*this, adaptor, std::divides<double>());
}

/// A double as an int64_t, if it fits.
static OpFoldResult intOfDouble(MLIRContext *context, double value) {
  std::optional<int64_t> whole = wholeNumber(value);
  return whole ? intAttr(context, *whole) : nullptr;
}

OpFoldResult AtenCeilFloatOp::fold(FoldAdaptor adaptor) {
  std::optional<double> a = numberOf(adaptor.getA());
  return a ? intOfDouble(getContext(), std::ceil(*a)) : nullptr;
}
OpFoldResult AtenFloorFloatOp::fold(FoldAdaptor adaptor) {
  std::optional<double> a = numberOf(adaptor.getA());
  return a ? intOfDouble(getContext(), std::floor(*a)) : nullptr;
}

OpFoldResult Aten__And__BoolOp::fold(FoldAdaptor adaptor) {
  std::optional<bool> a = boolOf(adaptor.getA()), b = boolOf(adaptor.getB());
  if ((a && !*a) || (b && !*b))
    return boolAttr(getContext(), false);
  return a && b ? boolAttr(getContext(), true) : nullptr;
}
OpFoldResult Aten__Or__BoolOp::fold(FoldAdaptor adaptor) {
  std::optional<bool> a = boolOf(adaptor.getA()), b = boolOf(adaptor.getB());
  if ((a && *a) || (b && *b))
    return boolAttr(getContext(), true);
  return a && b ? boolAttr(getContext(), false) : nullptr;
}
OpFoldResult Aten__Not__Op::fold(FoldAdaptor adaptor) {
  std::optional<bool> a = boolOf(adaptor.getOperands()[0]);
  return a ? boolAttr(getContext(), !*a) : nullptr;
}

OpFoldResult AtenBoolIntOp::fold(FoldAdaptor adaptor) {
  std::optional<int64_t> a = intOf(adaptor.getA());
  return a ? boolAttr(getContext(), *a != 0) : nullptr;
}
OpFoldResult AtenIntBoolOp::fold(FoldAdaptor adaptor) {
  std::optional<bool> a = boolOf(adaptor.getA());
  return a ? intAttr(getContext(), *a) : nullptr;
}
OpFoldResult AtenIntScalarOp::fold(FoldAdaptor adaptor) {
  if (isInt(getOperand().getType()))
    return getOperand();
  std::optional<double> a = numberOf(adaptor.getA());
  return a ? intOfDouble(getContext(), std::trunc(*a)) : nullptr;
}
OpFoldResult AtenFloatScalarOp::fold(FoldAdaptor adaptor) {
  if (isFloat(getOperand().getType()))
    return getOperand();
  std::optional<double> a = numberOf(adaptor.getA());
  return a ? floatAttr(getContext(), *a) : nullptr;
}

/// The scalar from which PrimNumToTensorScalarOp made the operand, if it has
/// the type of the result; otherwise null.
template <typename Op>
static Value scalarBehind(Op op) {
  auto made = op.getOperand().template getDefiningOp<PrimNumToTensorScalarOp>();
  return made && made.getOperand().getType() == op.getType() ? made.getOperand()
                                                             : Value();
}

OpFoldResult AtenIntTensorOp::fold(FoldAdaptor adaptor) {
  if (Value scalar = scalarBehind(*this))
    return scalar;
  std::optional<double> number = numberOf(elementOf(adaptor.getA()));
  if (std::optional<int64_t> integer = intOf(elementOf(adaptor.getA())))
    return intAttr(getContext(), *integer);
  return number ? intOfDouble(getContext(), std::trunc(*number)) : nullptr;
}
OpFoldResult AtenFloatTensorOp::fold(FoldAdaptor adaptor) {
  if (Value scalar = scalarBehind(*this))
    return scalar;
  std::optional<double> number = numberOf(elementOf(adaptor.getA()));
  return number ? floatAttr(getContext(), *number) : nullptr;
}
OpFoldResult AtenBoolTensorOp::fold(FoldAdaptor adaptor) {
  if (Value scalar = scalarBehind(*this))
    return scalar;
  std::optional<double> number = numberOf(elementOf(adaptor.getA()));
  return number ? boolAttr(getContext(), *number != 0.0) : nullptr;
}

OpFoldResult PrimNumToTensorScalarOp::fold(FoldAdaptor adaptor) {
  MLIRContext *context = getContext();
  if (auto number = dyn_cast_or_null<FloatAttr>(adaptor.getA()))
    return DenseElementsAttr::get(
        RankedTensorType::get({}, Float64Type::get(context)),
        number.getValueAsDouble());
  if (!isInt(getOperand().getType()))
    return nullptr;
  std::optional<int64_t> integer = intOf(adaptor.getA());
  if (!integer)
    return nullptr;
  return DenseElementsAttr::get(
      RankedTensorType::get({},
                            IntegerType::get(context, 64, IntegerType::Signed)),
      *integer);
}

OpFoldResult AtenSizeIntOp::fold(FoldAdaptor adaptor) {
  std::optional<int64_t> dim = intOf(adaptor.getDim());
  auto type = dyn_cast<ValueTensorType>(getSelf().getType());
  if (!dim || !type || !type.hasRank())
    return nullptr;
  int64_t index = normalDim(*dim, type.getRank());
  if (index < 0 || index >= type.getRank() ||
      ShapedType::isDynamic(type.getSizes()[index]))
    return nullptr;
  return intAttr(getContext(), type.getSizes()[index]);
}
