//===- Onnx.h - The onnx dialect and its types ------------------*- C++ -*-===//
//
// Each op family has a header, so that a file includes only the ops it uses:
// Math.h, Nn.h, Tensor.h …, and Structure.h for Constant, NoValue, Return and
// similar ops.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_ONNX_ONNX_H
#define ISTHMUS_DIALECT_ONNX_ONNX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace isthmus::onnx {

/// Fills `state` for any onnx op, with an empty region per graph attribute.
void build(mlir::OperationState &state, mlir::TypeRange types,
           mlir::ValueRange operands,
           llvm::ArrayRef<mlir::NamedAttribute> attributes);

/// Checks the operands and results of `op` against its newest schema: number,
/// presence, element types, and types that must be equal.
mlir::LogicalResult verifySchema(mlir::Operation *op);

template <typename ConcreteType>
class SchemaChecked
    : public mlir::OpTrait::TraitBase<ConcreteType, SchemaChecked> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifySchema(op);
  }
};

/// Whether `value` represents an omitted input of a node.
inline bool isAbsent(mlir::Value value) {
  return llvm::isa<mlir::NoneType>(value.getType());
}

} // namespace isthmus::onnx

#include "isthmus/Dialect/Onnx/OnnxDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "isthmus/Dialect/Onnx/OnnxTypes.h.inc"

#endif // ISTHMUS_DIALECT_ONNX_ONNX_H
