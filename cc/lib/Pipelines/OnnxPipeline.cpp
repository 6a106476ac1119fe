//===- OnnxPipeline.cpp - ONNX to the torch backend contract --------------===//

#ifdef ISTHMUS_WITH_ONNX

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Pipelines/Pipelines.h"

using namespace mlir;

void isthmus::buildOnnxToTorchPipeline(OpPassManager &manager,
                                       ArrayRef<std::string> customOps,
                                       ArrayRef<std::string> outline,
                                       const std::string &deviceConfiguration) {
  ApplyDeviceConfigurationOptions devices;
  devices.name = deviceConfiguration;
  manager.addPass(createApplyDeviceConfiguration(devices));
  ConvertOnnxToTorchOptions conversion;
  llvm::append_range(conversion.customOps, customOps);
  manager.addPass(createConvertOnnxToTorch(conversion));
  manager.addNestedPass<func::FuncOp>(createConvertFunctionTypesToTorchTypes());
  manager.addPass(createFinalizeTorchTypeConversion());
  manager.addPass(createEraseOnnxEntryPoint());
  manager.addPass(createVerifyTorchBackendContract());
  // Before equal nodes of two calls are merged.
  if (!outline.empty()) {
    OutlineCustomOpsOptions outlining;
    llvm::append_range(outlining.names, outline);
    manager.addPass(createOutlineCustomOps(outlining));
  }
  manager.addPass(createMergeEqualOps());
}

#endif // ISTHMUS_WITH_ONNX
