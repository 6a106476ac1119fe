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
struct ComplexLowering : HloLowering<torch::AtenComplexOp> {
  using HloLowering::HloLowering;

  FailureOr<Value> lower(torch::AtenComplexOp op, Adaptor adaptor,
                         HloBuilder &b) const override {
    Sizes shape = b.commonShape(adaptor.getOperands());
    Value real = b.broadcastTo(adaptor.getReal(), shape),
          imaginary = b.broadcastTo(adaptor.getImag(), shape);
    Type element = resultType(op).getElementType();
    return b.create<mhlo::ComplexOp>(b.type(real).clone(element), real,
                                     b.cast(imaginary, real.getType()));
  }
};

/// The real or imaginary part; the real part of a real number is itself.
template <typename SourceOp, typename TargetOp>
struct PartLowering : HloLowering<SourceOp> {
  using HloLowering<SourceOp>::HloLowering;

  FailureOr<Value> lower(SourceOp op, typename SourceOp::Adaptor adaptor,
                         HloBuilder &b) const override {
    Value self = adaptor.getSelf();
    if (!isa<ComplexType>(b.elementType(self))) {
      if (std::is_same_v<SourceOp, torch::AtenRealOp>)
        return self;
      return this->decline(op)
             << "expected complex numbers, got " << b.elementType(self);
    }
    Type part = this->resultType(op).getElementType();
    return b.create<TargetOp>(b.type(self).clone(part), self);
  }
};

} // namespace

void torch_to_mhlo::populateComplex(const TypeConverter &types,
                                    RewritePatternSet &patterns,
                                    UnsupportedOps &unsupported) {
  patterns.add<ComplexLowering, PartLowering<torch::AtenImagOp, mhlo::ImagOp>,
               PartLowering<torch::AtenRealOp, mhlo::RealOp>>(
      types, patterns.getContext(), unsupported);
}
