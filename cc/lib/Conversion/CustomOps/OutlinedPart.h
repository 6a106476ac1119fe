//===- OutlinedPart.h - What becomes one call of a function -----*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H
#define ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H

#include "isthmus/Support/Enclosing.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

namespace isthmus::custom_ops {

/// Whether a body has an op of its own in place of one outside, or of one that
/// others use too: a constant that is no tensor, or a list.
bool isMadeAnew(mlir::Operation *op);

/// What a call takes and gives, if that is not for its body to say.
struct Signature {
  llvm::SmallVector<mlir::Value> arguments, results;
  /// Of the arguments; empty for one without a name.
  llvm::SmallVector<std::string> names;
  /// Further ops to be made anew.
  llvm::DenseSet<mlir::Operation *> copied;
};

/// Ops of one block on their way into a function, which is called in their
/// place.
class OutlinedPart {
public:
  OutlinedPart(Enclosing of, mlir::Block &block,
               std::optional<Signature> signature = std::nullopt)
      : of(of), block(block), signature(std::move(signature)) {}

  /// Ops are added in their order. What is made anew need not be.
  void add(mlir::Operation *op) {
    ops.push_back(op);
    inside.insert(op);
  }

  /// Puts what stands between the ops and uses them behind the last of them.
  /// Fails, and moves nothing, if an op needs that in turn.
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
  /// What the call says of what goes in, the tensors and numbers among it, what
  /// goes out, and the ops in whose place the body has its own.
  llvm::SmallVector<mlir::Value> arguments, inputs, outputs;
  llvm::SmallVector<mlir::Operation *> anew;
};

} // namespace isthmus::custom_ops

#endif // ISTHMUS_LIB_CONVERSION_CUSTOMOPS_OUTLINEDPART_H
