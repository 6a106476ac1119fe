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
  manager.addPass(createCSEPass());
}
