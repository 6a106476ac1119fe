//===- LowerToLlvm.cpp - Loops, vectors and buffers to LLVM ---------------===//

#include "Codegen.h"
#include "Kernels.h"
#include "Parallel.h"

#include "isthmus/Support/VerifyProgram.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

void isthmus::lowerStridedCopies(ModuleOp module) {
  module.walk([](memref::CopyOp op) {
    auto isContiguous = [](Value value) {
      auto type = dyn_cast<MemRefType>(value.getType());
      return type && memref::isStaticShapeAndContiguousRowMajor(type);
    };
    if (isContiguous(op.getSource()) && isContiguous(op.getTarget()))
      return;
    OpBuilder builder(op);
    linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(),
                             op.getTarget());
    op.erase();
  });
}

/// Lowers an expansion into several dims of unknown size to a view of the same
/// memory. MLIR's own expansion of strided metadata computes at most one size
/// per group and crashes on more, though the op lists all sizes.
static void lowerDynamicExpansions(ModuleOp module) {
  module.walk([](memref::ExpandShapeOp op) {
    MemRefType type = op.getResultType();
    auto hasSeveral = [&](ArrayRef<int64_t> group) {
      return llvm::count_if(group, [&](int64_t dim) {
               return type.isDynamicDim(dim);
             }) > 1;
    };
    if (llvm::none_of(op.getReassociationIndices(), hasSeveral))
      return;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto source =
        memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape(),
                              strides(sizes.size());
    for (auto [group, stride] : llvm::zip(op.getReassociationIndices(),
                                          source.getConstifiedMixedStrides()))
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = stride;
        stride = affine::makeComposedFoldedAffineApply(
            builder, loc,
            builder.getAffineSymbolExpr(0) * builder.getAffineSymbolExpr(1),
            {stride, sizes[dim]});
      }
    auto view = memref::ReinterpretCastOp::create(
        builder, loc, type, source.getBaseBuffer(),
        source.getConstifiedMixedOffset(), sizes, strides);
    op.replaceAllUsesWith(view.getResult());
    op.erase();
  });
}

/// Lowers what is left of linalg and affine to loops of invariant bounds.
static LogicalResult lowerToLoops(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.enableVerifier(verifiesEachPass());
  OpPassManager &funcs = pm.nest<func::FuncOp>();
  funcs.addPass(createConvertLinalgToLoopsPass());
  funcs.addPass(memref::createFoldMemRefAliasOpsPass());
  funcs.addPass(memref::createExpandOpsPass());
  funcs.addPass(memref::createExpandStridedMetadataPass());
  funcs.addPass(createLowerAffinePass());
  funcs.addPass(createLoopInvariantCodeMotionPass());
  funcs.addPass(createCanonicalizerPass());
  funcs.addPass(createCSEPass());
  return pm.run(module);
}

LogicalResult isthmus::lowerToLlvm(ModuleOp module) {
  lowerDynamicExpansions(module);
  // Host functions are called through MLIR's C interface.
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal() && !function->hasAttr(kCustomOpAttr))
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                        UnitAttr::get(module.getContext()));
  if (failed(lowerToLoops(module)))
    return failure();
  skipEmptyNests(module);
  PassManager pm(module.getContext());
  pm.enableVerifier(verifiesEachPass());
  OpPassManager &funcs = pm.nest<func::FuncOp>();
  funcs.addPass(createConvertVectorToSCFPass());
  funcs.addPass(createConvertComplexToStandardPass());
  funcs.addPass(math::createMathExtendToSupportedTypes());
  math::MathExpandOpsPassOptions expand;
  expand.opMnemonics = {"tan",   "sinh",      "cosh",  "asinh",
                        "acosh", "atanh",     "fpowi", "rsqrt",
                        "round", "roundeven", "ctlz"};
  funcs.addPass(arith::createArithExpandOpsPass());
  funcs.addPass(math::createMathExpandOpsPass(expand));
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.reassociateFPReductions = true;
  // The conversions to library calls scalarize vectors, so vectors are lowered
  // after them.
  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createConvertComplexToLLVMPass());
  FinalizeMemRefToLLVMConversionPassOptions memory;
  memory.useAlignedAlloc = true;
  memory.useGenericFunctions = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  if (failed(pm.run(module)))
    return failure();
  dispatchParallelLoops(module);
  return success();
}
