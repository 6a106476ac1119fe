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
FailureOr<Value> lowerComplex(AtenComplexOp op, AtenComplexOp::Adaptor in,
                              LinalgBuilder &b) {
  Type dtype = dtypeOf(op.getResult());
  return b.pointwise(
      in.getOperands(), dtype,
      [&](OpBuilder &body, Location loc, ValueRange parts) -> Value {
        return complex::CreateOp::create(body, loc, dtype, parts[0], parts[1]);
      });
}

/// The real or imaginary part; the real part of a real number is itself.
template <typename Op, typename PartOp>
FailureOr<Value> lowerPart(Op op, typename Op::Adaptor in, LinalgBuilder &b) {
  Type dtype = dtypeOf(op.getSelf());
  if (!isComplex(dtype)) {
    if (std::is_same_v<Op, AtenRealOp>)
      return in.getSelf();
    return b.decline() << "expected complex numbers, got " << dtype;
  }
  return b.pointwise(
      in.getSelf(), partDtype(dtype),
      [](OpBuilder &body, Location loc, ValueRange numbers) -> Value {
        return PartOp::create(body, loc, numbers.front());
      });
}

} // namespace

void torch_to_linalg::populateComplex(LinalgLowerings &lowerings) {
  lowerings.add(lowerComplex, lowerPart<AtenImagOp, complex::ImOp>,
                lowerPart<AtenRealOp, complex::ReOp>);
}
