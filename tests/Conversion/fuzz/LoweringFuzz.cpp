//===- LoweringFuzz.cpp - Every target against any valid program ----------===//
//
//   tools/fuzz Lowering
//
// Any valid text of onnx and torch ops is lowered to each target as a module
// that verifies, or there is an error.
//
//===----------------------------------------------------------------------===//

#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "isthmus/Support/VerifyProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tests/Importer/fuzz/FuzzedModel.h"
#include "tests/support/fuzz/ParsedText.h"
#include "tests/support/fuzz/TextMutator.h"

#ifdef ISTHMUS_WITH_ONNX
#include "isthmus/Dialect/Onnx/Onnx.h"
#endif

using namespace mlir;
using namespace isthmus;

static OwningOpRef<ModuleOp> parse(std::shared_ptr<llvm::MemoryBuffer> buffer,
                                   MLIRContext *context) {
  context->loadDialect<func::FuncDialect, isthmus::torch::TorchDialect>();
#ifdef ISTHMUS_WITH_ONNX
  context->loadDialect<onnx::OnnxDialect>();
#endif
  return fuzz::parseText(buffer->getBuffer(), context);
}

static bool isOnnx(ModuleOp module) {
  auto visit = [](Operation *op) {
    return WalkResult(success(op->getName().getDialectNamespace() != "onnx"));
  };
  return module.walk(visit).wasInterrupted();
}

static bool run(ModuleOp module,
                llvm::function_ref<void(OpPassManager &)> build) {
  PassManager passes(module.getContext());
  build(passes);
  return succeeded(passes.run(module)) && succeeded(verifyProgram(module));
}

static bool lower(ModuleOp module) {
  if (isOnnx(module) && !run(module, [](OpPassManager &passes) {
        buildOnnxToTorchPipeline(passes);
      }))
    return false;
  bool lowers = true;
  for (const Target *target : targets()) {
    OwningOpRef<ModuleOp> lowered(module.clone());
    lowers &= run(*lowered, [&](OpPassManager &passes) {
      buildTorchToTargetPipeline(passes, *target);
    });
  }
  return lowers;
}

ISTHMUS_FUZZ_MUTATOR(fuzz::changeText)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, parse, lower);
  return 0;
}
