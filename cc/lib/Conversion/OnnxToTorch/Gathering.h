//===- Gathering.h - The outputs of a loop as one tensor --------*- C++ -*-===//
//
// Appending one step's output to a tensor after each step would copy the tensor
// once per step. So a run-time loop has a buffer for the outputs of all steps
// from the start if their number is known by then, else a buffer that doubles
// when it is full. It grows in an outer loop, between the runs of the inner
// one: after bufferization, each iteration copies the tensors that it may
// replace.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GATHERING_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GATHERING_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

using Values = llvm::SmallVector<mlir::Value>;

/// How one output of the steps is gathered.
struct Gathering {
  /// The dim of the result that has one slot per step.
  int64_t axis = 0;
  /// Whether the last step comes first.
  bool backwards = false;
  /// The sizes of a step's output, for those known before the loop although its
  /// type leaves them open; if empty, only the type's sizes are known.
  Values sizes = {};
  /// Whether the outputs are the elements of a sequence, which may differ in
  /// shape; then a loop cannot gather them.
  bool isSequence = false;

  /// Stacks the known outputs of steps; without steps, gives an empty stack of
  /// outputs of the type `output`.
  mlir::FailureOr<mlir::Value> stack(NodeBuilder &b, mlir::ValueRange outputs,
                                     torch::ValueTensorType output) const;
};

/// Tensors of one type as the rows of one tensor; there is at least one.
mlir::FailureOr<mlir::Value> stackRows(NodeBuilder &b, mlir::ValueRange rows);

/// The buffer of a gathering in a run-time loop. Its dim 0 counts the steps.
class GatheringRoom {
public:
  /// For outputs of the type `output`. `steps`, a !torch.int, is the number of
  /// steps; null if only the loop determines it.
  GatheringRoom(NodeBuilder &b, const Gathering &gathering,
                torch::ValueTensorType output, mlir::Value steps);

  /// Whether all its sizes but the first are static.
  bool hasKnownRows() const { return output.hasStaticShape(); }
  /// The buffer before the first step.
  mlir::Value start() const;
  /// The buffer, extended to twice its size.
  mlir::Value extend(mlir::Value room) const;
  /// In a step: the buffer with the step's output in it, extended if it was
  /// full.
  mlir::FailureOr<mlir::Value> putGrowing(mlir::Value room, mlir::Value output,
                                          mlir::Value number) const;
  /// The same for a buffer that is not full.
  mlir::Value put(mlir::Value room, mlir::Value output,
                  mlir::Value number) const;
  /// After the loop: the outputs gathered in `count` steps; null: the buffer is
  /// full.
  mlir::FailureOr<mlir::Value> finish(mlir::Value room,
                                      mlir::Value count) const;

private:
  NodeBuilder &b;
  const Gathering &gathering;
  torch::ValueTensorType output;
  mlir::Value steps;
  /// Whether the buffer has its final sizes from the start.
  bool isWhole;
};

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GATHERING_H
