//===- IsolateRegions.cpp - Pass to regions what they use -----------------===//

#include "Families.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace isthmus;
using namespace isthmus::torch_to_tosa;

/// Puts a copy of every constant from around into the region that uses it.
static void copyConstants(Region &region) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(region, captured);
  OpBuilder builder(&region.front(), region.front().begin());
  for (Value value : captured)
    if (Operation *constant = value.getDefiningOp();
        constant && matchPattern(constant, m_Constant())) {
      replaceAllUsesInRegionWith(value, builder.clone(*constant)->getResult(0),
                                 region);
      if (constant->use_empty())
        constant->erase();
    }
}

/// Makes parameters of what the regions still use from around, and returns it.
static SmallVector<Value> addParameters(MutableArrayRef<Region> regions) {
  llvm::SetVector<Value> captured;
  for (Region &region : regions) {
    copyConstants(region);
    getUsedValuesDefinedAbove(region, captured);
  }
  for (Region &region : regions)
    for (Value value : captured)
      replaceAllUsesInRegionWith(
          value, region.addArgument(value.getType(), value.getLoc()), region);
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
