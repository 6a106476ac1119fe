//===- TorchTarget.cpp - The torch dialect as a target --------------------===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Conversion/Target.h"
#include "isthmus/Dialect/Sdy/Sdy.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"

using namespace mlir;
using namespace isthmus;

namespace {

class TorchTarget final : public Target {
public:
  StringRef getName() const override { return "torch"; }
  bool staysInTorch() const override { return true; }

  void addDialects(DialectSet &dialects) const override {
    dialects.addOwn<torch::TorchDialect, torch_c::TorchConversionDialect,
                    sdy::SdyDialect>();
  }

  void populatePatterns(const TorchTypeConverter &, RewritePatternSet &,
                        UnsupportedOps &) const override {}

  void addCarrying(OpPassManager &, ArrayRef<std::string>,
                   const TargetPipelineOptions &) const override {}

  void addLowering(OpPassManager &manager, ArrayRef<std::string>,
                   const TargetPipelineOptions &) const override {
    manager.addPass(createUseSharedTorchOps());
  }

  bool isReadByIree() const override { return true; }
  ConstantForm getConstantForm() const override {
    return {"torch.vtensor.literal", "value"};
  }
};

RegisterTarget<TorchTarget> registered;

} // namespace
