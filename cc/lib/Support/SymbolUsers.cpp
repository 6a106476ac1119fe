//===- SymbolUsers.cpp - Ops that refer to symbols ------------------------===//

#include "isthmus/Support/SymbolUsers.h"

using namespace mlir;
using namespace isthmus;

SymbolUsers::SymbolUsers(Operation *symbolTable) {
  symbolTable->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == symbolTable)
      return WalkResult::advance();
    op->getAttrDictionary().walk<WalkOrder::PreOrder>(
        [&](SymbolRefAttr reference) {
          users[reference.getRootReference()].insert(op);
          return WalkResult::skip();
        });
    // References within a nested table are to its own symbols.
    return op->hasTrait<OpTrait::SymbolTable>() ? WalkResult::skip()
                                                : WalkResult::advance();
  });
}

ArrayRef<Operation *> SymbolUsers::of(Operation *symbol) const {
  auto found = users.find(SymbolTable::getSymbolName(symbol));
  return found == users.end() ? ArrayRef<Operation *>()
                              : found->second.getArrayRef();
}
