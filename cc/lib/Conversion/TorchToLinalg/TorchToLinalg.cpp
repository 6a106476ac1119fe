//===- TorchToLinalg.cpp - ATen to linalg on tensors ----------------------===//

#include "Families.h"
#include "isthmus/Conversion/TorchLowering.h"
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

void isthmus::populateTorchToLinalg(const TypeConverter &types,
                                    RewritePatternSet &patterns,
                                    UnsupportedOps &unsupported) {
#define FAMILY(NAME)                                                           \
  torch_to_linalg::populate##NAME(types, patterns, unsupported);
#include "Families.def"
#undef FAMILY
}

namespace {

Value arithConstant(OpBuilder &builder, Location loc, TypedAttr value) {
  return arith::ConstantOp::create(builder, loc, value);
}

struct ConvertTorchToLinalg
    : isthmus::impl::ConvertTorchToLinalgBase<ConvertTorchToLinalg> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TorchTypeConverter types(TorchTypeConverter::Scalars::Builtin,
                             arithConstant);
    UnsupportedOps unsupported;
    RewritePatternSet patterns(context);
    populateTorchToLinalg(types, patterns, unsupported);
    ConversionTarget target(*context);
    target.addLegalDialect<arith::ArithDialect, cf::ControlFlowDialect,
                           complex::ComplexDialect, linalg::LinalgDialect,
                           math::MathDialect, scf::SCFDialect,
                           tensor::TensorDialect>();
    if (failed(lowerTorch(getOperation(), types, std::move(patterns), target,
                          unsupported, "linalg")))
      signalPassFailure();
  }
};

} // namespace
