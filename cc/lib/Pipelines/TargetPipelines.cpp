//===- TargetPipelines.cpp - The torch backend contract to each target ----===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

/// Carries ops that may have a lowering.
static void addCarrying(OpPassManager &manager, Target target,
                        ArrayRef<std::string> names,
                        const TargetPipelineOptions &options) {
  auto configure = [&](auto pass) {
    llvm::append_range(pass.ops, names);
    pass.encoding = options.customOpEncoding;
    return pass;
  };
  switch (target) {
  case Target::Torch:
    break;
  case Target::Linalg:
#ifdef ISTHMUS_WITH_LINALG
    manager.addPass(createConvertTorchBackendLegalToLinalgCall(
        configure(ConvertTorchBackendLegalToLinalgCallOptions())));
#endif
    break;
  case Target::Tosa: {
#ifdef ISTHMUS_WITH_TOSA
    auto pass = configure(ConvertTorchBackendLegalToTosaCustomOptions());
    pass.narrowF64 = options.narrowF64;
    manager.addPass(createConvertTorchBackendLegalToTosaCustom(pass));
#endif
    break;
  }
  case Target::Mhlo:
  case Target::Stablehlo:
#ifdef ISTHMUS_WITH_MHLO
    manager.addPass(createConvertTorchBackendLegalToMhloCustomCall(
        configure(ConvertTorchBackendLegalToMhloCustomCallOptions())));
#endif
    break;
  }
}

/// Lowers; carries those of `names` that have no lowering.
static void addLowering(OpPassManager &manager, Target target,
                        ArrayRef<std::string> names,
                        const TargetPipelineOptions &options) {
  auto configure = [&](auto pass) {
    llvm::append_range(pass.customOps, names);
    pass.encoding = options.customOpEncoding;
    return pass;
  };
  switch (target) {
  case Target::Torch:
    break;
  case Target::Linalg:
#ifdef ISTHMUS_WITH_LINALG
    manager.addPass(
        createConvertTorchToLinalg(configure(ConvertTorchToLinalgOptions())));
#endif
    break;
  case Target::Tosa: {
#ifdef ISTHMUS_WITH_TOSA
    auto pass = configure(ConvertTorchToTosaOptions());
    pass.narrowF64 = options.narrowF64;
    manager.addPass(createConvertTorchToTosa(pass));
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createTosaSimplifyLayout());
#endif
    break;
  }
  case Target::Mhlo:
  case Target::Stablehlo:
#ifdef ISTHMUS_WITH_MHLO
    manager.addPass(
        createConvertTorchToMhlo(configure(ConvertTorchToMhloOptions())));
    if (target == Target::Stablehlo)
      manager.addPass(createMhloToStablehlo());
#endif
    break;
  }
}

void isthmus::buildTorchToTargetPipeline(OpPassManager &manager, Target target,
                                         const TargetPipelineOptions &options) {
  if (options.buffersToGlobals)
    manager.addPass(createBuffersToArguments());
  bool carriesAll = llvm::is_contained(options.customOps, kAllOps);
  bool carriesRest = llvm::is_contained(options.customOps, kUnsupportedOps);
  std::vector<std::string> named;
  llvm::copy_if(options.customOps, std::back_inserter(named),
                [](StringRef name) {
                  return name != kAllOps && name != kUnsupportedOps;
                });

  if (!carriesAll) {
    TorchDecomposeComplexOpsOptions decomposition;
    for (StringRef kept : keptOps(target))
      decomposition.legalOps.push_back(kept.str());
    llvm::append_range(decomposition.legalOps, options.legalOps);
    llvm::append_range(decomposition.legalOps, named);
    // Any op is one of the torch dialect.
    decomposition.leaveUnsupported = carriesRest || target == Target::Torch;
    manager.addPass(createTorchDecomposeComplexOps(decomposition));
  }
  if (target == Target::Torch) {
    manager.addPass(createUseSharedTorchOps());
    return;
  }
  // Before anything is simplified: what a backend asked for is not to be folded
  // into something else.
  if (carriesAll)
    addCarrying(manager, target, {kAllOps.str()}, options);
  else if (!named.empty())
    addCarrying(manager, target, named, options);
  manager.addPass(createSimplifyTorch());
  std::vector<std::string> fallback = options.legalOps;
  if (carriesRest)
    fallback.push_back(kUnsupportedOps.str());
  addLowering(manager, target, fallback, options);
  manager.addPass(createCSEPass());
  if (options.buffersToGlobals)
    manager.addPass(createBuffersToGlobals());
}
