//===- ProgramPattern.h - What a user drew, found in programs ---*- C++ -*-===//
//
// A pattern is a function of the torch dialect. A program has it where its ops
// do the same with each other, whatever the types of their values are.
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
  /// Fails after an error for what could be nowhere.
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
  /// The ops of which `last` gives the first result of the pattern, if there
  /// are such and nothing else needs what they compute on the way.
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
