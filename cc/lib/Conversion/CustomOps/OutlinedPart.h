//===- OutlinedPart.h - Ops that become one call of a function --*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H
#define ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H

#include "isthmus/Support/Enclosing.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

namespace isthmus::custom_ops {

/// Whether the body gets a copy of an op that is outside, or has other users: a
/// constant that is not a tensor, or a list.
bool isMadeAnew(mlir::Operation *op);

/// The arguments and results of a call, if the body does not determine them.
struct Signature {
  llvm::SmallVector<mlir::Value> arguments, results;
  /// The names of the arguments; empty for one without a name.
  llvm::SmallVector<std::string> names;
  /// Further ops to be copied.
  llvm::DenseSet<mlir::Operation *> copied;
};

/// Ops of one block that are moved into a function, which is called in their
/// place.
class OutlinedPart {
public:
  OutlinedPart(Enclosing of, mlir::Block &block,
               std::optional<Signature> signature = std::nullopt)
      : of(of), block(block), signature(std::move(signature)) {}

  /// Ops are added in their order. Copied ops may be added in any order.
  void add(mlir::Operation *op) {
    ops.push_back(op);
    inside.insert(op);
  }

  /// Moves the users that lie between the ops behind the last of them. Fails,
  /// and moves nothing, if one of the ops depends on such a user.
  mlir::LogicalResult moveTogether();

  /// Fails after an error. To be called after `moveTogether`.
  mlir::LogicalResult outline(mlir::SymbolTable &symbols);

  mlir::InFlightDiagnostic fail() {
    return ops.front()->emitError() << "'" << of.name.getValue() << "', call '"
                                    << of.instance.getValue() << "': ";
  }

private:
  bool isAnew(mlir::Operation *op) const {
    return op &&
           (isMadeAnew(op) || (signature && signature->copied.contains(op)));
  }
  bool uses(mlir::Operation *op,
            const llvm::DenseSet<mlir::Operation *> &others) const;
  bool uses(mlir::Value value,
            const llvm::DenseSet<mlir::Operation *> &others) const;
  void findInputs();
  bool isUsedOutside(mlir::Value value) const;
  void findOutputs();
  mlir::FailureOr<mlir::DictionaryAttr> identify();
  mlir::Value within(mlir::Value value, mlir::OpBuilder &builder,
                     mlir::Block &body, mlir::IRMapping &own) const;
  void eraseUnused();

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
  std::optional<Signature> signature;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Operation *> inside;
  /// The arguments recorded for the call, the tensors and numbers among them,
  /// the outputs, and the ops that the body has copies of.
  llvm::SmallVector<mlir::Value> arguments, inputs, outputs;
  llvm::SmallVector<mlir::Operation *> anew;
};

} // namespace isthmus::custom_ops

#endif // ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H
