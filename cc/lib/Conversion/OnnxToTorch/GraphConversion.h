//===- GraphConversion.h - One walk over an ONNX graph ----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GRAPHCONVERSION_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GRAPHCONVERSION_H

#include "KeptNodes.h"
#include "LoopRecord.h"
#include "ScalarTensor.h"
#include "isthmus/Conversion/OnnxToTorch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace isthmus {

/// Converts the nodes of a function in graph order. Torch ops are inserted
/// before the node that they replace; nodes are erased only when all of them
/// have converted, so a failed conversion leaves a valid module.
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
  /// The known elements of an ONNX value.
  std::optional<ScalarTensor> lookupScalars(mlir::Value onnxValue,
                                            NodeBuilder &b);

  /// The results of the node's lowering; on failure, its reason is kept.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  lower(mlir::Operation *node, mlir::ValueRange operands, NodeBuilder &b);
  /// Keeps the node as torch.operator. Its result types are those of its
  /// lowering, if it has one, or else those that the model declares.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  keep(mlir::Operation *node, mlir::ValueRange operands, NodeBuilder &b);

  const OnnxToTorchLowerings &lowerings;
  const KeptNodes &kept;
  UnsupportedOps &unsupported;
  ConstantPool constants{ConstantPool::Place::FirstUse};
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  /// Integer tensors tracked as lists of scalars, by ONNX value and by the
  /// torch tensor created from them, if any.
  llvm::DenseMap<mlir::Value, ScalarTensor> scalars;
  /// ONNX values whose tensor was created from scalars at its first use; one
  /// created inside a region must not be used outside it.
  llvm::SmallVector<mlir::Value> madeOfScalars;
  /// Whether a node in the last inlined region did not convert.
  bool isRegionIncomplete = false;
  llvm::SmallVector<mlir::Operation *> declined;
  /// The record of the innermost loop whose body is emitted; null outside
  /// loops.
  LoopRecord *loop = nullptr;
  /// The number of nodes emitted by unrolled loops, counting each copy.
  int64_t copies = 0;
};

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GRAPHCONVERSION_H
