//===- GraphConversion.h - One walk over an ONNX graph ----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GRAPHCONVERSION_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GRAPHCONVERSION_H

#include "KeptNodes.h"
#include "LoopRecord.h"
#include "ScalarTensor.h"
#include "isthmus/Conversion/OnnxToTorch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace isthmus {

/// Converts the nodes of a function in graph order. Torch ops are put before
/// the node they stand for; the nodes go only when all of them converted, so a
/// failed conversion leaves a valid module behind.
class GraphConversion {
public:
  GraphConversion(const OnnxToTorchLowerings &lowerings, const KeptNodes &kept,
                  UnsupportedOps &unsupported)
      : lowerings(lowerings), kept(kept), unsupported(unsupported) {}

  /// Converts the body of `func` between builtin-typed parameters and results.
  /// Emits one error per node that could not be lowered.
  mlir::LogicalResult convert(mlir::func::FuncOp func);

private:
  friend class NodeBuilder;

  mlir::LogicalResult convertNode(mlir::Operation *node,
                                  mlir::OpBuilder &builder);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  inlineBlock(mlir::Block &block, mlir::ValueRange arguments,
              mlir::OpBuilder &builder);

  /// The torch value of an ONNX value; null if it could not be computed.
  mlir::Value lookup(mlir::Value onnxValue, NodeBuilder &b);
  /// What is known of an ONNX value element by element.
  std::optional<ScalarTensor> lookupScalars(mlir::Value onnxValue,
                                            NodeBuilder &b);

  /// What the node's lowering gives; on failure, its reason is kept.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  lower(mlir::Operation *node, mlir::ValueRange operands, NodeBuilder &b);
  /// The node as torch.operator, with results as its lowering, if it has one,
  /// would give them, or else as the model declares them.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  keep(mlir::Operation *node, mlir::ValueRange operands, NodeBuilder &b);

  const OnnxToTorchLowerings &lowerings;
  const KeptNodes &kept;
  UnsupportedOps &unsupported;
  ConstantPool constants{ConstantPool::Place::FirstUse};
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  /// Integer tensors followed as lists of scalars, by ONNX value and by the
  /// torch tensor that was made of them, if any.
  llvm::DenseMap<mlir::Value, ScalarTensor> scalars;
  /// ONNX values whose tensor was made of scalars where it was first wanted;
  /// one made inside a region must not be used outside of it.
  llvm::SmallVector<mlir::Value> madeOfScalars;
  /// Whether a node in the region inlined last did not convert.
  bool isRegionIncomplete = false;
  llvm::SmallVector<mlir::Operation *> declined;
  /// Of the innermost loop whose body is emitted; null outside.
  LoopRecord *loop = nullptr;
  /// Nodes that unrolled loops emitted, each as often as it was.
  int64_t copies = 0;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GRAPHCONVERSION_H
