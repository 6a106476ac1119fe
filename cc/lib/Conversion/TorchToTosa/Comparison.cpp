//===- Comparison.cpp - ATen comparisons and logic to TOSA ----------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

namespace {

enum class Order { Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual };

/// eq, ge ...: operands are promoted to their common dtype; bools compare as 0
/// and 1.
template <typename SourceOp, Order order>
FailureOr<Value> lowerCompare(SourceOp op, typename SourceOp::Adaptor in,
                              TosaBuilder &b) {
  Type dtype = torch::resultDtype({op.getSelf(), op.getOther()});
  if (torch::isBoolean(dtype))
    dtype = b.i32();
  if (!computeType(dtype))
    return b.decline() << "TOSA has no tensors of " << dtype;
  Value x = promoted(b, op.getSelf(), in.getSelf(), dtype);
  Value y = promoted(b, op.getOther(), in.getOther(), dtype);
  switch (order) {
  case Order::Equal:
    return b.equal(x, y);
  case Order::Greater:
    return b.greater(x, y);
  case Order::GreaterEqual:
    return b.greaterEqual(x, y);
  case Order::Less:
    return b.greater(y, x);
  case Order::LessEqual:
    return b.greaterEqual(y, x);
  case Order::NotEqual:
    return b.logicalNot(b.equal(x, y));
  }
  llvm_unreachable("every order is named above");
}

/// logical_and ...: nonzero operands are true.
template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerLogical(SourceOp, typename SourceOp::Adaptor in,
                              TosaBuilder &b) {
  return b.binary<TargetOp>(b.cast(in.getSelf(), b.i1()),
                            b.cast(in.getOther(), b.i1()));
}

FailureOr<Value> lowerLogicalNot(torch::AtenLogicalNotOp,
                                 torch::AtenLogicalNotOp::Adaptor in,
                                 TosaBuilder &b) {
  return b.logicalNot(b.cast(in.getSelf(), b.i1()));
}

/// isnan: x != x; false for integers.
FailureOr<Value> lowerIsNan(torch::AtenIsnanOp op,
                            torch::AtenIsnanOp::Adaptor in, TosaBuilder &b) {
  Value x = in.getSelf();
  if (torch::isIntegral(dtypeOf(op.getSelf())))
    return b.logicalXor(b.cast(x, b.i1()), b.cast(x, b.i1()));
  return b.isNan(x);
}

/// where: condition ? self : other, with self and other promoted.
FailureOr<Value> lowerWhere(torch::AtenWhereSelfOp op,
                            torch::AtenWhereSelfOp::Adaptor in,
                            TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  Value x = promoted(b, op.getSelf(), in.getSelf(), dtype);
  Value y = promoted(b, op.getOther(), in.getOther(), dtype);
  return b.store(b.select(b.cast(in.getCondition(), b.i1()), x, y), dtype);
}

FailureOr<Value>
lowerConvertElementType(torch::PrimsConvertElementTypeOp op,
                        torch::PrimsConvertElementTypeOp::Adaptor in,
                        TosaBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  return b.store(promoted(b, op.getA(), in.getA(), dtype), dtype);
}

} // namespace

void torch_to_tosa::populateComparison(TosaLowerings &lowerings) {
  using namespace torch;
  lowerings.add(lowerCompare<AtenEqTensorOp, Order::Equal>,
                lowerCompare<AtenGeTensorOp, Order::GreaterEqual>,
                lowerCompare<AtenGtTensorOp, Order::Greater>,
                lowerCompare<AtenLeTensorOp, Order::LessEqual>,
                lowerCompare<AtenLtTensorOp, Order::Less>,
                lowerCompare<AtenNeTensorOp, Order::NotEqual>,
                lowerConvertElementType, lowerIsNan,
                lowerLogical<AtenLogicalAndOp, tosa::LogicalAndOp>,
                lowerLogical<AtenLogicalOrOp, tosa::LogicalOrOp>,
                lowerLogical<AtenLogicalXorOp, tosa::LogicalXorOp>,
                lowerLogicalNot, lowerWhere);
}
