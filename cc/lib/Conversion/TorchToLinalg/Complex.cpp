//===- Complex.cpp - Complex tensors at the borders of a program ----------===//
//
// torch-decompose-complex-ops makes programs compute on real and imaginary
// parts. The remaining ops split arguments into parts and combine results.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "Families.h"
#include "isthmus/Dialect/Torch/ComplexOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_linalg;
using namespace isthmus::torch;

namespace {

/// complex(real, imag), with broadcasting.
struct ComplexLowering : LinalgLowering<AtenComplexOp> {
  using LinalgLowering::LinalgLowering;

  Lowered lower(AtenComplexOp op, Adaptor adaptor,
                LinalgBuilder &b) const override {
    Type dtype = dtypeOf(op.getResult());
    return b.pointwise(
        adaptor.getOperands(), dtype,
        [&](OpBuilder &body, Location loc, ValueRange parts) -> Value {
          return complex::CreateOp::create(body, loc, dtype, parts[0],
                                           parts[1]);
        });
  }
};

/// The real or imaginary part; the real part of a real number is itself.
template <typename Op, typename PartOp>
struct PartLowering : LinalgLowering<Op> {
  using LinalgLowering<Op>::LinalgLowering;

  Lowered lower(Op op, typename Op::Adaptor adaptor,
                LinalgBuilder &b) const override {
    Type dtype = dtypeOf(op.getSelf());
    if (!isComplex(dtype)) {
      if (std::is_same_v<Op, AtenRealOp>)
        return adaptor.getSelf();
      return this->decline(op) << "expected complex numbers, got " << dtype;
    }
    return b.pointwise(
        adaptor.getSelf(), partDtype(dtype),
        [](OpBuilder &body, Location loc, ValueRange numbers) -> Value {
          return PartOp::create(body, loc, numbers.front());
        });
  }
};

} // namespace

void torch_to_linalg::populateComplex(const TypeConverter &types,
                                      RewritePatternSet &patterns,
                                      UnsupportedOps &unsupported) {
  patterns.add<ComplexLowering, PartLowering<AtenImagOp, complex::ImOp>,
               PartLowering<AtenRealOp, complex::ReOp>>(
      types, patterns.getContext(), unsupported);
}
