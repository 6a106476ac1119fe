//===- EnterLinalg.cpp - From the input program to functions of linalg ----===//

#include "Codegen.h"

#include "isthmus/Support/Diagnostics.h"
#include "isthmus/Support/TosaResources.h"
#include "isthmus/Support/VerifyProgram.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

namespace {

/// `ml_program.func` is equivalent to `func.func`, in a dialect without calls.
void convertMlProgramFunctions(ModuleOp module) {
  for (auto program :
       llvm::make_early_inc_range(module.getOps<ml_program::FuncOp>())) {
    OpBuilder builder(program);
    auto func =
        func::FuncOp::create(builder, program.getLoc(), program.getName(),
                             program.getFunctionType());
    func.setVisibility(program.getVisibility());
    if (ArrayAttr attributes = program.getArgAttrsAttr())
      func.setArgAttrsAttr(attributes);
    if (ArrayAttr attributes = program.getResAttrsAttr())
      func.setResAttrsAttr(attributes);
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

/// Checks that indices are in bounds of an indexed dim of size `size`: an index
/// out of bounds ends the run. TOSA leaves the behavior undefined.
Value checkedIndices(OpBuilder &builder, Location loc, Value indices,
                     Value size) {
  auto type = cast<RankedTensorType>(indices.getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, indices);
  Value init =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  SmallVector<AffineMap> maps(2,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), indices, init, maps, iterators,
             [&](OpBuilder &body, Location, ValueRange elements) {
               ImplicitLocOpBuilder b(loc, body);
               Value index = arith::IndexCastOp::create(b, b.getIndexType(),
                                                        elements.front());
               // A negative number is large as an unsigned one.
               Value isInside = arith::CmpIOp::create(
                   b, arith::CmpIPredicate::ult, index, size);
               cf::AssertOp::create(
                   b, isInside,
                   nodePrefixOf(loc) +
                       "expected an index inside the dim it indexes");
               linalg::YieldOp::create(b, elements.front());
             })
      .getResult(0);
}

/// Checks the indices of gather and scatter, which become unchecked memory
/// accesses.
void guardIndices(ModuleOp module) {
  module.walk([](Operation *op) {
    auto gather = dyn_cast<tosa::GatherOp>(op);
    auto scatter = dyn_cast<tosa::ScatterOp>(op);
    if (!gather && !scatter)
      return;
    Value values = gather ? gather.getValues() : scatter.getValuesIn();
    OpOperand &indices =
        gather ? gather.getIndicesMutable() : scatter.getIndicesMutable();
    if (!isa<RankedTensorType>(values.getType()) ||
        !isa<RankedTensorType>(indices.get().getType()))
      return;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value size = getValueOrCreateConstantIndexOp(
        builder, loc, tensor::getMixedSize(builder, loc, values, 1));
    indices.set(checkedIndices(builder, loc, indices.get(), size));
  });
}

/// Converts ifs, loops and scatters to scf. MLIR's own pass fails on one nested
/// in the region of another, so inner ops are converted first here.
struct LowerTosaControlFlow
    : PassWrapper<LowerTosaControlFlow, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTosaControlFlow)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<scf::SCFDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    tosa::populateTosaToSCFConversionPatterns(&patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<tosa::IfOp, tosa::WhileOp, tosa::ScatterOp>(op))
        ops.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    config.enableFolding(false);
    for (Operation *op : ops)
      (void)applyOpPatternsGreedily(op, frozen, config);
  }
};

/// Decomposes softmax and other aggregate ops into simple ops.
LogicalResult decomposeAggregates(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::AggregatedOpInterface> aggregates;
  module.walk([&](linalg::AggregatedOpInterface op) {
    // Later stages use these ops themselves.
    if (!isa<linalg::PackOp, linalg::UnPackOp>(op))
      aggregates.push_back(op);
  });
  for (linalg::AggregatedOpInterface op : aggregates) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return op->emitError("expected an op that can be decomposed, got '")
             << op->getName() << "'";
    rewriter.replaceOp(op, *values);
  }
  return success();
}

/// True if an op takes a maximum or minimum of floats.
bool isExtremum(Operation *op) {
  auto linalg = dyn_cast<linalg::LinalgOp>(op);
  return linalg && llvm::any_of(*linalg.getBlock(), [](Operation &inner) {
           return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                      arith::MinNumFOp>(inner);
         });
}

/// MLIR's lowering of TOSA starts a maximum, and pads for it, with the lowest
/// finite number, which would be the maximum of infinities. Starts with the
/// infinity; the same for a minimum.
void startAtInfinity(ModuleOp module) {
  auto replace = [](OpOperand &number, Value result) {
    FloatAttr constant;
    if (!matchPattern(number.get(), m_Constant(&constant)) ||
        !constant.getValue().isLargest() ||
        !APFloat::semanticsHasInf(constant.getValue().getSemantics()) ||
        !llvm::all_of(result.getUsers(), isExtremum))
      return;
    APFloat infinity = APFloat::getInf(constant.getValue().getSemantics(),
                                       constant.getValue().isNegative());
    OpBuilder builder(number.getOwner());
    number.set(arith::ConstantOp::create(
        builder, number.getOwner()->getLoc(),
        builder.getFloatAttr(constant.getType(), infinity)));
  };
  module.walk([&](linalg::FillOp fill) {
    if (fill->getNumResults() == 1)
      replace(fill->getOpOperand(0), fill->getResult(0));
  });
  module.walk([&](tensor::PadOp pad) {
    replace(pad.getBody()->getTerminator()->getOpOperand(0), pad.getResult());
  });
}

/// Division by zero, and of the smallest integer by -1, would end the process:
/// the divisor becomes one instead, and the result is as undefined as before.
void guardDivisions(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
      return;
    Value dividend = op->getOperand(0), divisor = op->getOperand(1);
    Type type = divisor.getType();
    APInt constant;
    if (!type.isIntOrIndex() ||
        (matchPattern(divisor, m_ConstantInt(&constant)) &&
         !constant.isZero() && !constant.isAllOnes()))
      return;
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    auto value = [&](const APInt &bits) -> Value {
      return arith::ConstantOp::create(builder,
                                       builder.getIntegerAttr(type, bits));
    };
    auto equal = [&](Value left, Value right) -> Value {
      return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, left,
                                   right);
    };
    unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                    : type.getIntOrFloatBitWidth();
    Value bad = equal(divisor, value(APInt::getZero(width)));
    if (!isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) {
      Value overflows = arith::AndIOp::create(
          builder, equal(divisor, value(APInt::getAllOnes(width))),
          equal(dividend, value(APInt::getSignedMinValue(width))));
      bad = arith::OrIOp::create(builder, bad, overflows);
    }
    op->setOperand(1, arith::SelectOp::create(builder, bad,
                                              value(APInt(width, 1)), divisor));
  });
}

} // namespace

LogicalResult isthmus::enterLinalg(ModuleOp module) {
  convertMlProgramFunctions(module);

  PassManager pm(module.getContext());
  pm.enableVerifier(verifiesEachPass());
  bool isTosa = hasTosa(module);
  if (isTosa) {
    checkShapes(module);
    guardIndices(module);
    hideTosaResources(module);
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
    // Must precede the next pass, which treats a tosa.scatter as an op without
    // a lowering.
    funcs.addPass(std::make_unique<LowerTosaControlFlow>());
    funcs.addPass(tosa::createTosaToLinalg());
    funcs.addPass(createTosaToTensorPass());
    TosaToArithPassOptions arith;
    arith.includeApplyRescale = true;
    funcs.addPass(createTosaToArithPass(arith));
  }
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  if (failed(pm.run(module)))
    return failure();
  showTosaResources(module,
                    [](OpBuilder &builder, Location loc,
                       DenseResourceElementsAttr elements) -> Value {
                      return arith::ConstantOp::create(builder, loc, elements);
                    });
  guardDivisions(module);
  if (failed(storeSmallFloatsAsBytes(module)))
    return failure();
  if (isTosa) {
    startAtInfinity(module);
    // MLIR's lowering of TOSA relies on the types of operands and results being
    // consistent.
    if (failed(verify(module)))
      return failure();
    checkShapes(module);
  }
  hoistAssertions(module);
  return decomposeAggregates(module);
}
