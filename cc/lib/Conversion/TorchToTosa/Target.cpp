//===- Target.cpp - TOSA as a target --------------------------------------===//

#include "isthmus/Conversion/Target.h"
#include "isthmus/Conversion/Passes.h"
#include "isthmus/Conversion/TosaFile.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

namespace {

class TosaTarget final : public Target {
public:
  StringRef getName() const override { return "tosa"; }

  void addDialects(DialectSet &dialects) const override {
    dialects.addOthers<tosa::TosaDialect>();
  }

  void registerPasses() const override {
    registerConvertTorchBackendLegalToTosaCustom();
    registerConvertTorchToTosa();
    registerLimitTorchRank();
    registerQuantizedTorchToTosa();
    registerTosaSimplifyLayout();
    tosa::registerTosaPasses();
  }

  void populatePatterns(const TorchTypeConverter &types,
                        RewritePatternSet &patterns,
                        UnsupportedOps &unsupported) const override {
    populateTorchToTosa(types, patterns, unsupported);
  }

  void addCarrying(OpPassManager &manager, ArrayRef<std::string> ops,
                   const TargetPipelineOptions &options) const override {
    auto pass = makeCarryOptions<ConvertTorchBackendLegalToTosaCustomOptions>(
        ops, options);
    pass.narrowF64 = options.narrowF64;
    manager.addPass(createConvertTorchBackendLegalToTosaCustom(pass));
  }

  void addPreparation(OpPassManager &manager, ArrayRef<std::string> legalOps,
                      const TargetPipelineOptions &options) const override {
    if (options.quantized == "floats")
      return;
    QuantizedTorchToTosaOptions pass;
    llvm::append_range(pass.legalOps, legalOps);
    manager.addPass(createQuantizedTorchToTosa(pass));
  }

  void addLowering(OpPassManager &manager, ArrayRef<std::string> customOps,
                   const TargetPipelineOptions &options) const override {
    manager.addPass(createLimitTorchRank());
    auto pass =
        makeLoweringOptions<ConvertTorchToTosaOptions>(customOps, options);
    pass.narrowF64 = options.narrowF64;
    manager.addPass(createConvertTorchToTosa(pass));
    manager.addPass(createTosaSimplifyLayout());
  }

  ConstantForm getConstantForm() const override {
    return {"tosa.const", "values"};
  }
  bool isReadByIree() const override { return true; }

  StringRef getFileFormat() const override { return "tosa"; }
  LogicalResult writeFile(ModuleOp module, raw_ostream &os) const override {
    return writeTosaFile(module, os);
  }

  std::optional<FailureOr<custom_ops::Identity>>
  identify(Operation *op) const override {
    auto custom = dyn_cast<tosa::CustomOp>(op);
    if (!custom)
      return std::nullopt;
    // Custom ops of others have another domain and another attribute format.
    StringRef attributes = custom.getImplementationAttrs();
    if (custom.getDomainName() != custom_ops::kTorchDomain &&
        !attributes.contains("\"arguments\""))
      return std::nullopt;
    return custom_ops::readIdentity(op, custom.getDomainName(),
                                    custom.getOperatorName(), attributes,
                                    /*hasScalars=*/false);
  }
};

RegisterTarget<TosaTarget> registered;

} // namespace
