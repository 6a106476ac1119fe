//===- LoadDialects.h - Dialects whose names may be taken -------*- C++ -*-===//
//
// MLIR ends the process when two dialects of one name meet in a context, and
// other projects have dialects called `onnx`, `torch`, `mhlo` and `stablehlo`.
// These functions check the names first.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_LOADDIALECTS_H
#define ISTHMUS_SUPPORT_LOADDIALECTS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include <string>

namespace isthmus {

struct DialectName {
  llvm::StringRef name;
  mlir::TypeID type;

  template <typename Dialect>
  static DialectName of() {
    return {Dialect::getDialectNamespace(), mlir::TypeID::get<Dialect>()};
  }
};

/// Dialects to register: Isthmus's own, whose names others may have, and those
/// of MLIR.
struct DialectSet {
  mlir::DialectRegistry registry;
  llvm::SmallVector<DialectName> own;

  template <typename... Dialects>
  void addOwn() {
    registry.insert<Dialects...>();
    own.append({DialectName::of<Dialects>()...});
  }
  template <typename... Dialects>
  void addOthers() {
    registry.insert<Dialects...>();
  }
};

/// The names under which `registry` has other dialects.
llvm::SmallVector<llvm::StringRef>
findTakenNames(const mlir::DialectRegistry &registry,
               llvm::ArrayRef<DialectName> dialects);

/// The names under which `context` has other dialects. Loads the dialects that
/// its registry has under these names.
llvm::SmallVector<llvm::StringRef>
findTakenNames(mlir::MLIRContext &context,
               llvm::ArrayRef<DialectName> dialects);

/// "expected no other dialects called 'torch', 'mhlo' in the context", and
/// what to do instead.
std::string describeTakenNames(llvm::ArrayRef<llvm::StringRef> names);

/// Loads dialects into the context, or emits an error at `location` if it has
/// others of their names.
template <typename... Dialects>
mlir::LogicalResult loadDialects(mlir::MLIRContext *context,
                                 mlir::Location location) {
  auto taken = findTakenNames(*context, {DialectName::of<Dialects>()...});
  if (!taken.empty())
    return mlir::emitError(location) << describeTakenNames(taken);
  context->loadDialect<Dialects...>();
  return mlir::success();
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_LOADDIALECTS_H
