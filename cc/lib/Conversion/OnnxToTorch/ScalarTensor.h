//===- ScalarTensor.h - Small tensors, element by element -------*- C++ -*-===//
//
// ONNX computes sizes with tensors: Shape, Gather, Mul, Concat, Reshape. Here
// such a tensor is followed as a list of !torch.int values, so that no tensor
// of sizes survives where ints will do, and what is static folds away.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SCALARTENSOR_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SCALARTENSOR_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace isthmus {

class NodeBuilder;

/// A rank-0 or rank-1 tensor of a dtype that sizes have.
struct ScalarTensor {
  /// !torch.int each; 0 or 1 for bools.
  llvm::SmallVector<mlir::Value> elements;
  bool isScalar = false; // rank 0
  mlir::Type dtype;      // torch dtype

  /// Int64, int32 and bool. Others wrap around where sizes do not.
  static bool follows(mlir::Type dtype);

  /// Longer tensors are data rather than sizes, and stay tensors.
  static constexpr int64_t maxElements = 64;
};

/// Computes a node on scalars when its operands are known as such; nullopt when
/// the node is no shape arithmetic. `operands` has one entry per ONNX operand,
/// `tensors` gives the torch tensor of one (for Shape and Size).
std::optional<ScalarTensor> evaluateOnScalars(
    mlir::Operation *node, llvm::ArrayRef<std::optional<ScalarTensor>> operands,
    llvm::function_ref<mlir::Value(unsigned)> tensors, NodeBuilder &b);

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_SCALARTENSOR_H
