//===- TargetPipelines.cpp - The torch backend contract to each target ----===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Pipelines/Pipelines.h"

using namespace mlir;
using namespace isthmus;

/// Carries the ops of `carried`, though they may have a lowering. Lowers the
/// others, but for those of `fallback` that have none, which are carried too.
static void addTarget(OpPassManager &manager, Target target,
                      ArrayRef<std::string> carried,
                      ArrayRef<std::string> fallback,
                      const TargetPipelineOptions &options) {
  auto carrying = [&](auto pass) {
    llvm::append_range(pass.ops, carried);
    pass.customOpEncoding = options.customOpEncoding;
    return pass;
  };
  auto lowering = [&](auto pass) {
    llvm::append_range(pass.customOps, fallback);
    pass.customOpEncoding = options.customOpEncoding;
    return pass;
  };
  // Before anything is simplified: what a backend asked for is not to be folded
  // into something else.
  auto add = [&](std::unique_ptr<Pass> carry, std::unique_ptr<Pass> lower) {
    if (!carried.empty())
      manager.addPass(std::move(carry));
    manager.addPass(createSimplifyTorch());
    manager.addPass(std::move(lower));
  };
  switch (target) {
  case Target::Torch:
    break;
  case Target::Linalg:
#ifdef ISTHMUS_WITH_LINALG
    add(createConvertTorchBackendLegalToLinalgCall(
            carrying(ConvertTorchBackendLegalToLinalgCallOptions())),
        createConvertTorchToLinalg(lowering(ConvertTorchToLinalgOptions())));
#endif
    break;
  case Target::Tosa: {
#ifdef ISTHMUS_WITH_TOSA
    auto carry = carrying(ConvertTorchBackendLegalToTosaCustomOptions());
    auto lower = lowering(ConvertTorchToTosaOptions());
    carry.narrowF64 = lower.narrowF64 = options.narrowF64;
    add(createConvertTorchBackendLegalToTosaCustom(carry),
        createConvertTorchToTosa(lower));
    manager.addPass(createTosaSimplifyLayout());
#endif
    break;
  }
  case Target::Mhlo:
  case Target::Stablehlo:
#ifdef ISTHMUS_WITH_MHLO
    add(createConvertTorchBackendLegalToMhloCustomCall(
            carrying(ConvertTorchBackendLegalToMhloCustomCallOptions())),
        createConvertTorchToMhlo(lowering(ConvertTorchToMhloOptions())));
    if (target == Target::Stablehlo)
      manager.addPass(createMhloToStablehlo());
#endif
    break;
  }
}

void isthmus::buildTorchToTargetPipeline(OpPassManager &manager, Target target,
                                         const TargetPipelineOptions &options) {
  if (options.keepsBuffersInGlobals())
    manager.addPass(createBuffersToArguments());
  if (!options.outline.empty()) {
    OutlineCustomOpsOptions outlining;
    llvm::append_range(outlining.names, options.outline);
    manager.addPass(createOutlineCustomOps(outlining));
  }
  if (!options.outlinePatterns.empty()) {
    OutlinePatternsOptions patterns;
    llvm::append_range(patterns.files, options.outlinePatterns);
    // As the patterns, which compute nothing twice.
    manager.addPass(createMergeEqualOps());
    manager.addPass(createOutlinePatterns(patterns));
  }
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
    llvm::append_range(decomposition.legalOps, options.backendLegalOps);
    llvm::append_range(decomposition.legalOps, named);
    // Any op is one of the torch dialect.
    decomposition.leaveUnsupported = carriesRest || target == Target::Torch;
    manager.addPass(createTorchDecomposeComplexOps(decomposition));
  }
  if (target == Target::Torch) {
    manager.addPass(createUseSharedTorchOps());
    return;
  }
  std::vector<std::string> fallback = options.backendLegalOps;
  if (carriesRest)
    fallback.push_back(kUnsupportedOps.str());
  if (carriesAll)
    named = {kAllOps.str()};
  addTarget(manager, target, named, fallback, options);
  manager.addPass(createMergeEqualOps());
  if (options.keepsBuffersInGlobals())
    manager.addPass(createBuffersToGlobals());
}
