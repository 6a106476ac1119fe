//===- Gathering.h - What the steps of a loop leave, as one tensor -*- C++ -*-//
//
// A tensor that is one step's output longer after each step would be copied as
// often as there are steps. So a loop that runs has room for the outputs of all
// steps from the first one on where their number is known by then, else room
// that doubles when it is full.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GATHERING_H
#define ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GATHERING_H

#include "Operands.h"

namespace isthmus::onnx_to_torch {

using Values = llvm::SmallVector<mlir::Value>;

/// How one output of the steps is gathered.
struct Gathering {
  /// The dim of the result that has a place for each step.
  int64_t axis = 0;
  /// Whether the last step comes first.
  bool backwards = false;
  /// The sizes of a step's output, for those that are known before the loop
  /// although its type leaves them open; empty: the type says what is known.
  Values sizes = {};

  /// The outputs of steps that are there one beside the other; of none, those
  /// of the type `output`.
  mlir::FailureOr<mlir::Value> stack(NodeBuilder &b, mlir::ValueRange outputs,
                                     torch::ValueTensorType output) const;
};

/// A gathering in a loop that runs. Dim 0 of the room is that of the steps.
class GatheringRoom {
public:
  /// For outputs of the type `output`. `steps`, a !torch.int, is how many there
  /// will be; null where the loop itself finds out.
  GatheringRoom(NodeBuilder &b, const Gathering &gathering,
                torch::ValueTensorType output, mlir::Value steps);

  /// The room before the first step.
  mlir::Value start() const;
  /// In a step: the room with its output in it.
  mlir::FailureOr<mlir::Value> put(mlir::Value room, mlir::Value output,
                                   mlir::Value number) const;
  /// Behind the loop, which had `count` steps: what was gathered.
  mlir::FailureOr<mlir::Value> finish(mlir::Value room,
                                      mlir::Value count) const;

private:
  mlir::FailureOr<mlir::Value> grow(mlir::Value room, mlir::Value output) const;

  NodeBuilder &b;
  const Gathering &gathering;
  torch::ValueTensorType output;
  mlir::Value steps;
  /// Whether the room has its final sizes from the start.
  bool isWhole;
};

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GATHERING_H
