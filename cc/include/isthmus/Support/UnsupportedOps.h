//===- UnsupportedOps.h - Why an op could not be lowered --------*- C++ -*-===//
//
// MLIR drops match-failure reasons in release builds. This keeps the last one
// of every op, so that a conversion can report all ops it left behind at once.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_UNSUPPORTEDOPS_H
#define ISTHMUS_SUPPORT_UNSUPPORTEDOPS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <utility>

namespace isthmus {

/// Collects the reason each op was declined, and reports the ops left behind.
class UnsupportedOps {
public:
  /// A reason being written; converts to failure once it is complete.
  class Reason {
  public:
    Reason(std::string &slot, mlir::Location loc)
        : slot(slot), text(loc, mlir::DiagnosticSeverity::Note) {}

    template <typename T>
    Reason &&operator<<(T &&part) && {
      text << std::forward<T>(part);
      return std::move(*this);
    }

    operator mlir::LogicalResult() && {
      slot = text.str();
      return mlir::failure();
    }

    template <typename T>
    operator mlir::FailureOr<T>() && {
      slot = text.str();
      return mlir::failure();
    }

  private:
    std::string &slot;
    mlir::Diagnostic text;
  };

  Reason decline(mlir::Operation *op) { return {reasons[op], op->getLoc()}; }

  /// Emits the error of an op that has no lowering to `target`, with its
  /// reason.
  void emitError(mlir::Operation *op, llvm::StringRef target) const;

  /// Emits one error per op of `dialect` left in `root`, each with its reason;
  /// fails if there is any.
  mlir::LogicalResult report(mlir::Operation *root, llvm::StringRef dialect,
                             llvm::StringRef target) const;

private:
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_UNSUPPORTEDOPS_H
