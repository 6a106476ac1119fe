//===- Polls.cpp - Interruptible loops of the program ---------------------===//

#include "Codegen.h"
#include "Outline.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace isthmus;

void isthmus::insertPolls(ModuleOp module) {
  SmallVector<Operation *> loops;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      function.walk([&](Operation *op) {
        if (isa<scf::WhileOp>(op) || (isa<scf::ForOp>(op) && holdsLoops(op)))
          loops.push_back(op);
      });
  if (loops.empty())
    return;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  auto poll = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), "isthmusPoll",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()),
                                  {}));
  for (Operation *loop : loops) {
    Region &body = loop->getRegions().back();
    builder.setInsertionPointToStart(&body.front());
    LLVM::CallOp::create(builder, loop->getLoc(), poll, ValueRange());
  }
}
