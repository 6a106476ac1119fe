//===- TargetPipelines.cpp - The torch backend contract to each target ----===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

void isthmus::buildTorchToTargetPipeline(OpPassManager &manager, Target target,
                                         const TargetPipelineOptions &options) {
  if (target == Target::Torch)
    return;
  if (options.buffersToGlobals)
    manager.addPass(createBuffersToArguments());
  TorchDecomposeComplexOpsOptions decomposition;
  for (StringRef kept : keptOps(target))
    decomposition.legalOps.push_back(kept.str());
  llvm::append_range(decomposition.legalOps, options.legalOps);
  manager.addPass(createTorchDecomposeComplexOps(decomposition));
  manager.addPass(createSimplifyTorch());
  switch (target) {
  case Target::Torch:
    break;
  case Target::Linalg:
#ifdef ISTHMUS_WITH_LINALG
    manager.addPass(createConvertTorchToLinalg());
#endif
    break;
  case Target::Tosa:
#ifdef ISTHMUS_WITH_TOSA
    manager.addPass(createConvertTorchToTosa({options.narrowF64}));
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createTosaSimplifyLayout());
#endif
    break;
  case Target::Mhlo:
  case Target::Stablehlo:
#ifdef ISTHMUS_WITH_MHLO
    manager.addPass(createConvertTorchToMhlo());
    if (target == Target::Stablehlo)
      manager.addPass(createMhloToStablehlo());
#endif
    break;
  }
  manager.addPass(createCSEPass());
  if (options.buffersToGlobals)
    manager.addPass(createBuffersToGlobals());
}
