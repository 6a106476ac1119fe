//===- TargetPipelines.cpp - The torch backend contract to each target ----===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Pipelines/Pipelines.h"

using namespace mlir;
using namespace isthmus;

void isthmus::buildTorchToTargetPipeline(OpPassManager &manager,
                                         const Target &target,
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
    // As in the patterns, which compute nothing twice.
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
    std::vector<std::string> requested = options.backendLegalOps;
    llvm::append_range(requested, named);
    target.addPreparation(manager, requested, options);
    TorchDecomposeComplexOpsOptions decomposition;
    for (StringRef kept : target.getKeptOps())
      decomposition.keptOps.push_back(kept.str());
    llvm::append_range(decomposition.legalOps, requested);
    // Any op of the torch dialect is accepted.
    decomposition.leaveUnsupported = carriesRest || target.staysInTorch();
    manager.addPass(createTorchDecomposeComplexOps(decomposition));
  }
  if (target.staysInTorch()) {
    target.addLowering(manager, /*customOps=*/{}, options);
    return;
  }
  // Before simplification: an op that a backend selected must not be folded
  // into another.
  if (carriesAll)
    target.addCarrying(manager, kAllOps.str(), options);
  else if (!named.empty())
    target.addCarrying(manager, named, options);
  SimplifyTorchOptions simplify;
  simplify.hasSizesFromData = target.hasSizesFromData();
  manager.addPass(createSimplifyTorch(simplify));
  std::vector<std::string> fallback = options.backendLegalOps;
  if (carriesRest)
    fallback.push_back(kUnsupportedOps.str());
  target.addLowering(manager, fallback, options);
  manager.addPass(createMergeEqualOps());
  ShardProgramOptions shard;
  shard.mesh = options.mesh;
  llvm::append_range(shard.shardings, options.sharding);
  shard.isWhole = !target.isPartitioned();
  manager.addPass(createShardProgram(shard));
  if (options.keepsBuffersInGlobals())
    manager.addPass(createBuffersToGlobals());
}
