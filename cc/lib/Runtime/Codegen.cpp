//===- Codegen.cpp - The order of the stages ------------------------------===//

#include "Codegen.h"
#include "Parallel.h"

using namespace mlir;
using namespace isthmus;

LogicalResult isthmus::generateCode(ModuleOp module, const JitOptions &options,
                                    const Machine &machine,
                                    ConstantTable &constants,
                                    Evaluator evaluate) {
  auto done = [&](StringRef stage) -> LogicalResult {
    if (options.observer)
      options.observer(stage, module);
    if (options.interrupted && options.interrupted())
      return module.emitError("interrupted");
    return success();
  };
  return success(
      succeeded(enterLinalg(module)) && succeeded(done("linalg")) &&
      succeeded(hoistConstants(module, options, constants)) &&
      (sliceConstants(module, constants), true) &&
      (evaluate ? evaluateConstants(module, constants, evaluate) : void(),
       true) &&
      succeeded(done("constants")) && (putChannelsLast(module), true) &&
      succeeded(done("layout")) &&
      (fuseElementwise(module), fillSplats(module), true) &&
      succeeded(done("fusion")) &&
      succeeded(packWeights(module, machine, constants)) &&
      (packOperands(module, machine), true) &&
      succeeded(distribute(module, machine)) && succeeded(done("tiles")) &&
      succeeded(bufferize(module)) && (freeLoopBuffers(module), true) &&
      (!options.checkBounds || succeeded(assertBounds(module))) &&
      succeeded(done("buffers")) && (outlineParallelLoops(module), true) &&
      (lowerStridedCopies(module), outlineLoops(module), true) &&
      (options.interrupted ? insertPolls(module) : void(), true) &&
      succeeded(done("loops")) && succeeded(vectorize(module, machine)) &&
      succeeded(done("vectors")) && succeeded(assertAllocations(module)) &&
      (insertDeallocations(module), lowerAssertions(module),
       outlineControlFlow(module), true) &&
      succeeded(lowerToLlvm(module)) && succeeded(done("llvm")));
}
