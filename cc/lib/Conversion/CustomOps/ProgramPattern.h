//===- ProgramPattern.h - Finds users' patterns in programs -----*- C++ -*-===//
//
// A pattern is a function of the torch dialect. It matches where ops of the
// program are connected in the same way, whatever the types of their values.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_CUSTOMOPS_PROGRAMPATTERN_H
#define ISTHMUS_LIB_CONVERSION_CUSTOMOPS_PROGRAMPATTERN_H

#include "OutlinedPart.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace isthmus::custom_ops {

/// The only element of a tensor constant.
std::optional<double> elementOf(mlir::Value value);

class ProgramPattern {
public:
  /// Fails with an error for a pattern that cannot match.
  static mlir::FailureOr<ProgramPattern> read(mlir::func::FuncOp function);

  /// The full name of the custom op.
  mlir::StringAttr getName() const { return name; }

  mlir::TypeRange getArgumentTypes() const {
    return function.getArgumentTypes();
  }

  struct Match {
    /// In the order of their block.
    llvm::SmallVector<mlir::Operation *> ops;
    Signature signature;
  };
  /// The ops of a match in which `last` computes the first result of the
  /// pattern, if there is one whose intermediate values have no other users.
  std::optional<Match> match(mlir::Operation *last) const;

private:
  ProgramPattern(mlir::func::FuncOp function, mlir::StringAttr name)
      : function(function), name(name) {}

  mlir::ValueRange results() const {
    return function.front().getTerminator()->getOperands();
  }

  mutable mlir::func::FuncOp function;
  mlir::StringAttr name;
};

} // namespace isthmus::custom_ops

#endif // ISTHMUS_LIB_CONVERSION_CUSTOMOPS_PROGRAMPATTERN_H
