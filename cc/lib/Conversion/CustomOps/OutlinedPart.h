//===- OutlinedPart.h - One call on its way into a function -----*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H
#define ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H

#include "isthmus/Support/Enclosing.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

namespace isthmus::custom_ops {

/// The ops of one call, all of one block, on their way into a function.
class OutlinedPart {
public:
  OutlinedPart(const Enclosing &of, mlir::Block &block)
      : of(of), block(block) {}

  void add(mlir::Operation *op) {
    ops.push_back(op);
    inside.insert(op);
  }

  mlir::LogicalResult outline(mlir::SymbolTable &symbols);

private:
  mlir::InFlightDiagnostic fail() {
    return ops.front()->emitError() << "'" << of.name.getValue() << "', call '"
                                    << of.instance.getValue() << "': ";
  }

  bool uses(mlir::Operation *op,
            const llvm::DenseSet<mlir::Operation *> &others) const;
  mlir::LogicalResult moveTogether();
  void findInputs();
  void findOutputs();
  mlir::LogicalResult checkTypes();
  mlir::FailureOr<mlir::DictionaryAttr> identify(mlir::ValueRange operands,
                                                 mlir::TypeRange types);

  /// The op of this block that a value is defined by or in; null outside.
  mlir::Operation *definedIn(mlir::Value value) const {
    mlir::Operation *op = value.getDefiningOp();
    return block.findAncestorOpInBlock(
        op ? *op : *value.getParentBlock()->getParentOp());
  }
  bool isInside(mlir::Operation *user) const {
    mlir::Operation *own = block.findAncestorOpInBlock(*user);
    return own && inside.contains(own);
  }

  Enclosing of;
  mlir::Block &block;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Operation *> inside;
  /// What goes in; constants that are made anew within; what goes out.
  llvm::SmallVector<mlir::Value> inputs, constants, outputs;
};

} // namespace isthmus::custom_ops

#endif // ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H
