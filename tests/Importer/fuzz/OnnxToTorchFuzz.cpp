//===- OnnxToTorchFuzz.cpp - Conversion against any model -----------------===//
//
//   tools/fuzz OnnxToTorch
//
// For any model, --convert-onnx-to-torch-pipeline produces a module that
// verifies, or an error; with the shardings of its first device configuration,
// if it has one.
//
//===----------------------------------------------------------------------===//

#include "FuzzedOnnx.h"
#include "ProtobufMutator.h"
#include "isthmus/Pipelines/Pipelines.h"

ISTHMUS_FUZZ_MUTATOR(isthmus::fuzz::changeProtobuf)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzModel(data, size, importFuzzedOnnx, [](mlir::ModuleOp module) {
    mlir::PassManager passes(module.getContext());
    auto listed = module->getAttrOfType<mlir::DictionaryAttr>(
        "onnx.device_configurations");
    isthmus::buildOnnxToTorchPipeline(passes, /*customOps=*/{}, /*outline=*/{},
                                      listed ? listed.begin()->getName().str()
                                             : "");
    return succeeded(passes.run(module));
  });
  return 0;
}
