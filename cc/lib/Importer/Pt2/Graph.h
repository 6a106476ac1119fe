//===- Graph.h - Builds the nodes of a graph --------------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_GRAPH_H
#define ISTHMUS_LIB_IMPORTER_PT2_GRAPH_H

#include "Import.h"
#include "Signature.h"
#include "Values.h"
#include "isthmus/Dialect/Torch/TorchBuilder.h"

namespace isthmus::pt2 {

/// A node being imported: `builder` builds its ops.
struct NodeContext {
  const schema::Node &node;
  Subject subject;
  torch::TorchBuilder builder;
};

/// TrainingNorms.cpp: whether a norm is in training and writes to its running
/// statistics. The schemas of batch_norm and instance_norm do not declare it.
bool updatesStatistics(const schema::Node &node, llvm::StringRef op);
/// ComplexNumbers.cpp: whether an argument is a complex number.
bool hasComplexNumber(const schema::Node &node);

/// Builds the nodes of one graph at the insertion point of `builder`. Values
/// are shared with the enclosing graphs, names are not.
class GraphImporter {
public:
  GraphImporter(Import &import, mlir::OpBuilder &builder, Values &values,
                const schema::Graph &graph)
      : import(import), builder(builder), values(values), graph(graph) {}

  /// Binds `name` to a value. It is an error if the name is taken.
  void define(llvm::StringRef name, Values::Id id, const Subject &subject);
  void define(llvm::StringRef name, mlir::Value value, const Subject &subject) {
    define(name, values.add(value), subject);
  }

  void importNodes();

  /// The value of a name; nothing after an error.
  std::optional<Values::Id> find(llvm::StringRef name, const Subject &subject);

  /// Reports the error for a value that Values::isUnclear.
  static void reportUnclear(llvm::StringRef name, const Subject &subject);

  /// A single argument: a tensor, a scalar, None. Null after an error.
  mlir::Value getValue(const schema::Argument &argument, torch::TorchBuilder &b,
                       const Subject &subject);

  /// The type that the file declares for a value; null after an error.
  mlir::Type getDeclaredType(const schema::Argument &argument,
                             const Subject &subject);

private:
  using Operands = llvm::SmallVector<mlir::Value>;

  mlir::Location getLocation(const schema::Node &node);
  void importNode(const schema::Node &node);
  mlir::LogicalResult importTarget(NodeContext &context);
  /// Defines the outputs of a node that failed as known failures.
  void giveUp(const schema::Node &node);

  // Operators.cpp: nodes that call an operator.
  mlir::LogicalResult importOperator(NodeContext &context, llvm::StringRef op);
  mlir::LogicalResult importInPlace(NodeContext &context, llvm::StringRef op);
  mlir::LogicalResult importSynonym(NodeContext &context, llvm::StringRef op);
  /// An op of the dialect, or torch.operator.
  mlir::FailureOr<mlir::Operation *> build(NodeContext &context,
                                           llvm::StringRef op);
  mlir::FailureOr<mlir::Operation *>
  buildInferred(NodeContext &context, llvm::StringRef op,
                llvm::ArrayRef<mlir::Value> operands);
  mlir::FailureOr<mlir::Operation *> buildUnregistered(NodeContext &context,
                                                       llvm::StringRef op);
  mlir::FailureOr<mlir::Operation *> buildTensorSplit(NodeContext &context,
                                                      llvm::StringRef op);
  /// The tensor that certainly shares its memory with the results of an op, or
  /// those that perhaps do.
  struct SharedMemory {
    llvm::SmallVector<Values::Id> with;
    bool isCertain;
  };
  std::optional<SharedMemory> getSharedBy(NodeContext &context,
                                          llvm::StringRef op);
  mlir::LogicalResult bindResults(NodeContext &context, mlir::Operation *op,
                                  std::optional<SharedMemory> shared);
  mlir::FailureOr<mlir::Value> declare(NodeContext &context, mlir::Value result,
                                       const schema::Argument &output);

  // TrainingNorms.cpp
  mlir::LogicalResult importTrainingNorm(NodeContext &context);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  buildInstanceNorm(NodeContext &context, Operands operands);

  // StridedViews.cpp
  struct StridedOperands {
    Operands values;
    std::optional<llvm::SmallVector<int64_t>> order;
  };
  schema::SymInt getSize(const schema::Argument &argument);
  std::vector<schema::SymInt> getSizes(const schema::Argument *argument);
  mlir::FailureOr<StridedOperands> getStridedOperands(NodeContext &context);
  mlir::LogicalResult importStridedView(NodeContext &context, bool isCopy);
  mlir::LogicalResult importStridedScatter(NodeContext &context);

  // ComplexNumbers.cpp: an op of the dialect, of a node with complex numbers.
  mlir::FailureOr<mlir::Operation *>
  buildWithComplexNumbers(NodeContext &context, llvm::StringRef op);

  // Operands.cpp: arguments as operands.
  mlir::FailureOr<Operands> getOperands(NodeContext &context,
                                        llvm::ArrayRef<FormalArgument> formals);
  mlir::FailureOr<mlir::Value> getOperand(NodeContext &context,
                                          const schema::Argument &argument,
                                          ArgumentType type);
  mlir::FailureOr<mlir::Value> getScalar(NodeContext &context,
                                         const schema::Argument &argument,
                                         ArgumentType type);
  mlir::FailureOr<mlir::Value>
  getScalarTensor(NodeContext &context, const schema::Argument &argument);
  mlir::FailureOr<mlir::Value> getList(NodeContext &context,
                                       const schema::Argument &argument,
                                       ArgumentType elementType);
  mlir::FailureOr<mlir::Value> getUntyped(NodeContext &context,
                                          const schema::Argument &argument);

  // Symbols.cpp: scalars, and assertions about them.
  mlir::LogicalResult importSymbolic(NodeContext &context,
                                     llvm::StringRef function);
  mlir::LogicalResult importScalarOf(NodeContext &context);
  mlir::LogicalResult importNumel(NodeContext &context);
  mlir::LogicalResult importAssertion(NodeContext &context, llvm::StringRef op);

  // Mutations.cpp: nodes that call an operator that mutates its arguments.
  mlir::LogicalResult importFunctionalized(NodeContext &context);
  struct WrittenPart;
  mlir::FailureOr<WrittenPart>
  getWrittenPart(NodeContext &context,
                 llvm::ArrayRef<schema::NamedArgument> keywords,
                 llvm::StringRef prefix, llvm::ArrayRef<mlir::Value> bases);

  // HigherOrder.cpp: nodes that call graphs.
  mlir::LogicalResult importHigherOrder(NodeContext &context,
                                        llvm::StringRef name);
  mlir::LogicalResult importInlined(NodeContext &context);
  mlir::LogicalResult importCond(NodeContext &context);
  mlir::LogicalResult importAutocast(NodeContext &context);
  mlir::LogicalResult importEffects(NodeContext &context);
  mlir::LogicalResult importOutDtype(NodeContext &context);
  mlir::FailureOr<llvm::SmallVector<Values::Id>>
  getGraphOperands(NodeContext &context,
                   llvm::ArrayRef<schema::NamedArgument> arguments);
  /// The results of a graph for these inputs. The graph is built at the
  /// insertion point of `builder`.
  mlir::FailureOr<llvm::SmallVector<Values::Id>>
  call(NodeContext &context, const schema::Graph &callee,
       llvm::ArrayRef<Values::Id> inputs);
  mlir::FailureOr<Operands> readAll(llvm::ArrayRef<Values::Id> ids);

  // Loops.cpp: nodes that call graphs repeatedly.
  mlir::LogicalResult importWhileLoop(NodeContext &context);
  mlir::LogicalResult importMap(NodeContext &context);
  mlir::LogicalResult importScan(NodeContext &context);
  mlir::LogicalResult importRows(NodeContext &context,
                                 const schema::Graph &body,
                                 llvm::ArrayRef<Values::Id> carried,
                                 llvm::ArrayRef<Values::Id> tensors,
                                 llvm::ArrayRef<Values::Id> others);
  mlir::FailureOr<torch::PrimLoopOp>
  buildLoop(NodeContext &context, mlir::Value tripCount, mlir::Value condition,
            mlir::TypeRange types, mlir::ValueRange init,
            llvm::function_ref<mlir::FailureOr<mlir::Value>(
                mlir::Value, mlir::ValueRange, Operands &)>
                body);
  mlir::LogicalResult bindLoop(NodeContext &context, torch::PrimLoopOp loop);
  mlir::FailureOr<llvm::SmallVector<mlir::Type>>
  getInputTypes(NodeContext &context, const schema::Graph &body, size_t count);

  mlir::FailureOr<mlir::Value> toBool(NodeContext &context, mlir::Value value);

  Import &import;
  mlir::OpBuilder &builder;
  Values &values;
  const schema::Graph &graph;
  Scope scope;
};

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_GRAPH_H
