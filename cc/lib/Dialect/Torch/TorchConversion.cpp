//===- TorchConversion.cpp - Casts between torch and builtin types --------===//

#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"

#include "isthmus/Dialect/Torch/TorchConversionDialect.cpp.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Torch/TorchConversion.cpp.inc"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_c;

void TorchConversionDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "isthmus/Dialect/Torch/TorchConversion.cpp.inc"
      >();
}

/// A cast may add or drop static information about sizes, but must keep the
/// dtype.
static LogicalResult verifyCast(Operation *op, torch::ValueTensorType type,
                                TensorType builtin) {
  TensorType expected = torch::toBuiltin(type);
  auto signless = [](Type element) {
    auto integer = dyn_cast<IntegerType>(element);
    return integer ? Type(IntegerType::get(element.getContext(),
                                           integer.getWidth()))
                   : element;
  };
  if (!expected || failed(verifyCompatibleShape(expected, builtin)) ||
      expected.getElementType() != signless(builtin.getElementType()))
    return op->emitOpError("expected types with the same sizes and dtype, got ")
           << type << " and " << builtin;
  return success();
}

LogicalResult ToBuiltinTensorOp::verify() {
  return verifyCast(*this, getOperand().getType(), getType());
}
LogicalResult FromBuiltinTensorOp::verify() {
  return verifyCast(*this, getType(), getOperand().getType());
}

/// A cast of its inverse cast folds to the original value.
template <typename Inverse, typename Op>
static OpFoldResult foldInverse(Op op) {
  auto inverse = op.getOperand().template getDefiningOp<Inverse>();
  if (inverse && inverse.getOperand().getType() == op.getType())
    return inverse.getOperand();
  return nullptr;
}

OpFoldResult ToBuiltinTensorOp::fold(FoldAdaptor) {
  return foldInverse<FromBuiltinTensorOp>(*this);
}
OpFoldResult FromBuiltinTensorOp::fold(FoldAdaptor) {
  return foldInverse<ToBuiltinTensorOp>(*this);
}
