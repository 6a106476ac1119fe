//===- Scalar.cpp - Ints, floats and bools to rank-0 tensors --------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;
using Direction = hlo::ComparisonDirection;

namespace {

template <typename SourceOp, typename TargetOp>
struct ArithmeticLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    ValueRange operands = adaptor.getOperands();
    if constexpr (TargetOp::template hasTrait<OpTrait::OneOperand>())
      return b.create<TargetOp>(operands[0]);
    else
      return b.create<TargetOp>(operands[0], operands[1]);
  }
};

/// Division and remainder that round towards minus infinity, as in Python.
template <typename SourceOp, Size (SizeArithmetic::*function)(Size, Size) const>
struct FloorLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    Size lhs = sizeOfInt(op.getA(), adaptor.getA());
    Size rhs = sizeOfInt(op.getB(), adaptor.getB());
    return b.sizes.materialize((b.sizes.*function)(lhs, rhs));
  }
};

template <typename SourceOp, Direction direction>
struct CompareLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    return b.compare(direction, adaptor.getA(), adaptor.getB());
  }
};

/// Converts a one-element tensor, or a scalar, to a scalar of another type.
/// mhlo.convert rounds towards zero, like int().
template <typename SourceOp>
struct ConvertLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    Value scalar = b.reshape(adaptor.getA(), Sizes());
    return b.convert(scalar, this->resultType(op).getElementType());
  }
};

/// floor(a) and ceil(a) of a float are ints.
template <typename SourceOp, typename TargetOp>
struct RoundLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    return b.convert(b.create<TargetOp>(adaptor.getA()),
                     this->resultType(op).getElementType());
  }
};

struct SizeLowering : HloLowering<torch::AtenSizeIntOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenSizeIntOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    auto dim = torch::matchInt(op.getDim());
    if (!dim)
      return decline(op) << "expected a dim that is known while compiling";
    Value self = adaptor.getSelf();
    return b.sizes.materialize(
        b.sizes.sizeOf(self, torch::normalDim(*dim, b.rank(self))));
  }
};

} // namespace

void torch_to_mhlo::populateScalar(const TypeConverter &types,
                                   RewritePatternSet &patterns,
                                   UnsupportedOps &unsupported) {
  using namespace torch;
  patterns
      .add<ArithmeticLowering<AtenAddFloatOp, mhlo::AddOp>,
           ArithmeticLowering<AtenAddIntOp, mhlo::AddOp>,
           ArithmeticLowering<AtenDivFloatOp, mhlo::DivOp>,
           ArithmeticLowering<AtenMulFloatOp, mhlo::MulOp>,
           ArithmeticLowering<AtenMulIntOp, mhlo::MulOp>,
           ArithmeticLowering<AtenNegIntOp, mhlo::NegateOp>,
           ArithmeticLowering<AtenSubFloatOp, mhlo::SubtractOp>,
           ArithmeticLowering<AtenSubIntOp, mhlo::SubtractOp>,
           ArithmeticLowering<Aten__And__BoolOp, mhlo::AndOp>,
           ArithmeticLowering<Aten__Not__Op, mhlo::NotOp>,
           ArithmeticLowering<Aten__Or__BoolOp, mhlo::OrOp>,
           ArithmeticLowering<PrimMaxIntOp, mhlo::MaxOp>,
           ArithmeticLowering<PrimMinIntOp, mhlo::MinOp>,
           CompareLowering<AtenEqIntOp, Direction::EQ>,
           CompareLowering<AtenGeIntOp, Direction::GE>,
           CompareLowering<AtenGtIntOp, Direction::GT>,
           CompareLowering<AtenLeIntOp, Direction::LE>,
           CompareLowering<AtenLtIntOp, Direction::LT>,
           CompareLowering<AtenNeIntOp, Direction::NE>,
           ConvertLowering<AtenBoolIntOp>, ConvertLowering<AtenBoolTensorOp>,
           ConvertLowering<AtenFloatScalarOp>,
           ConvertLowering<AtenFloatTensorOp>, ConvertLowering<AtenIntBoolOp>,
           ConvertLowering<AtenIntScalarOp>, ConvertLowering<AtenIntTensorOp>,
           ConvertLowering<PrimNumToTensorScalarOp>,
           FloorLowering<AtenFloordivIntOp, &SizeArithmetic::floorDiv>,
           FloorLowering<AtenRemainderIntOp, &SizeArithmetic::floorMod>,
           RoundLowering<AtenCeilFloatOp, mhlo::CeilOp>,
           RoundLowering<AtenFloorFloatOp, mhlo::FloorOp>, SizeLowering>(
          types, patterns.getContext(), unsupported);
}
