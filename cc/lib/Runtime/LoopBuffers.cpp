//===- LoopBuffers.cpp - Buffers carried by a loop ------------------------===//
//
// A loop that computes its next state in a new buffer would keep the buffers of
// all iterations until the run ends. At the end of an iteration, the buffer of
// the state at its start is freed, unless it holds the next state or was
// allocated outside the loop. This is known only at run time, so the addresses
// are compared.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// With more comparisons than this, freeing the buffer is not worth it.
constexpr size_t kMostOthers = 16;

class LoopBuffers {
public:
  explicit LoopBuffers(ModuleOp module) : analysis(module) {}

  /// Frees the buffers that `body`, a region of `loop`, received and does not
  /// pass on.
  void freeOldState(Operation *loop, Block &body) {
    Operation *end = body.getTerminator();
    ImplicitLocOpBuilder b(loop->getLoc(), end);
    SmallVector<Value> kept = buffersOf(end->getOperands());
    llvm::append_range(kept, buffersOf(loop->getOperands()));
    for (Value old : buffersOf(body.getArguments())) {
      std::optional<SmallVector<Value>> outside = comesFrom(old, loop);
      if (!outside)
        continue;
      llvm::SetVector<Value> others(kept.begin(), kept.end());
      others.insert(outside->begin(), outside->end());
      others.remove(old);
      if (llvm::is_contained(end->getOperands(), old) ||
          others.size() > kMostOthers)
        continue;
      Value address = addressOf(b, old), isDead;
      for (Value other : others) {
        Value differs = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                              address, addressOf(b, other));
        isDead = isDead ? arith::AndIOp::create(b, isDead, differs).getResult()
                        : differs;
      }
      if (!isDead)
        continue;
      auto ifDead = scf::IfOp::create(b, isDead);
      auto inside = OpBuilder::atBlockBegin(ifDead.thenBlock());
      memref::DeallocOp::create(inside, loop->getLoc(), old);
      kept.push_back(old); // another argument may be the same buffer
    }
  }

private:
  static SmallVector<Value> buffersOf(ValueRange values) {
    return llvm::to_vector(llvm::make_filter_range(
        values, [](Value value) { return isa<MemRefType>(value.getType()); }));
  }

  /// The start address of the buffer that a view refers to.
  static Value addressOf(ImplicitLocOpBuilder &b, Value view) {
    return memref::ExtractAlignedPointerAsIndexOp::create(b, view);
  }

  /// The buffers from outside the loop that `value` may alias, if they are
  /// accessible there. Nothing if it may alias a buffer of unknown origin.
  std::optional<SmallVector<Value>> comesFrom(Value value, Operation *loop) {
    SmallVector<Value> outside;
    for (Value source : analysis.resolveReverse(value)) {
      bool isFirst = analysis.resolveReverse(source).size() == 1;
      auto argument = dyn_cast<BlockArgument>(source);
      bool isKnown = argument
                         ? isa<func::FuncOp>(argument.getOwner()->getParentOp())
                         : isa<memref::AllocOp, memref::GetGlobalOp>(
                               source.getDefiningOp());
      if (isFirst && !isKnown)
        return std::nullopt;
      Region *region = source.getParentRegion();
      if (!loop->isAncestor(region->getParentOp()) &&
          region->isAncestor(loop->getParentRegion()))
        outside.push_back(source);
    }
    return outside;
  }

  BufferViewFlowAnalysis analysis;
};

} // namespace

void isthmus::freeLoopBuffers(ModuleOp module) {
  LoopBuffers buffers(module);
  module.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      buffers.freeOldState(loop, *loop.getBody());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      buffers.freeOldState(loop, *loop.getBeforeBody());
      buffers.freeOldState(loop, *loop.getAfterBody());
    }
  });
}
