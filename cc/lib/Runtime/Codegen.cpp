//===- Codegen.cpp - The order of the stages ------------------------------===//

#include "Codegen.h"

using namespace mlir;
using namespace isthmus;

LogicalResult isthmus::generateCode(ModuleOp module, const JitOptions &options,
                                    ConstantTable &constants) {
  auto done = [&](StringRef stage) {
    if (options.observer)
      options.observer(stage, module);
    return success();
  };
  return success(succeeded(enterLinalg(module)) &&
                 succeeded(done("linalg")) &&
                 succeeded(hoistConstants(module, options, constants)) &&
                 succeeded(done("constants")) &&
                 succeeded(bufferize(module)) &&
                 succeeded(done("buffers")) &&
                 (insertDeallocations(module), lowerAssertions(module), true) &&
                 succeeded(lowerToLlvm(module)) &&
                 succeeded(done("llvm")));
}
