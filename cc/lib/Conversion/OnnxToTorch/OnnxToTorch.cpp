//===- OnnxToTorch.cpp - The convert-onnx-to-torch pass -------------------===//

#include "isthmus/Conversion/OnnxToTorch.h"
#include "Families.h"
#include "GraphConversion.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"

#define GEN_PASS_DEF_CONVERTONNXTOTORCH
#include "isthmus/Conversion/Passes.h"

using namespace mlir;
using namespace isthmus;

const OnnxToTorchLowerings::Function *
OnnxToTorchLowerings::find(StringRef opName) const {
  auto found = functions.find(opName);
  return found == functions.end() ? nullptr : &found->second;
}

void isthmus::populateOnnxToTorch(OnnxToTorchLowerings &lowerings) {
#define FAMILY(NAME) onnx_to_torch::populate##NAME(lowerings);
#include "Families.def"
#undef FAMILY
}

namespace {
struct ConvertOnnxToTorch
    : isthmus::impl::ConvertOnnxToTorchBase<ConvertOnnxToTorch> {
  using ConvertOnnxToTorchBase::ConvertOnnxToTorchBase;

  void runOnOperation() override {
    OnnxToTorchLowerings lowerings;
    populateOnnxToTorch(lowerings);
    KeptNodes kept(customOps);
    UnsupportedOps unsupported;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() &&
          failed(GraphConversion(lowerings, kept, unsupported).convert(func)))
        signalPassFailure();
  }
};
} // namespace
