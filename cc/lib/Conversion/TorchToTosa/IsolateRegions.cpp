//===- IsolateRegions.cpp - Pass to regions what they use -----------------===//

#include "Families.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

/// Calls `visit` with each operand in a region that comes from around it. The
/// regions of inner control flow use nothing from around by now, and values may
/// have uses in all regions of a program: to look at what stands in this one
/// alone takes time for it alone.
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

/// Puts a copy of every constant from around into the region that uses it.
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

/// Makes parameters of what the regions still use from around, and returns it.
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

/// A loop carries what it uses from around, unchanged.
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
  // Inner regions first: what they need from further out, the outer ones need
  // too.
  root->walk<WalkOrder::PostOrder>([](Operation *op) {
    if (auto choice = dyn_cast<tosa::IfOp>(op))
      isolate(choice);
    else if (auto loop = dyn_cast<tosa::WhileOp>(op))
      isolate(loop);
  });
}
