//===- IsolateRegions.cpp - Pass captured values to regions ---------------===//

#include "Families.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

/// Calls `visit` for each operand in a region that is defined outside of it.
/// Regions of inner control flow capture nothing by now. The walk takes time
/// proportional to this region only; the uses of a value may be in all regions
/// of a program.
static void forEachCapture(Region &region,
                           llvm::function_ref<void(OpOperand &)> visit) {
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getParentRegion()->isProperAncestor(&region))
        visit(operand);
    return isa<tosa::IfOp, tosa::WhileOp>(op) ? WalkResult::skip()
                                              : WalkResult::advance();
  });
}

/// Copies captured constants into the region that uses them.
static void copyConstants(Region &region) {
  llvm::SmallMapVector<Operation *, Operation *, 8> copies;
  OpBuilder builder(&region.front(), region.front().begin());
  forEachCapture(region, [&](OpOperand &operand) {
    Operation *constant = operand.get().getDefiningOp();
    if (!constant || !matchPattern(constant, m_Constant()))
      return;
    Operation *&copy = copies[constant];
    if (!copy)
      copy = builder.clone(*constant);
    operand.set(copy->getResult(0));
  });
  for (auto [constant, copy] : copies)
    if (constant->use_empty())
      constant->erase();
}

/// Turns captured values into region arguments, and returns them.
static SmallVector<Value> addParameters(MutableArrayRef<Region> regions) {
  llvm::SetVector<Value> captured;
  for (Region &region : regions) {
    copyConstants(region);
    forEachCapture(region,
                   [&](OpOperand &operand) { captured.insert(operand.get()); });
  }
  for (Region &region : regions) {
    llvm::DenseMap<Value, Value> parameters;
    for (Value value : captured)
      parameters[value] = region.addArgument(value.getType(), value.getLoc());
    forEachCapture(region, [&](OpOperand &operand) {
      operand.set(parameters.at(operand.get()));
    });
  }
  return captured.takeVector();
}

static void isolate(tosa::IfOp op) {
  op.getInputListMutable().append(addParameters(op->getRegions()));
}

/// A loop carries its captured values unchanged.
static void isolate(tosa::WhileOp op) {
  size_t own = op.getNumResults();
  SmallVector<Value> added = addParameters(op->getRegions());
  if (added.empty())
    return;
  Block &body = op.getBodyGraph().front();
  body.getTerminator()->insertOperands(own,
                                       body.getArguments().drop_front(own));
  SmallVector<Value> inputs(op.getInputList());
  llvm::append_range(inputs, added);
  OpBuilder builder(op);
  auto wider = tosa::WhileOp::create(builder, op.getLoc(),
                                     ValueRange(inputs).getTypes(), inputs);
  wider.getCondGraph().takeBody(op.getCondGraph());
  wider.getBodyGraph().takeBody(op.getBodyGraph());
  op->replaceAllUsesWith(wider.getResults().take_front(own));
  op->erase();
}

void torch_to_tosa::isolateRegions(Operation *root) {
  // Inner regions first: the outer regions also need the values that they
  // capture from further out.
  root->walk<WalkOrder::PostOrder>([](Operation *op) {
    if (auto choice = dyn_cast<tosa::IfOp>(op))
      isolate(choice);
    else if (auto loop = dyn_cast<tosa::WhileOp>(op))
      isolate(loop);
  });
}
