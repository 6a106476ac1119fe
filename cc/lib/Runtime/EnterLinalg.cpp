//===- EnterLinalg.cpp - What comes in, as functions of linalg ------------===//

#include "Codegen.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// `ml_program.func` says the same as `func.func` in a dialect without calls.
void convertMlProgramFunctions(ModuleOp module) {
  for (auto program :
       llvm::make_early_inc_range(module.getOps<ml_program::FuncOp>())) {
    OpBuilder builder(program);
    auto func = func::FuncOp::create(builder, program.getLoc(),
                                     program.getName(),
                                     program.getFunctionType());
    func.setVisibility(program.getVisibility());
    func.setAllArgAttrs(program.getArgAttrsAttr());
    func.setAllResultAttrs(program.getResAttrsAttr());
    func.getBody().takeBody(program.getBody());
    func.walk([](ml_program::ReturnOp op) {
      OpBuilder builder(op);
      func::ReturnOp::create(builder, op.getLoc(), op.getOperands());
      op.erase();
    });
    program.erase();
  }
}

bool hasTosa(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

LogicalResult isthmus::enterLinalg(ModuleOp module) {
  convertMlProgramFunctions(module);

  PassManager pm(module.getContext());
  if (hasTosa(module)) {
    OpPassManager &funcs = pm.nest<func::FuncOp>();
    TosaToLinalgNamedOptions named;
    named.preferConv2DKernelLayoutHWCF = true;
    funcs.addPass(tosa::createTosaOptionalDecompositionsPass());
    funcs.addPass(createCanonicalizerPass());
    funcs.addPass(tosa::createTosaInferShapesPass());
    funcs.addPass(tosa::createTosaMakeBroadcastablePass());
    funcs.addPass(tosa::createTosaToLinalgNamed(named));
    funcs.addPass(createCanonicalizerPass());
    funcs.addPass(tosa::createTosaLayerwiseConstantFoldPass());
    funcs.addPass(tosa::createTosaMakeBroadcastablePass());
    funcs.addPass(tosa::createTosaToLinalg());
    funcs.addPass(createTosaToTensorPass());
    TosaToArithPassOptions arith;
    arith.includeApplyRescale = true;
    funcs.addPass(createTosaToArithPass(arith));
    funcs.addPass(createTosaToSCFPass());
  }
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  return pm.run(module);
}
