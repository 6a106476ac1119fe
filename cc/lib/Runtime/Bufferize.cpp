//===- Bufferize.cpp - Tensors to buffers ---------------------------------===//

#include "Codegen.h"
#include "Memory.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

LogicalResult isthmus::bufferize(ModuleOp module) {
  MLIRContext *context = module.getContext();

  // Ops that have no buffer form of their own.
  RewritePatternSet patterns(context);
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  linalg::populateDecomposePackUnpackPatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();

  // The caller's memory is only read.
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic())
      for (BlockArgument argument : func.getArguments())
        func.setArgAttr(argument.getArgNumber(), "bufferization.writable",
                        BoolAttr::get(context, false));

  IRRewriter rewriter(context);
  if (failed(bufferization::eliminateEmptyTensors(rewriter, module)))
    return failure();

  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.bufferAlignment = kBufferAlignment;
  // Buffers at the boundary are row-major.
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  bufferization::BufferizationState state;
  if (failed(bufferization::runOneShotModuleBufferize(module, options, state)))
    return failure();

  PassManager pm(context);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (failed(pm.run(module)))
    return failure();
  // A tile computed in place is copied to where it is: only now are both ends
  // of the copy one value.
  module.walk([](memref::CopyOp copy) {
    if (copy.getSource() == copy.getTarget())
      copy.erase();
  });
  return success();
}

/// All that shows memory of `buffer`. Bools are bytes to vector code, which
/// MLIR's analysis takes for a buffer of its own.
static llvm::SetVector<Value> viewsOf(Value buffer,
                                      const BufferViewFlowAnalysis &analysis) {
  llvm::SetVector<Value> views;
  SmallVector<Value> pending{buffer};
  while (!pending.empty())
    for (Value view : analysis.resolve(pending.pop_back_val()))
      if (views.insert(view))
        for (Operation *user : view.getUsers())
          if (auto cast = dyn_cast<UnrealizedConversionCastOp>(user))
            llvm::append_range(pending, cast.getResults());
  return views;
}

void isthmus::insertDeallocations(ModuleOp module) {
  BufferViewFlowAnalysis analysis(module);
  module.walk([&](memref::AllocOp alloc) {
    Block *block = alloc->getBlock();
    Operation *last = alloc;
    for (Value view : viewsOf(alloc, analysis))
      for (Operation *user : view.getUsers()) {
        // In another block of a region with branches, or beyond this region.
        Operation *here = block->findAncestorOpInBlock(*user);
        if (!here || here->hasTrait<OpTrait::IsTerminator>())
          return;
        if (last->isBeforeInBlock(here))
          last = here;
      }
    OpBuilder builder(alloc.getContext());
    builder.setInsertionPointAfter(last);
    memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
  });
}
