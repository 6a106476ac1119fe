//===- Shapes.h - What shapes each op takes ---------------------*- C++ -*-===//
//
// ONNX's schemas say which dtypes and how many operands an op takes; what ranks
// and which equal sizes, they say in prose. Shapes.def says it as data: a line
// per op, in the signatures of Support/ShapeSignature.h. Each of a variadic
// operand's values is as its line says.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_ONNX_SHAPES_H
#define ISTHMUS_DIALECT_ONNX_SHAPES_H

#include "isthmus/Support/ShapeSignature.h"
#include "mlir/IR/Operation.h"

namespace isthmus::onnx {

/// The signature of an op, by its name without the dialect: "Conv",
/// "com.microsoft.FusedConv". Empty if the op takes any shapes, or if its own
/// lowering checks them.
llvm::StringRef getShapes(llvm::StringRef op);

/// What is wrong with the shapes of an op's operands; `shapeOf` gives that of
/// an operand, nothing where it is left out, or no tensor of known rank.
std::optional<std::string> findWrongShape(
    mlir::Operation *op,
    llvm::function_ref<std::optional<OperandShape>(unsigned index)> shapeOf);

/// What is wrong with the lines of Shapes.def, a sentence each: one that cannot
/// be read, or that names an op or an operand that the schemas do not have.
llvm::SmallVector<std::string> findWrongSignatures();

} // namespace isthmus::onnx

#endif // ISTHMUS_DIALECT_ONNX_SHAPES_H
