//===- Gathering.h - What the steps of a loop leave, as one tensor -*- C++ -*-//
//
// A tensor that is one step's output longer after each step would be copied as
// often as there are steps. So a loop that runs has room for the outputs of all
// steps from the first one on where their number is known by then, else room
// that doubles when it is full. It does so between turns of a loop around: what
// a turn may replace is copied in each, where tensors become buffers.
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

  /// Whether its sizes but the first are known while compiling.
  bool hasKnownRows() const { return output.hasStaticShape(); }
  /// The room before the first step.
  mlir::Value start() const;
  /// The room, and as much again.
  mlir::Value extend(mlir::Value room) const;
  /// In a step: the room with its output in it, and larger if it was full.
  mlir::FailureOr<mlir::Value> putGrowing(mlir::Value room, mlir::Value output,
                                          mlir::Value number) const;
  /// The same of a room that is not full.
  mlir::Value put(mlir::Value room, mlir::Value output,
                  mlir::Value number) const;
  /// Behind the loop: what was gathered in `count` steps; null: it is full.
  mlir::FailureOr<mlir::Value> finish(mlir::Value room,
                                      mlir::Value count) const;

private:
  NodeBuilder &b;
  const Gathering &gathering;
  torch::ValueTensorType output;
  mlir::Value steps;
  /// Whether the room has its final sizes from the start.
  bool isWhole;
};

} // namespace isthmus::onnx_to_torch

#endif // ISTHMUS_LIB_CONVERSION_ONNXTOTORCH_GATHERING_H
