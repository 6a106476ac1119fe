//===- Shapes.h - Operand shapes that ATen ops accept -----------*- C++ -*-===//
//
// PyTorch's signatures define the kinds of operands of an op, and type rules
// define its results. A line of Shapes.def defines the accepted ranks, equal
// sizes and list lengths, as a signature of Support/ShapeSignature.h. A line
// names operands in order from the first one, including unconstrained ones.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_SHAPES_H
#define ISTHMUS_DIALECT_TORCH_SHAPES_H

#include "isthmus/Support/ShapeSignature.h"
#include "mlir/IR/OperationSupport.h"

namespace isthmus::torch {

/// An error about the shapes of an op's operands, if they are wrong.
std::optional<std::string> findWrongShape(mlir::OperationName op,
                                          mlir::ValueRange operands);

/// Errors in the lines of Shapes.def, one sentence each.
llvm::SmallVector<std::string> findWrongSignatures();

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_SHAPES_H
