//===- Shapes.h - Operand shapes that each op accepts -----------*- C++ -*-===//
//
// ONNX's schemas define the dtypes and the number of operands of an op, but
// ranks and equal sizes only in prose. Shapes.def defines these as data: a line
// per op, as a signature of Support/ShapeSignature.h. The signature of a
// variadic operand applies to each of its values.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_ONNX_SHAPES_H
#define ISTHMUS_DIALECT_ONNX_SHAPES_H

#include "isthmus/Support/ShapeSignature.h"
#include "mlir/IR/Operation.h"

namespace isthmus::onnx {

/// The signature of an op, by its name without the dialect: "Conv",
/// "com.microsoft.FusedConv". Empty if the op accepts any shapes, or if its
/// lowering checks them.
llvm::StringRef getShapes(llvm::StringRef op);

/// An error about the shapes of an op's operands, if they are wrong. `shapeOf`
/// returns the shape of an operand; nullopt if it is omitted or not a tensor of
/// known rank.
std::optional<std::string> findWrongShape(
    mlir::Operation *op,
    llvm::function_ref<std::optional<OperandShape>(unsigned index)> shapeOf);

/// Errors in the lines of Shapes.def, one sentence each: a line that cannot be
/// parsed, or that names an op or operand that the schemas do not have.
llvm::SmallVector<std::string> findWrongSignatures();

} // namespace isthmus::onnx

#endif // ISTHMUS_DIALECT_ONNX_SHAPES_H
