//===- TargetPipelines.cpp - The torch backend contract to each target ----===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace isthmus;

void isthmus::buildTorchToTargetPipeline(OpPassManager &manager, Target target,
                                         ArrayRef<std::string> legalOps) {
  if (target == Target::Torch)
    return;
  TorchDecomposeComplexOpsOptions decomposition;
  for (StringRef kept : keptOps(target))
    decomposition.legalOps.push_back(kept.str());
  llvm::append_range(decomposition.legalOps, legalOps);
  manager.addPass(createTorchDecomposeComplexOps(decomposition));
#ifdef ISTHMUS_WITH_MHLO
  if (target == Target::Mhlo || target == Target::Stablehlo)
    manager.addPass(createConvertTorchToMhlo());
#endif
  manager.addPass(createCSEPass());
#ifdef ISTHMUS_WITH_MHLO
  if (target == Target::Stablehlo)
    manager.addPass(createMhloToStablehlo());
#endif
}
