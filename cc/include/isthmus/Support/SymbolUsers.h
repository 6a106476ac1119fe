//===- SymbolUsers.h - Ops that refer to symbols ----------------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_SYMBOLUSERS_H
#define ISTHMUS_SUPPORT_SYMBOLUSERS_H

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace isthmus {

/// The ops that refer to each symbol of a symbol table, found in one walk.
///
/// Unlike `mlir::SymbolUserMap`, which ends the process, this takes
/// unregistered ops with a region. Such an op may be a symbol table of its own;
/// here it is none, so a reference within it counts as a use of the outer
/// symbol.
class SymbolUsers {
public:
  explicit SymbolUsers(mlir::Operation *symbolTable);

  /// The users of a symbol, in the order of the program.
  llvm::ArrayRef<mlir::Operation *> of(mlir::Operation *symbol) const;

private:
  llvm::DenseMap<mlir::StringAttr, llvm::SetVector<mlir::Operation *>> users;
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_SYMBOLUSERS_H
