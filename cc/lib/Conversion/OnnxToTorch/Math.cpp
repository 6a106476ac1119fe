//===- Math.cpp - ONNX math ops to ATen -----------------------------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Math.h"
#include "Families.h"
#include "isthmus/Dialect/Torch/LinearOps.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ReductionOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// Add-14: C = A + B, with NumPy's broadcasting.
FailureOr<Value> lowerAdd(onnx::AddOp, onnx::AddOp::Adaptor in, NodeBuilder &b) {
  return b.add(in.getA(), in.getB());
}

/// Sub-14: C = A - B.
FailureOr<Value> lowerSub(onnx::SubOp, onnx::SubOp::Adaptor in, NodeBuilder &b) {
  return b.sub(in.getA(), in.getB());
}

/// Div-14: C = A / B; integers round towards zero.
FailureOr<Value> lowerDiv(onnx::DivOp, onnx::DivOp::Adaptor in, NodeBuilder &b) {
  if (!torch::isIntegral(torch::tensorType(in.getA()).getDtype()))
    return b.div(in.getA(), in.getB());
  return Value(b.create<torch::AtenDivTensorModeOp>(in.getA(), in.getB(), b.constantStr("trunc")));
}

/// Softmax-13: exp(x) / sum(exp(x)) along `axis`.
FailureOr<Value> lowerSoftmax(onnx::SoftmaxOp op, onnx::SoftmaxOp::Adaptor in, NodeBuilder &b) {
  return Value(b.create<torch::AtenSoftmaxIntOp>(in.getInput(), b.constant(op.getAxis()), b.none()));
}

} // namespace

void onnx_to_torch::populateMath(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerAdd);
  lowerings.add(lowerDiv);
  lowerings.add(lowerSoftmax);
  lowerings.add(lowerSub);
  lowerings.addBinary<onnx::MatMulOp, torch::AtenMatmulOp>();    // MatMul-13: numpy.matmul
  lowerings.addBinary<onnx::MulOp, torch::AtenMulTensorOp>();    // Mul-14: C = A * B
  lowerings.addBinary<onnx::PowOp, torch::AtenPowTensorTensorOp>(); // Pow-15: Z = X^Y
  lowerings.addUnary<onnx::AbsOp, torch::AtenAbsOp>();           // Abs-13: Y = |X|
  lowerings.addUnary<onnx::ErfOp, torch::AtenErfOp>();           // Erf-13
  lowerings.addUnary<onnx::ExpOp, torch::AtenExpOp>();           // Exp-13: e^x
  lowerings.addUnary<onnx::SqrtOp, torch::AtenSqrtOp>();         // Sqrt-13
  lowerings.addUnary<onnx::TanhOp, torch::AtenTanhOp>();         // Tanh-13
}
