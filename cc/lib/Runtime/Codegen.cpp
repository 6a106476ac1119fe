//===- Codegen.cpp - The order of the stages ------------------------------===//

#include "Codegen.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace isthmus;

void isthmus::registerJitDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

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
