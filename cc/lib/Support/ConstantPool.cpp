//===- ConstantPool.cpp - Shares equal constants --------------------------===//

#include "isthmus/Support/ConstantPool.h"
#include "isthmus/Support/StandIns.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace isthmus;

void ConstantPool::moveTo(Operation *op) {
  if (op->getBlock() != block)
    known.clear();
  block = op->getBlock();
  front = op->getPrevNode();
}

Value ConstantPool::get(Attribute value, const OpBuilder &builder,
                        llvm::function_ref<Value(OpBuilder &)> make) {
  if (usesUpstream()) {
    OpBuilder here(builder);
    return make(here);
  }
  Value &constant = known[value];
  if (constant)
    return constant;
  if (place == Place::FirstUse && builder.getInsertionBlock() == block) {
    OpBuilder here(block, builder.getInsertionPoint());
    return constant = make(here);
  }
  auto behindFront = front ? std::next(front->getIterator()) : block->begin();
  OpBuilder ahead(block, behindFront);
  constant = make(ahead);
  front = constant.getDefiningOp();
  return constant;
}

void ConstantPool::forget(Operation *op) {
  if (op == front)
    front = op->getPrevNode();
  Attribute value;
  if (!matchPattern(op, m_Constant(&value)))
    return;
  auto found = known.find(value);
  if (found != known.end() && found->second == op->getResult(0))
    known.erase(found);
}
