//===- TypeInference.h - Inputs and outputs of type rules -------*- C++ -*-===//
//
// Every registered op has one type rule. It runs whenever TorchBuilder builds
// the op, and again when the op is verified. A rule reads the operand types and
// constant operands, and sets the result types. Unknown sizes or dtypes of an
// operand stay unknown in the result.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_TYPEINFERENCE_H
#define ISTHMUS_DIALECT_TORCH_TYPEINFERENCE_H

#include "isthmus/Dialect/Torch/TorchTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/ValueRange.h"
#include <optional>
#include <string>

namespace isthmus::torch {

class TypeInference {
public:
  TypeInference(mlir::MLIRContext *context, mlir::ValueRange operands)
      : context(context), operands(operands) {}

  mlir::MLIRContext *getContext() const { return context; }
  mlir::ValueRange getOperands() const { return operands; }
  mlir::Value operator[](unsigned index) const { return operands[index]; }

  // Operands. A size or int that is only known at run time is
  // ShapedType::kDynamic in a list, and nullopt otherwise.

  /// The type of operand `index`; unknown rank if it is not a value tensor.
  ValueTensorType tensor(unsigned index) const;
  mlir::Type dtype(unsigned index) const { return tensor(index).getDtype(); }
  bool isNone(unsigned index) const;
  std::optional<int64_t> integer(unsigned index) const;
  std::optional<bool> boolean(unsigned index) const;
  /// nullopt if the length is unknown.
  std::optional<llvm::SmallVector<int64_t>> integers(unsigned index) const;
  /// The ints of a list or of a single int operand; nullopt if some are
  /// unknown.
  std::optional<llvm::SmallVector<int64_t>> dims(unsigned index) const;
  /// The tensors of a list operand; nullopt if no ListConstruct makes the list.
  std::optional<llvm::SmallVector<mlir::Value>> elements(unsigned index) const;
  /// The dtype of argument `index`, or `otherwise` if the argument is none.
  mlir::Type dtypeArgument(unsigned index, mlir::Type otherwise) const;

  // Results.

  /// Dim `dim` of a tensor of `rank` dims, counted from the end if negative;
  /// fails with a message when it is out of range.
  mlir::FailureOr<int64_t> normalizeDim(int64_t dim, int64_t rank);
  /// Fails with a message unless operand 0 has the dims in operand `index`.
  mlir::LogicalResult expectDims(unsigned index);

  mlir::LogicalResult give(mlir::Type type) {
    results.push_back(type);
    return mlir::success();
  }
  /// A value tensor with these sizes and dtype; fails if a size is negative.
  mlir::LogicalResult give(llvm::ArrayRef<int64_t> sizes, mlir::Type dtype);
  mlir::LogicalResult giveUnranked(mlir::Type dtype) {
    return give(ValueTensorType::getUnknown(context, dtype));
  }
  /// The sizes of `like` with another dtype.
  mlir::LogicalResult giveLike(ValueTensorType like, mlir::Type dtype) {
    return give(ValueTensorType::get(context, like.getRanked(), like.getSizes(),
                                     dtype));
  }
  /// `return inference.fail("expected ..., got ...")`
  mlir::LogicalResult fail(const llvm::Twine &message) {
    error = message.str();
    return mlir::failure();
  }

  llvm::SmallVector<mlir::Type> results;
  std::string error;

private:
  mlir::MLIRContext *context;
  mlir::ValueRange operands;
};

/// The common shape of two shapes, right-aligned (NumPy's broadcasting rules).
/// broadcastShapes({2, 1}, {3}) is {2, 3}; {2} and {3} have none.
/// A known size other than 1 overrides an unknown size.
std::optional<llvm::SmallVector<int64_t>>
broadcastShapes(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// The order of dims after moving `sources` to `destinations`; negative dims
/// count from the end. nullopt if the two lists do not match.
std::optional<llvm::SmallVector<int64_t>>
movedDims(int64_t rank, llvm::ArrayRef<int64_t> sources,
          llvm::ArrayRef<int64_t> destinations);

/// "[2,?,3]", for messages.
std::string shapeText(llvm::ArrayRef<int64_t> sizes);

/// Checks that an op's result types agree with its rule as far as both are
/// known.
mlir::LogicalResult verifyInferredTypes(mlir::Operation *op);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_TYPEINFERENCE_H
