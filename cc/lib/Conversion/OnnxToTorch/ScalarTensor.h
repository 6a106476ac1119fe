//===- ScalarTensor.h - Small tensors, element by element -------*- C++ -*-===//
//
// ONNX computes sizes with tensors: Shape, Gather, Mul, Concat, Reshape. Here
// such a tensor is tracked as a list of !torch.int values, so that tensors of
// sizes are replaced by ints where possible, and static sizes fold.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SCALARTENSOR_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SCALARTENSOR_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace isthmus {

class NodeBuilder;

/// A tensor of rank 0, 1 or 2, of a dtype used for sizes.
struct ScalarTensor {
  /// !torch.int each, row by row; 0 or 1 for bools.
  llvm::SmallVector<mlir::Value> elements;
  llvm::SmallVector<int64_t, 2> sizes;
  mlir::Type dtype; // torch dtype

  bool isScalar() const { return sizes.empty(); }
  bool isMatrix() const { return sizes.size() == 2; }

  /// Int64, int32 and bool. Other dtypes wrap around where sizes do not.
  static bool follows(mlir::Type dtype);

  /// Longer tensors are data rather than sizes, and stay tensors.
  static constexpr int64_t maxElements = 64;
};

/// Computes the results of a node on scalars if its operands are known as
/// scalars; none if the node is not shape arithmetic. `operands` has one entry
/// per ONNX operand, `tensors` gives the torch tensor of one (for Shape and
/// Size).
llvm::SmallVector<ScalarTensor> evaluateOnScalars(
    mlir::Operation *node, llvm::ArrayRef<std::optional<ScalarTensor>> operands,
    llvm::function_ref<mlir::Value(unsigned)> tensors, NodeBuilder &b);

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SCALARTENSOR_H
