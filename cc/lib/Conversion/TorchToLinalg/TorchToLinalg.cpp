//===- TorchToLinalg.cpp - ATen to linalg on tensors ----------------------===//

#include "CustomOps.h"
#include "Families.h"
#include "LinalgTypeConverter.h"
#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#define GEN_PASS_DEF_CONVERTTORCHTOLINALG
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

void isthmus::populateTorchToLinalg(const TorchTypeConverter &types,
                                    RewritePatternSet &patterns,
                                    UnsupportedOps &unsupported) {
  torch_to_linalg::LinalgLowerings lowerings(types, patterns, unsupported);
#define FAMILY(NAME) torch_to_linalg::populate##NAME(lowerings);
#include "Families.def"
#undef FAMILY
}

static Value buildConstant(OpBuilder &builder, Location loc, TypedAttr value) {
  return arith::ConstantOp::create(builder, loc, value);
}

torch_to_linalg::LinalgTypeConverter::LinalgTypeConverter(Consumer consumer)
    : TorchTypeConverter(Scalars::Builtin, buildConstant), consumer(consumer) {}

/// Warns of loops that carry tensors of open sizes, at the first of them.
static void warnOfOpenLoops(ModuleOp module) {
  SmallVector<LoopLikeOpInterface> loops;
  module.walk([&](LoopLikeOpInterface loop) {
    if (llvm::any_of(loop->getResultTypes(), [](Type type) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          return tensor && !tensor.hasStaticShape();
        }))
      loops.push_back(loop);
  });
  if (!loops.empty())
    loops.front()->emitWarning()
        << "expected loops with tensors of known sizes, as IREE 3.13 computes "
           "some others wrongly, got "
        << loops.size()
        << " with open ones; specialize the sizes, or compare the results";
}

namespace {

struct ConvertTorchToLinalg
    : isthmus::impl::ConvertTorchToLinalgBase<ConvertTorchToLinalg> {
  using ConvertTorchToLinalgBase::ConvertTorchToLinalgBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    using torch_to_linalg::Consumer;
    if (consumer != "any" && consumer != "iree") {
      emitError(getOperation().getLoc())
          << "consumer: expected 'any' or 'iree', got '" << consumer << "'";
      return signalPassFailure();
    }
    torch_to_linalg::LinalgTypeConverter types(
        consumer == "iree" ? Consumer::Iree : Consumer::Any);
    FailureOr<custom_ops::Request> carried = custom_ops::Request::parseFallback(
        getOperation(), customOps, customOpEncoding);
    if (failed(carried))
      return signalPassFailure();
    torch_to_linalg::CustomOpWriter writer(getOperation());
    UnsupportedOps unsupported;
    RewritePatternSet patterns(context);
    populateTorchToLinalg(types, patterns, unsupported);
    custom_ops::populateCarry(types, patterns, unsupported, *carried, writer,
                              /*benefit=*/0);
    ConversionTarget target(*context);
    target.addLegalDialect<
        arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect,
        iree_linalg_ext::IreeLinalgExtDialect, linalg::LinalgDialect,
        math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
    if (failed(lowerTorch(getOperation(), types, std::move(patterns), target,
                          unsupported, "linalg")))
      return signalPassFailure();
    if (consumer == "iree")
      warnOfOpenLoops(getOperation());
  }
};

} // namespace
