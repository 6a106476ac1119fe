//===- OnnxToTorch.h - ONNX nodes as ATen ops -------------------*- C++ -*-===//
//
// The types of an ONNX graph become known while it is converted: each node is
// lowered in graph order, from operands whose torch types are already inferred.
// So a lowering is a function from one node and its torch operands to its torch
// results, and one walk converts a graph
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
  /// Whether a type rule rejected its operands. The rank and dtype of what it
  /// should have given are unknown then: return before looking at them.
  bool hasFailed() const { return !error().empty(); }

  /// Ends the run where a !torch.bool is false; `expectation` says what it is.
  void check(mlir::Value condition, const llvm::Twine &expectation);

  /// The torch dtype of an ONNX result, as the node declares it.
  mlir::Type declaredDtype(mlir::Value onnxResult);

  // Tensors of sizes and indices. ONNX passes them as tensors; torch takes
  // ints.

  /// The elements of an integer tensor of rank 0 or 1 and known length as
  /// !torch.int values: folded where they are known, followed through ONNX's
  /// shape arithmetic where they are sizes, else read from the tensor.
  /// Fails (without a reason) when the length is not known.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> ints(mlir::Value tensor);
  using TorchBuilder::ints;
  /// The same where every element must be known while compiling.
  std::optional<llvm::SmallVector<int64_t>> constantInts(mlir::Value tensor);
  /// The elements of a float tensor known while compiling, as doubles.
  std::optional<llvm::SmallVector<double>> constantFloats(mlir::Value tensor);
  /// A tensor of rank 1 (or 0, if `scalar`) with these ints as its elements.
  mlir::Value tensorOfInts(mlir::ValueRange ints, mlir::Type dtype,
                           bool scalar = false);

  /// Emits the body of a subgraph here, its parameters standing for
  /// `arguments`, and gives what it yields. A !torch.int may stand for a scalar
  /// parameter. Fails if some node in it did not convert.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  inlineRegion(mlir::Region &region, mlir::ValueRange arguments = {});
  /// Forgets what is known of tensors made in a region that goes away.
  void forget(mlir::Region &region);

  /// The loop whose body is emitted, in place of the one that was, which it
  /// gives back. Null: none.
  LoopRecord *enterLoop(LoopRecord *loop);
  /// What is known of the next loop of this node: null outside of loops.
  LoopRecord *nextLoop();
  /// Whether so many copies of nodes may be made: else a model of few loops in
  /// loops would become one without end.
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

  /// Adds a lowering of an op with several results. An optional result that
  /// nobody asks for is a null value.
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

  /// Adds an ONNX op of one operand that an ATen op computes.
  template <typename Op, typename AtenOp>
  void addUnary() {
    functions[Op::getOperationName()] =
        [](mlir::Operation *, mlir::ValueRange operands,
           NodeBuilder &b) -> mlir::FailureOr<Results> {
      return Results{b.create<AtenOp>(operands[0])};
    };
  }

  /// Adds an ONNX op of two operands that an ATen op computes.
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

  const llvm::StringMap<Function> &getFunctions() const { return functions; }

private:
  llvm::StringMap<Function> functions;
};

/// Adds the lowering of every ONNX op that has one.
void populateOnnxToTorch(OnnxToTorchLowerings &lowerings);

} // namespace isthmus

#endif // ISTHMUS_CONVERSION_ONNXTOTORCH_H
