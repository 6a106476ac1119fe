//===- Scalar.cpp - Ints, floats and bools to rank-0 tensors --------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/ScalarOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;
using Direction = hlo::ComparisonDirection;

namespace {

template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerArithmetic(SourceOp, typename SourceOp::Adaptor in,
                                 HloBuilder &b) {
  ValueRange operands = in.getOperands();
  if constexpr (TargetOp::template hasTrait<OpTrait::OneOperand>())
    return b.create<TargetOp>(operands[0]);
  else
    return b.create<TargetOp>(operands[0], operands[1]);
}

/// Division and remainder that round towards minus infinity, as in Python.
template <typename SourceOp, Size (SizeArithmetic::*function)(Size, Size) const>
FailureOr<Value> lowerFloorDivision(SourceOp op, typename SourceOp::Adaptor in,
                                    HloBuilder &b) {
  Size lhs = sizeOfInt(op.getA(), in.getA());
  Size rhs = sizeOfInt(op.getB(), in.getB());
  return b.sizes.materialize((b.sizes.*function)(lhs, rhs));
}

template <typename SourceOp, Direction direction>
FailureOr<Value> lowerCompare(SourceOp, typename SourceOp::Adaptor in,
                              HloBuilder &b) {
  return b.compare(direction, in.getA(), in.getB());
}

/// Converts a one-element tensor, or a scalar, to a scalar of another type.
/// mhlo.convert rounds towards zero, like int().
template <typename SourceOp>
FailureOr<Value> lowerConvert(SourceOp, typename SourceOp::Adaptor in,
                              HloBuilder &b) {
  Value scalar = b.reshape(in.getA(), Sizes());
  return b.convert(scalar, b.resultType().getElementType());
}

/// floor(a) and ceil(a) of a float are ints.
template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerRound(SourceOp, typename SourceOp::Adaptor in,
                            HloBuilder &b) {
  return b.convert(b.create<TargetOp>(in.getA()),
                   b.resultType().getElementType());
}

FailureOr<Value> lowerSize(torch::AtenSizeIntOp op,
                           torch::AtenSizeIntOp::Adaptor in, HloBuilder &b) {
  auto dim = torch::matchInt(op.getDim());
  if (!dim)
    return b.decline() << torch::kConstantDim;
  Value self = in.getSelf();
  return b.sizes.materialize(
      b.sizes.sizeOf(self, torch::normalDim(*dim, b.rank(self))));
}

} // namespace

void torch_to_mhlo::populateScalar(HloLowerings &lowerings) {
  using namespace torch;
  lowerings.add(
      lowerArithmetic<AtenAddFloatOp, mhlo::AddOp>,
      lowerArithmetic<AtenAddIntOp, mhlo::AddOp>,
      lowerArithmetic<AtenDivFloatOp, mhlo::DivOp>,
      lowerArithmetic<AtenMulFloatOp, mhlo::MulOp>,
      lowerArithmetic<AtenMulIntOp, mhlo::MulOp>,
      lowerArithmetic<AtenNegIntOp, mhlo::NegateOp>,
      lowerArithmetic<AtenSubFloatOp, mhlo::SubtractOp>,
      lowerArithmetic<AtenSubIntOp, mhlo::SubtractOp>,
      lowerArithmetic<Aten__And__BoolOp, mhlo::AndOp>,
      lowerArithmetic<Aten__Not__Op, mhlo::NotOp>,
      lowerArithmetic<Aten__Or__BoolOp, mhlo::OrOp>,
      lowerArithmetic<PrimMaxIntOp, mhlo::MaxOp>,
      lowerArithmetic<PrimMinIntOp, mhlo::MinOp>,
      lowerCompare<AtenEqIntOp, Direction::EQ>,
      lowerCompare<AtenGeIntOp, Direction::GE>,
      lowerCompare<AtenGtIntOp, Direction::GT>,
      lowerCompare<AtenLeIntOp, Direction::LE>,
      lowerCompare<AtenLtIntOp, Direction::LT>,
      lowerCompare<AtenNeIntOp, Direction::NE>, lowerConvert<AtenBoolIntOp>,
      lowerConvert<AtenBoolTensorOp>, lowerConvert<AtenFloatScalarOp>,
      lowerConvert<AtenFloatTensorOp>, lowerConvert<AtenIntBoolOp>,
      lowerConvert<AtenIntScalarOp>, lowerConvert<AtenIntTensorOp>,
      lowerConvert<PrimNumToTensorScalarOp>,
      lowerFloorDivision<AtenFloordivIntOp, &SizeArithmetic::floorDiv>,
      lowerFloorDivision<AtenRemainderIntOp, &SizeArithmetic::floorMod>,
      lowerRound<AtenCeilFloatOp, mhlo::CeilOp>,
      lowerRound<AtenFloorFloatOp, mhlo::FloorOp>, lowerSize);
}
