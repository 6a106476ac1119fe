//===- Shapes.h - What shapes ATen ops take ---------------------*- C++ -*-===//
//
// PyTorch's signatures say what kinds of operands an op takes, and type rules
// what comes of them. What ranks, equal sizes and lengths of lists an op takes
// besides, Shapes.def says in a line, in the signatures of
// Support/ShapeSignature.h. A line names operands from the first one on, in
// order, those that are free as well.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_SHAPES_H
#define ISTHMUS_DIALECT_TORCH_SHAPES_H

#include "isthmus/Support/ShapeSignature.h"
#include "mlir/IR/OperationSupport.h"

namespace isthmus::torch {

/// What is wrong with the shapes of an op's operands.
std::optional<std::string> findWrongShape(mlir::OperationName op,
                                          mlir::ValueRange operands);

/// What is wrong with the lines of Shapes.def, a sentence each.
llvm::SmallVector<std::string> findWrongSignatures();

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_SHAPES_H
