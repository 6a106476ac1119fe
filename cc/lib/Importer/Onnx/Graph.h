//===- Graph.h - Graphs, their nodes and the names in them ------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_ONNX_GRAPH_H
#define ISTHMUS_LIB_IMPORTER_ONNX_GRAPH_H

#include "Node.h"
#include "isthmus/Support/Enclosing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/CachedHashString.h"

namespace isthmus::onnx {

/// The opset versions that a model, or a function, imports by domain.
class Opsets {
public:
  /// Fails, with an error about `subject`, for unknown versions.
  mlir::LogicalResult add(llvm::ArrayRef<proto::Opset> opsets,
                          const Subject &subject);
  std::optional<int64_t> lookup(llvm::StringRef domain) const;

private:
  llvm::StringMap<int64_t> versions;
};

/// The context of a body of nodes: the main graph with its subgraphs, or one
/// call of a function.
struct Frame {
  const Opsets &opsets;
  std::string prefix;                                   // of node names
  llvm::StringMap<const proto::Attribute *> attributes; // bound by a call
  llvm::SmallVector<Enclosing> functions;               // that enclose the body
};

/// The names of one graph. The file owns them, and comparing hashes saves
/// reading them. A null value represents one that failed with an error: its
/// users are skipped silently.
struct Scope {
  Scope *parent;
  const Frame &frame;
  llvm::DenseMap<llvm::CachedHashStringRef, mlir::Value> values{};
  llvm::DenseMap<llvm::CachedHashStringRef, mlir::Type> declared{};

  std::optional<mlir::Value> lookup(llvm::StringRef name) const;
  mlir::Type getDeclared(llvm::StringRef name) const;
};

/// An attribute of a node, by its name in that node.
struct NodeAttribute {
  llvm::StringRef name;
  const proto::Attribute *value;
  bool isBound; // by the call of the function that the node is in
};

/// The domain "ai.onnx" is also written "".
inline llvm::StringRef normalizeDomain(llvm::StringRef domain) {
  return domain == "ai.onnx" ? "" : domain;
}

class GraphImporter {
public:
  GraphImporter(Import &import, const proto::Model &model);

  /// Makes `func.func @main_graph` and its entry point in `module`.
  void importModel(mlir::ModuleOp module);

private:
  // Graph.cpp
  mlir::func::FuncOp importMain(const proto::Graph &graph, const Frame &frame);
  void declare(llvm::ArrayRef<proto::ValueInfo> infos, Scope &scope);
  void define(llvm::StringRef name, mlir::Value value, Scope &scope,
              const Subject &subject);
  void importInitializers(const proto::Graph &graph, Scope &scope);
  void importNodes(llvm::ArrayRef<proto::Node> nodes, Scope &scope);
  bool getOutputs(llvm::ArrayRef<proto::ValueInfo> outputs, Scope &scope,
                  llvm::SmallVectorImpl<mlir::Value> &values);

  // Subgraphs.cpp
  /// Makes a region of `node` of each attribute that is a graph; an empty one
  /// of each graph that a node with a schema omits.
  mlir::LogicalResult importSubgraphs(llvm::ArrayRef<NodeAttribute> attributes,
                                      const Schema *schema, Node &node,
                                      Scope &scope, const Subject &subject);
  mlir::LogicalResult importSubgraph(NodeAttribute attribute, Node &node,
                                     Scope &outer, const Subject &subject);

  // Nodes.cpp
  void importNode(const proto::Node &node, Scope &scope);
  bool getOperands(const proto::Node &node, Scope &scope,
                   const Subject &subject,
                   llvm::SmallVectorImpl<mlir::Value> &operands);
  /// An attribute that refers to one which the function's caller omits is
  /// omitted.
  llvm::SmallVector<NodeAttribute> getAttributes(const proto::Node &node,
                                                 const Frame &frame) const;
  mlir::LogicalResult importBuiltin(const proto::Node &proto,
                                    const Schema &schema, Node &node,
                                    mlir::Location loc, Scope &scope,
                                    const Subject &subject);
  mlir::LogicalResult importConstant(llvm::ArrayRef<NodeAttribute> attributes,
                                     Node &node, mlir::Location loc,
                                     const Subject &subject);
  mlir::LogicalResult importCustom(const proto::Node &proto, Node &node,
                                   mlir::Location loc, Scope &scope,
                                   const Subject &subject);

  // Shardings.cpp
  /// Checks the model's device configurations.
  mlir::LogicalResult checkConfigurations(const Subject &subject);
  /// Lists them in `module`, after its nodes are known.
  void listConfigurations(mlir::ModuleOp module);
  /// Checks how a node's configurations split its tensors over devices.
  mlir::LogicalResult checkShardings(const proto::Node &node,
                                     const Subject &subject);
  /// Gives `values`, of the node's inputs or outputs by name, their shardings.
  mlir::LogicalResult shard(const proto::Node &node,
                            llvm::ArrayRef<llvm::StringRef> names,
                            llvm::MutableArrayRef<mlir::Value> values,
                            mlir::Location loc, const Subject &subject);
  mlir::LogicalResult shard(llvm::StringRef configuration,
                            const proto::ShardingSpec &spec, mlir::Value &value,
                            mlir::Location loc, const Subject &subject);

  // Functions.cpp
  /// Charges the budget for a node and, if the node is a copy, for all that it
  /// holds. After a failure, later nodes would exceed the budget as well.
  mlir::LogicalResult takeNode(const proto::Node &node, const Frame &frame,
                               const Subject &subject);
  mlir::LogicalResult takeEntries(size_t count, const Subject &subject);
  const proto::Function *findFunction(const proto::Node &node) const;
  /// The scopes that enclose the nodes of a call's body.
  Enclosing getEnclosing(const proto::Node &node, const Frame &frame,
                         const Subject &subject);
  mlir::LogicalResult inlineFunction(const proto::Function &function,
                                     const proto::Node &proto, Node &node,
                                     Scope &scope, const Subject &subject);

  Import &import;
  const proto::Model &model;
  /// The model's functions by name, domain and overload.
  llvm::DenseMap<std::tuple<llvm::StringRef, llvm::StringRef, llvm::StringRef>,
                 const proto::Function *>
      functions;
  /// A device configuration: how many devices it has, and the first node that
  /// it gives a pipeline stage other than 0, if there is one.
  struct Configuration {
    int64_t deviceCount = 0;
    std::string pipelined;
  };
  llvm::StringMap<Configuration> configurations;
  llvm::DenseSet<const proto::Node *> checkedNodes; // of all configurations
  mlir::OpBuilder builder;
  mlir::Value absent;         // the onnx.NoValue of the function being made
  llvm::StringMap<int> calls; // of functions, by the name of the node
  int depth = 0;              // of subgraphs and calls around the current node
  bool stopped = false;       // by an error that would cause others
};

/// Whether all values that a node and its subgraphs use are defined.
bool isReady(const proto::Node &node, const Scope &scope);

/// Sorts the nodes so that each follows its dependencies; keeps the order of
/// the file if it is valid. Nothing after an error: a cycle.
std::optional<llvm::SmallVector<const proto::Node *>>
sortNodes(llvm::ArrayRef<proto::Node> nodes, Import &import);

} // namespace isthmus::onnx

#endif // ISTHMUS_LIB_IMPORTER_ONNX_GRAPH_H
