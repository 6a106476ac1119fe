//===- Complex.cpp - Complex tensors at the borders of a program ----------===//
//
// torch-decompose-complex-ops makes programs compute on real and imaginary
// parts. The remaining ops split arguments into parts and combine results.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_mhlo;

namespace {

/// complex(real, imag), with broadcasting.
FailureOr<Value> lowerComplex(torch::AtenComplexOp,
                              torch::AtenComplexOp::Adaptor in, HloBuilder &b) {
  Sizes shape = b.commonShape(in.getOperands());
  Value real = b.broadcastTo(in.getReal(), shape),
        imaginary = b.broadcastTo(in.getImag(), shape);
  Type element = b.resultType().getElementType();
  return b.create<mhlo::ComplexOp>(b.type(real).clone(element), real,
                                   b.cast(imaginary, real.getType()));
}

/// The real or imaginary part; the real part of a real number is itself.
template <typename SourceOp, typename TargetOp>
FailureOr<Value> lowerPart(SourceOp, typename SourceOp::Adaptor in,
                           HloBuilder &b) {
  Value self = in.getSelf();
  if (!isa<ComplexType>(b.elementType(self))) {
    if (std::is_same_v<SourceOp, torch::AtenRealOp>)
      return self;
    return b.decline() << "expected complex numbers, got "
                       << b.elementType(self);
  }
  Type part = b.resultType().getElementType();
  return b.create<TargetOp>(b.type(self).clone(part), self);
}

} // namespace

void torch_to_mhlo::populateComplex(HloLowerings &lowerings) {
  lowerings.add(lowerComplex, lowerPart<torch::AtenImagOp, mhlo::ImagOp>,
                lowerPart<torch::AtenRealOp, mhlo::RealOp>);
}
