//===- Target.cpp - Linalg on tensors as a target -------------------------===//

#include "isthmus/Conversion/Target.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExt.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace isthmus;

namespace {

class LinalgTarget final : public Target {
public:
  StringRef getName() const override { return "linalg"; }

  void addDialects(DialectSet &dialects) const override {
    dialects.addOthers<
        arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect,
        iree_linalg_ext::IreeLinalgExtDialect, linalg::LinalgDialect,
        math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
  }

  void registerPasses() const override {
    registerConvertTorchBackendLegalToLinalgCall();
    registerConvertTorchToLinalg();
  }

  void populatePatterns(const TorchTypeConverter &types,
                        RewritePatternSet &patterns,
                        UnsupportedOps &unsupported) const override {
    populateTorchToLinalg(types, patterns, unsupported);
  }

  ArrayRef<StringRef> getKeptOps() const override {
    // Its decomposition would copy a matrix for each row.
    static constexpr StringRef ops[] = {"aten._grouped_mm"};
    return ops;
  }

  void addCarrying(OpPassManager &manager, ArrayRef<std::string> ops,
                   const TargetPipelineOptions &options) const override {
    auto pass = makeCarryOptions<ConvertTorchBackendLegalToLinalgCallOptions>(
        ops, options);
    manager.addPass(createConvertTorchBackendLegalToLinalgCall(pass));
  }

  void addLowering(OpPassManager &manager, ArrayRef<std::string> customOps,
                   const TargetPipelineOptions &options) const override {
    auto pass =
        makeLoweringOptions<ConvertTorchToLinalgOptions>(customOps, options);
    pass.consumer = options.consumer;
    manager.addPass(createConvertTorchToLinalg(pass));
  }

  ConstantForm getConstantForm() const override {
    return {"arith.constant", "value"};
  }
  bool hasSizesFromData() const override { return true; }
  bool isReadByIree() const override { return true; }

  std::optional<FailureOr<custom_ops::Identity>>
  identify(Operation *op) const override {
    auto call = dyn_cast<func::CallOp>(op);
    auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                             call, call.getCalleeAttr())
                       : func::FuncOp();
    auto says =
        callee && callee.isExternal()
            ? callee->getAttrOfType<DictionaryAttr>(custom_ops::kFunctionAttr)
            : DictionaryAttr();
    if (!says)
      return std::nullopt; // a function with a body is defined by it
    auto domain = says.getAs<StringAttr>("domain");
    auto name = says.getAs<StringAttr>("name");
    auto text = says.getAs<StringAttr>("attributes");
    if (!domain || !name || !text)
      return FailureOr<custom_ops::Identity>(
          custom_ops::mistake(op, call.getCallee())
          << "expected '" << custom_ops::kFunctionAttr
          << "' to say 'domain', 'name' and 'attributes'");
    return custom_ops::readIdentity(op, domain, name, text,
                                    /*hasScalars=*/true);
  }
};

RegisterTarget<LinalgTarget> registered;

} // namespace
