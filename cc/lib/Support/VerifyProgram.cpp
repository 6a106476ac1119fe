//===- VerifyProgram.cpp - MLIR's verifier in stretches -------------------===//

#include "isthmus/Support/VerifyProgram.h"
#include "isthmus/Support/Prefetch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace isthmus;

/// Whether `value` is an argument of `block` or is computed in it before `op`.
static bool precedes(Value value, Operation *op, Block *block) {
  if (Operation *definition = value.getDefiningOp())
    return definition->getBlock() == block && definition->isBeforeInBlock(op);
  return cast<BlockArgument>(value).getOwner() == block;
}

/// Whether all is known of the op's place that dominance asks for. mlir::verify
/// says what is wrong with other places, and which of them are right.
static bool isInPlace(Operation &op, Block *block) {
  bool isLast = &op == &block->back();
  return op.mightHaveTrait<OpTrait::IsTerminator>() == isLast &&
         op.getNumSuccessors() == 0 &&
         llvm::all_of(op.getOperands(), [&](Value operand) {
           return precedes(operand, &op, block);
         });
}

static LogicalResult verifyFunction(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock() || body.front().empty())
    return verify(function);
  if (failed(verify(function, /*verifyRecursively=*/false)))
    return failure();
  Block *block = &body.front();
  for (Operation &op : *block) {
    prefetchNext(&op);
    if (!isInPlace(op, block))
      return verify(function);
    if (failed(verify(&op)))
      return failure();
  }
  return success();
}

LogicalResult isthmus::verifyProgram(ModuleOp module) {
  if (failed(verify(module, /*verifyRecursively=*/false)))
    return failure();
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (failed(function ? verifyFunction(function) : verify(&op)))
      return failure();
  }
  return success();
}
