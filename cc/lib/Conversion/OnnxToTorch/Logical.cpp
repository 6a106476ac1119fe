//===- Logical.cpp - ONNX logic, bits and comparisons to ATen -------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Logical.h"
#include "Families.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Tensor.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// BitShift-28: shifts the bits of X by Y; the bits shifted in are 0, or the
/// sign bit if a signed X is shifted to the right.
FailureOr<Value> lowerBitShift(onnx::BitShiftOp op,
                               onnx::BitShiftOp::Adaptor in, NodeBuilder &b) {
  if (op.getDirection() == "LEFT")
    return Value(
        b.create<torch::AtenBitwiseLeftShiftTensorOp>(in.getX(), in.getY()));
  if (op.getDirection() == "RIGHT")
    return Value(
        b.create<torch::AtenBitwiseRightShiftTensorOp>(in.getX(), in.getY()));
  return b.decline() << "expected direction to be 'LEFT' or 'RIGHT', got '"
                     << op.getDirection() << "'";
}

/// IsInf-20: whether x is one of the requested infinities.
FailureOr<Value> lowerIsInf(onnx::IsInfOp op, onnx::IsInfOp::Adaptor in,
                            NodeBuilder &b) {
  Value x = in.getX();
  if (op.getDetectNegative() && op.getDetectPositive())
    return Value(b.create<torch::AtenIsinfOp>(x));
  double infinity = std::numeric_limits<double>::infinity();
  if (op.getDetectNegative())
    return Value(
        b.create<torch::AtenEqScalarOp>(x, b.constantFloat(-infinity)));
  if (op.getDetectPositive())
    return Value(b.create<torch::AtenEqScalarOp>(x, b.constantFloat(infinity)));
  return filled(b, b.sizes(x), b.constantBool(false), boolDtype(b));
}

} // namespace

void onnx_to_torch::populateLogical(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerBitShift);
  lowerings.add(lowerIsInf);
  lowerings.addBinary<onnx::AndOp, torch::AtenLogicalAndOp>(); // And-7
  lowerings.addBinary<onnx::BitwiseAndOp,
                      torch::AtenBitwiseAndTensorOp>(); // BitwiseAnd-18
  lowerings.addBinary<onnx::BitwiseOrOp,
                      torch::AtenBitwiseOrTensorOp>(); // BitwiseOr-18
  lowerings.addBinary<onnx::BitwiseXorOp,
                      torch::AtenBitwiseXorTensorOp>();        // BitwiseXor-18
  lowerings.addBinary<onnx::EqualOp, torch::AtenEqTensorOp>(); // Equal-19
  lowerings.addBinary<onnx::GreaterOp, torch::AtenGtTensorOp>(); // Greater-13
  lowerings.addBinary<onnx::GreaterOrEqualOp,
                      torch::AtenGeTensorOp>(); // GreaterOrEqual-16
  lowerings.addBinary<onnx::LessOp, torch::AtenLtTensorOp>(); // Less-13
  lowerings.addBinary<onnx::LessOrEqualOp,
                      torch::AtenLeTensorOp>();                // LessOrEqual-16
  lowerings.addBinary<onnx::OrOp, torch::AtenLogicalOrOp>();   // Or-7
  lowerings.addBinary<onnx::XorOp, torch::AtenLogicalXorOp>(); // Xor-7
  lowerings
      .addUnary<onnx::BitwiseNotOp, torch::AtenBitwiseNotOp>(); // BitwiseNot-18
  lowerings.addUnary<onnx::IsNaNOp, torch::AtenIsnanOp>();      // IsNaN-20
  lowerings.addUnary<onnx::NotOp, torch::AtenLogicalNotOp>();   // Not-1
}
