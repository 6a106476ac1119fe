//===- Generator.cpp - ONNX generator ops to ATen -------------------------===//
//
// One row or one function per op. The comment beside it is the ONNX definition
// (https://onnx.ai/onnx/operators), with the opset version it was read from.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Onnx/Generator.h"
#include "Families.h"
#include "NarrowDtypes.h"
#include "Operands.h"
#include "isthmus/Dialect/Onnx/Microsoft.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "isthmus/Dialect/Torch/CreationOps.h"
#include "isthmus/Dialect/Torch/PointwiseComposites.h"
#include "isthmus/Dialect/Torch/PointwiseOps.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// ConstantOfShape-25: a tensor filled with one number, `value`, or 0 (f32) by
/// default.
FailureOr<Value> lowerConstantOfShape(onnx::ConstantOfShapeOp op,
                                      onnx::ConstantOfShapeOp::Adaptor in,
                                      NodeBuilder &b) {
  FailureOr<SmallVector<Value>> sizes = b.ints(in.getInput());
  if (failed(sizes))
    return b.decline() << "expected a shape of known length, got "
                       << in.getInput().getType();
  if (!op.getValueAttr())
    return filled(b, *sizes, b.constantFloat(0),
                  Float32Type::get(b.getContext()));
  auto value = dyn_cast<DenseElementsAttr>(op.getValueAttr());
  if (!value || value.getNumElements() != 1)
    return b.decline() << "expected a value of one element, got "
                       << op.getValueAttr().getType();
  Value number = bytesFor(value.getElementType()) ? narrowLiteral(b, value)
                                                  : b.literal(value);
  return filled(b, *sizes, numberOf(b, number), dtypeOf(number));
}

/// EyeLike-22: ones on the k-th diagonal of a matrix, zeros elsewhere.
FailureOr<Value> lowerEyeLike(onnx::EyeLikeOp op, onnx::EyeLikeOp::Adaptor in,
                              NodeBuilder &b) {
  Value zero = b.constant(0);
  Value rows = alongAxis(b, iota(b, zero, b.size(in.getInput(), 0)), 0, 2);
  Value columns = alongAxis(b, iota(b, zero, b.size(in.getInput(), 1)), 1, 2);
  Value onRow = b.create<torch::AtenAddScalarOp>(rows, b.constant(op.getK()),
                                                 b.constant(1));
  return b.convert(b.create<torch::AtenEqTensorOp>(onRow, columns),
                   b.declaredDtype(op.getOutput()));
}

/// start, start + delta, ... below (or above) limit; delta is 1 if it is
/// omitted.
template <typename Adaptor>
FailureOr<Value> range(Adaptor in, NodeBuilder &b) {
  SmallVector<Value> bounds;
  for (Value bound : {in.getStart(), in.getLimit(), in.getDelta()}) {
    if (!isPresent(bound)) {
      bounds.push_back(number(b, 1, dtypeOf(in.getStart())));
    } else if (torch::isIntegral(dtypeOf(bound))) {
      FailureOr<Value> integer = intOf(b, bound, "a bound");
      if (failed(integer))
        return failure();
      bounds.push_back(*integer);
    } else {
      bounds.push_back(numberOf(b, bound));
    }
  }
  Value none = b.none();
  return Value(b.create<torch::AtenArangeStartStepOp>(
      bounds[0], bounds[1], bounds[2], b.dtype(dtypeOf(in.getStart())), none,
      none, none));
}

/// Range-27
FailureOr<Value> lowerRange(onnx::RangeOp, onnx::RangeOp::Adaptor in,
                            NodeBuilder &b) {
  return range(in, b);
}

/// onnxruntime's Range
FailureOr<Value> lowerMicrosoftRange(onnx::MicrosoftRangeOp,
                                     onnx::MicrosoftRangeOp::Adaptor in,
                                     NodeBuilder &b) {
  return range(in, b);
}

} // namespace

void onnx_to_torch::populateGenerator(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerConstantOfShape);
  lowerings.add(lowerEyeLike);
  lowerings.add(lowerMicrosoftRange);
  lowerings.add(lowerRange);
}
