//===- OnnxPipeline.cpp - ONNX to the torch backend contract --------------===//

#ifdef ISTHMUS_WITH_ONNX

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void isthmus::buildOnnxToTorchPipeline(OpPassManager &manager,
                                       ArrayRef<std::string> customOps) {
  ConvertOnnxToTorchOptions conversion;
  llvm::append_range(conversion.customOps, customOps);
  manager.addPass(createConvertOnnxToTorch(conversion));
  manager.addNestedPass<func::FuncOp>(createConvertFunctionTypesToTorchTypes());
  manager.addPass(createFinalizeTorchTypeConversion());
  manager.addPass(createEraseOnnxEntryPoint());
  manager.addPass(createCSEPass());
  manager.addPass(createVerifyTorchBackendContract());
}

#endif // ISTHMUS_WITH_ONNX
