//===- Bufferize.cpp - Tensors to buffers ---------------------------------===//

#include "Codegen.h"
#include "Memory.h"

#include "isthmus/Support/VerifyProgram.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

/// Gives each use of an empty tensor its own tensor, right before the use: a
/// buffer analysis is cubic in the number of uses of one value, and a buffer
/// should live only as long as it is used.
static void splitEmptyTensors(ModuleOp module) {
  SmallVector<tensor::EmptyOp> shared;
  module.walk([&](tensor::EmptyOp op) {
    if (!op->use_empty() && !op->hasOneUse())
      shared.push_back(op);
  });
  for (tensor::EmptyOp op : shared) {
    OpBuilder builder(op);
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      builder.setInsertionPoint(
          op->getBlock()->findAncestorOpInBlock(*use.getOwner()));
      use.set(builder.clone(*op)->getResult(0));
    }
    op.erase();
  }
}

/// A value with more uses than this is split.
constexpr unsigned kMostUses = 64;

/// True if only values computed from `value` can share its memory: in-place
/// writes of other values go to other memory.
static bool hasMemoryOfItsOwn(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return function && function.isPublic();
  }
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op)
    return false;
  Value init = op.getTiedOpOperand(cast<OpResult>(value))->get();
  return init.hasOneUse() && init.getDefiningOp<tensor::EmptyOp>();
}

/// Splits a value with many uses into several values with fewer uses each: a
/// buffer analysis is quadratic in the number of uses of one value.
static void splitSharedValues(ModuleOp module) {
  SmallVector<Value> shared;
  auto visit = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()) &&
        value.hasNUsesOrMore(kMostUses + 1) && hasMemoryOfItsOwn(value))
      shared.push_back(value);
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), visit);
    if (auto function = dyn_cast<func::FuncOp>(op))
      llvm::for_each(function.getArguments(), visit);
  });
  OpBuilder builder(module.getContext());
  for (Value value : shared) {
    SmallVector<OpOperand *> uses = llvm::to_vector(
        llvm::map_range(value.getUses(), [](OpOperand &use) { return &use; }));
    auto type = cast<RankedTensorType>(value.getType());
    builder.setInsertionPointAfterValue(value);
    Value buffer = bufferization::ToBufferOp::create(
        builder, value.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()), value,
        /*read_only=*/true);
    Value part;
    for (auto [i, use] : llvm::enumerate(uses)) {
      if (i % kMostUses == 0)
        part = bufferization::ToTensorOp::create(builder, value.getLoc(), type,
                                                 buffer, /*restrict=*/true);
      use->set(part);
    }
  }
}

LogicalResult isthmus::bufferize(ModuleOp module) {
  MLIRContext *context = module.getContext();

  // Ops that have no bufferization of their own.
  if (failed(lowerConcats(module)))
    return failure();
  RewritePatternSet patterns(context);
  linalg::populateDecomposePackUnpackPatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();

  // The caller's memory is read-only.
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic())
      for (BlockArgument argument : func.getArguments())
        func.setArgAttr(argument.getArgNumber(), "bufferization.writable",
                        BoolAttr::get(context, false));

  keepUnitDims(module);
  alignLoops(module);
  splitEmptyTensors(module);
  splitSharedValues(module);
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
  pm.enableVerifier(verifiesEachPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (failed(pm.run(module)))
    return failure();
  // A tile computed in place is copied to itself: only now are the source and
  // target of the copy the same value.
  module.walk([](memref::CopyOp copy) {
    if (copy.getSource() == copy.getTarget())
      copy.erase();
  });
  return success();
}

/// All views of the memory of `buffer`. Vector code views bools as bytes
/// through a cast that MLIR's analysis treats as a separate buffer.
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
        // The user is in another block of the region, or the buffer escapes the
        // block.
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
