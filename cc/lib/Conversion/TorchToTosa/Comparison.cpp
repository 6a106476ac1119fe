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
struct CompareLowering : TosaLowering<SourceOp> {
  using TosaLowering<SourceOp>::TosaLowering;
  using typename TosaLowering<SourceOp>::Adaptor;
  using typename TosaLowering<SourceOp>::Results;

  FailureOr<Results> lower(SourceOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Type dtype = torch::resultDtype({op.getSelf(), op.getOther()});
    if (torch::isBoolean(dtype))
      dtype = b.i32();
    if (!computeType(dtype))
      return this->decline(op) << "TOSA has no tensors of " << dtype;
    Value x = this->promoted(b, op.getSelf(), adaptor.getSelf(), dtype);
    Value y = this->promoted(b, op.getOther(), adaptor.getOther(), dtype);
    switch (order) {
    case Order::Equal:
      return this->one(b.equal(x, y));
    case Order::Greater:
      return this->one(b.greater(x, y));
    case Order::GreaterEqual:
      return this->one(b.greaterEqual(x, y));
    case Order::Less:
      return this->one(b.greater(y, x));
    case Order::LessEqual:
      return this->one(b.greaterEqual(y, x));
    case Order::NotEqual:
      return this->one(b.logicalNot(b.equal(x, y)));
    }
    llvm_unreachable("every order is named above");
  }
};

/// logical_and ...: nonzero operands are true.
template <typename SourceOp, typename TargetOp>
struct LogicalLowering : TosaLowering<SourceOp> {
  using TosaLowering<SourceOp>::TosaLowering;
  using typename TosaLowering<SourceOp>::Adaptor;
  using typename TosaLowering<SourceOp>::Results;

  FailureOr<Results> lower(SourceOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    return this->one(b.binary<TargetOp>(b.cast(adaptor.getSelf(), b.i1()),
                                        b.cast(adaptor.getOther(), b.i1())));
  }
};

struct LogicalNotLowering : TosaLowering<torch::AtenLogicalNotOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::AtenLogicalNotOp, Adaptor adaptor,
                           TosaBuilder &b) const override {
    return one(b.logicalNot(b.cast(adaptor.getSelf(), b.i1())));
  }
};

/// isnan: x != x; false for integers.
struct IsNanLowering : TosaLowering<torch::AtenIsnanOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::AtenIsnanOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Value x = adaptor.getSelf();
    if (torch::isIntegral(dtypeOf(op.getSelf())))
      return one(b.logicalXor(b.cast(x, b.i1()), b.cast(x, b.i1())));
    return one(b.isNan(x));
  }
};

/// where: condition ? self : other, with self and other promoted.
struct WhereLowering : TosaLowering<torch::AtenWhereSelfOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::AtenWhereSelfOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Type dtype = dtypeOf(op.getResult());
    Value x = promoted(b, op.getSelf(), adaptor.getSelf(), dtype);
    Value y = promoted(b, op.getOther(), adaptor.getOther(), dtype);
    return one(
        b.store(b.select(b.cast(adaptor.getCondition(), b.i1()), x, y), dtype));
  }
};

struct ConvertLowering : TosaLowering<torch::PrimsConvertElementTypeOp> {
  using TosaLowering::TosaLowering;
  FailureOr<Results> lower(torch::PrimsConvertElementTypeOp op, Adaptor adaptor,
                           TosaBuilder &b) const override {
    Type dtype = dtypeOf(op.getResult());
    return one(b.store(promoted(b, op.getA(), adaptor.getA(), dtype), dtype));
  }
};

} // namespace

void torch_to_tosa::populateComparison(const TypeConverter &types,
                                       RewritePatternSet &patterns,
                                       UnsupportedOps &unsupported) {
  using namespace torch;
  patterns
      .add<CompareLowering<AtenEqTensorOp, Order::Equal>,
           CompareLowering<AtenGeTensorOp, Order::GreaterEqual>,
           CompareLowering<AtenGtTensorOp, Order::Greater>,
           CompareLowering<AtenLeTensorOp, Order::LessEqual>,
           CompareLowering<AtenLtTensorOp, Order::Less>,
           CompareLowering<AtenNeTensorOp, Order::NotEqual>, ConvertLowering,
           IsNanLowering, LogicalLowering<AtenLogicalAndOp, tosa::LogicalAndOp>,
           LogicalLowering<AtenLogicalOrOp, tosa::LogicalOrOp>,
           LogicalLowering<AtenLogicalXorOp, tosa::LogicalXorOp>,
           LogicalNotLowering, WhereLowering>(types, patterns.getContext(),
                                              unsupported);
}
