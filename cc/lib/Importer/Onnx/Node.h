//===- Node.h - Converts a node of ai.onnx to an op -------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_IMPORTER_ONNX_NODE_H
#define ISTHMUS_LIB_IMPORTER_ONNX_NODE_H

#include "Import.h"
#include "isthmus/Dialect/Onnx/Schemas.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Region.h"

namespace isthmus::onnx {

/// A node that upgrades rewrite to the newest version.
struct Node {
  llvm::StringRef op;
  mlir::StringAttr name;                   // null if it has none
  int since = 0;                           // the version of the other fields
  llvm::SmallVector<mlir::Value> operands; // null if absent
  mlir::NamedAttrList attributes;
  /// The declared types: none if absent, null if nothing is known.
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<std::unique_ptr<mlir::Region>> regions;
  /// Set by an upgrade that creates ops instead of changing the node.
  llvm::SmallVector<mlir::Value> results;

  mlir::Value getOperand(size_t i) const {
    return i < operands.size() ? operands[i] : mlir::Value();
  }
  void setOperand(size_t i, mlir::Value value) {
    operands.resize(std::max(operands.size(), i + 1));
    operands[i] = value;
  }

  /// Records the node's name on the op created for it. As an attribute of the
  /// OperationState it would make MLIR keep one more dictionary per name.
  void noteName(mlir::Operation *op) const {
    if (name)
      op->setDiscardableAttr("onnx_node_name", name);
  }
};

/// Makes the ops of one node.
class NodeBuilder {
public:
  NodeBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value absent,
              const Subject &subject)
      : builder(builder), loc(loc), absent(absent), subject(subject) {}

  mlir::OpBuilder &builder;
  const mlir::Location loc;
  const mlir::Value absent; // an onnx.NoValue
  const Subject &subject;

  /// Constants: int64 [n], float [n], a scalar int64, and a scalar of some
  /// other float type.
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  mlir::Value floats(llvm::ArrayRef<float> values);
  mlir::Value scalar(int64_t value);
  mlir::Value scalar(double value, mlir::Type elementType);

  /// Creates an op with one result.
  mlir::Value create(llvm::StringRef op, mlir::ValueRange operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                     mlir::Type declared = {});

  /// Creates the op of a node of the newest version; fails with an error.
  mlir::LogicalResult create(Node &node);

  mlir::NamedAttribute attribute(llvm::StringRef name, int64_t value);
};

/// Fills in what `types` lacks: null types and unknown element types, as far as
/// ONNX's type constraints determine them. Shapes are left to shape inference.
void inferResultTypes(const Node &node, const Schema &schema,
                      mlir::MLIRContext *context,
                      llvm::MutableArrayRef<mlir::Type> types);

/// `type` without its shapes.
mlir::Type getShapeless(mlir::Type type);

/// `declared`, with its element type from `inferred` if it has none itself.
mlir::Type mergeTypes(mlir::Type declared, mlir::Type inferred);

/// Gives a node whose result would be a map a result without one; reports a
/// node that takes a map.
mlir::LogicalResult replaceMaps(Node &node, NodeBuilder &b);

/// Turns a node of an older version into one of the newest.
mlir::LogicalResult upgradeNode(Node &node, NodeBuilder &b);

} // namespace isthmus::onnx

#endif // ISTHMUS_LIB_IMPORTER_ONNX_NODE_H
