//===- ConstantPool.cpp - One constant for all who want it ----------------===//

#include "isthmus/Support/ConstantPool.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace isthmus;

void ConstantPool::moveTo(Operation *op) {
  if (op->getBlock() != block)
    known.clear();
  block = op->getBlock();
  front = op->getPrevNode();
}

Value ConstantPool::get(Attribute value, OpBuilder &builder,
                        llvm::function_ref<Value()> make) {
  Value &constant = known[value];
  if (constant)
    return constant;
  if (place == Place::FirstUse && builder.getInsertionBlock() == block)
    return constant = make();
  OpBuilder::InsertionGuard guard(builder);
  if (front)
    builder.setInsertionPointAfter(front);
  else
    builder.setInsertionPointToStart(block);
  constant = make();
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
