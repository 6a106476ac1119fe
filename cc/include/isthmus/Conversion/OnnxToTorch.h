//===- OnnxToTorch.h - ONNX nodes as ATen ops -------------------*- C++ -*-===//
//
// The conversion of an ONNX graph infers its types: nodes are lowered in graph
// order, from operands whose torch types are already known. So a lowering is a
// function from one node and its torch operands to its torch results, and one
// walk converts a graph
// (docs/decisions/0002-onnx-graphs-are-converted-by-one-forward-walk.md).
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_ONNXTOTORCH_H
#define ISTHMUS_CONVERSION_ONNXTOTORCH_H

#include "isthmus/Dialect/Torch/TorchBuilder.h"
#include "isthmus/Support/UnsupportedOps.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace isthmus {

class GraphConversion;
class LoopRecord;

/// Builds the torch form of one ONNX node.
class NodeBuilder : public torch::TorchBuilder {
public:
  NodeBuilder(GraphConversion &graph, mlir::OpBuilder &builder,
              mlir::Operation *node);

  /// `return b.decline() << "expected a scalar bound, got " << type;`
  UnsupportedOps::Reason decline();
  /// Whether a type rule rejected its operands. The rank and dtype of its
  /// results are then unknown: return before using them.
  bool hasFailed() const { return !error().empty(); }

  /// Ends the run if a !torch.bool is false; `expectation` describes it.
  void check(mlir::Value condition, const llvm::Twine &expectation);

  /// The torch dtype that the node declares for an ONNX result.
  mlir::Type declaredDtype(mlir::Value onnxResult);

  // Tensors of sizes and indices. ONNX passes them as tensors; torch takes
  // ints.

  /// The elements of an integer tensor of rank 0 or 1 and known length as
  /// !torch.int values: known elements fold, sizes are traced through ONNX's
  /// shape arithmetic, and others are read from the tensor. Fails (without a
  /// reason) if the length is unknown.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> ints(mlir::Value tensor);
  using TorchBuilder::ints;
  /// The same, if every element is known while compiling.
  std::optional<llvm::SmallVector<int64_t>> constantInts(mlir::Value tensor);
  /// The elements of a constant float tensor, as doubles.
  std::optional<llvm::SmallVector<double>> constantFloats(mlir::Value tensor);
  /// A tensor of rank 1 (or 0, if `scalar`) with these ints as its elements.
  mlir::Value tensorOfInts(mlir::ValueRange ints, mlir::Type dtype,
                           bool scalar = false);

  /// Emits the body of a subgraph here, with `arguments` for its parameters,
  /// and returns its results. A !torch.int may replace a scalar parameter.
  /// Fails if some node in it did not convert.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  inlineRegion(mlir::Region &region, mlir::ValueRange arguments = {});
  /// Discards the records about tensors of a region that is to be erased.
  void forget(mlir::Region &region);

  /// Sets the loop whose body is emitted, and returns the previous one; null
  /// for none.
  LoopRecord *enterLoop(LoopRecord *loop);
  /// The record of the next loop of this node; null outside loops.
  LoopRecord *nextLoop();
  /// Whether `nodes` more copies of nodes are allowed. Without this bound, a
  /// model with few nested loops could grow without end.
  bool takeCopies(int64_t nodes);

private:
  GraphConversion &graph;
  mlir::Operation *node;
};

/// How each ONNX op is lowered, by op name.
class OnnxToTorchLowerings {
public:
  using Results = llvm::SmallVector<mlir::Value>;
  using Function = std::function<mlir::FailureOr<Results>(
      mlir::Operation *, mlir::ValueRange, NodeBuilder &)>;

  /// Adds `FailureOr<Value> lowerClip(Op, Op::Adaptor, NodeBuilder &)`.
  template <typename Op>
  void add(mlir::FailureOr<mlir::Value> (*lower)(Op, typename Op::Adaptor,
                                                 NodeBuilder &)) {
    functions[Op::getOperationName()] =
        [lower](mlir::Operation *op, mlir::ValueRange operands,
                NodeBuilder &b) -> mlir::FailureOr<Results> {
      auto node = llvm::cast<Op>(op);
      mlir::FailureOr<mlir::Value> result =
          lower(node, typename Op::Adaptor(operands, node), b);
      if (failed(result))
        return mlir::failure();
      return Results{*result};
    };
  }

  /// Adds a lowering of an op with several results. An unused optional result
  /// is a null value.
  template <typename Op>
  void add(mlir::FailureOr<Results> (*lower)(Op, typename Op::Adaptor,
                                             NodeBuilder &)) {
    functions[Op::getOperationName()] =
        [lower](mlir::Operation *op, mlir::ValueRange operands,
                NodeBuilder &b) -> mlir::FailureOr<Results> {
      auto node = llvm::cast<Op>(op);
      return lower(node, typename Op::Adaptor(operands, node), b);
    };
  }

  /// Adds an ONNX op of one operand that an ATen op implements.
  template <typename Op, typename AtenOp>
  void addUnary() {
    functions[Op::getOperationName()] =
        [](mlir::Operation *, mlir::ValueRange operands,
           NodeBuilder &b) -> mlir::FailureOr<Results> {
      return Results{b.create<AtenOp>(operands[0])};
    };
  }

  /// Adds an ONNX op of two operands that an ATen op implements.
  template <typename Op, typename AtenOp>
  void addBinary() {
    functions[Op::getOperationName()] =
        [](mlir::Operation *, mlir::ValueRange operands,
           NodeBuilder &b) -> mlir::FailureOr<Results> {
      return Results{b.create<AtenOp>(operands[0], operands[1])};
    };
  }

  /// The lowering of an op; null if it has none.
  const Function *find(llvm::StringRef opName) const;

private:
  llvm::StringMap<Function> functions;
};

/// Adds the lowering of every ONNX op that has one.
void populateOnnxToTorch(OnnxToTorchLowerings &lowerings);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_ONNXTOTORCH_H
