//===- Shapes.h - What shapes each op takes ---------------------*- C++ -*-===//
//
// ONNX's schemas say which dtypes and how many operands an op takes; what ranks
// and which equal sizes, they say in prose. Shapes.def says it as data, a line
// per op, in signatures:
//
//   X[N, C, d...] W[M, _, d...] B[M]
//
//   N        a size: wherever the letter stands, it is the same
//   3, 4H    that size, that multiple of a size
//   _        any size
//   d...     some dims: wherever the name stands, as many of them
//   ...      any number of dims
//   a[]|[1]  either of them
//
// An operand that a line does not name is free, and so is one that the node
// leaves out. Each of a variadic operand's values is as the line says.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_ONNX_SHAPES_H
#define ISTHMUS_DIALECT_ONNX_SHAPES_H

#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace isthmus::onnx {

/// The signature of an op, by its name without the dialect: "Conv",
/// "com.microsoft.FusedConv". Empty if the op takes any shapes, or if its own
/// lowering checks them.
llvm::StringRef getShapes(llvm::StringRef op);

/// A tensor of known rank: its sizes, ShapedType::kDynamic where they are not
/// known, and its type, for messages.
struct OperandShape {
  llvm::ArrayRef<int64_t> sizes;
  mlir::Type type;
};

/// What is wrong with the shapes of an op's operands: "expected 'W' of rank 3
/// or more, got rank 0: 'tensor<f32>'". Nothing if all are as the signature
/// says, as far as their sizes are known. `shapeOf` gives that of an operand;
/// nothing where it is left out, or no tensor of known rank.
std::optional<std::string> findWrongShape(
    mlir::Operation *op,
    llvm::function_ref<std::optional<OperandShape>(unsigned index)> shapeOf);

/// What is wrong with the lines of Shapes.def, a sentence each: one that cannot
/// be read, or that names an op or an operand that the schemas do not have.
llvm::SmallVector<std::string> findWrongSignatures();

/// The same of a single signature, for an op of these inputs.
llvm::SmallVector<std::string>
findWrongSignature(llvm::StringRef signature,
                   llvm::ArrayRef<llvm::StringRef> inputs);

} // namespace isthmus::onnx

#endif // ISTHMUS_DIALECT_ONNX_SHAPES_H
