//===- Constants.cpp - ONNX constants to torch literals -------------------===//

#include "Families.h"
#include "NarrowDtypes.h"
#include "isthmus/Dialect/Onnx/Structure.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::onnx_to_torch;

namespace {

/// Constant-25
FailureOr<Value> lowerConstant(onnx::ConstantOp op, onnx::ConstantOp::Adaptor,
                               NodeBuilder &b) {
  ElementsAttr value = op.getElements();
  if (bytesFor(value.getElementType()))
    if (Value bytes = narrowLiteral(b, value))
      return bytes;
  if (!torch::toTorchDtype(value.getElementType()))
    return b.decline() << "torch has no dtype for " << value.getElementType();
  return b.literal(value);
}

} // namespace

void onnx_to_torch::populateConstants(OnnxToTorchLowerings &lowerings) {
  lowerings.add(lowerConstant);
}
