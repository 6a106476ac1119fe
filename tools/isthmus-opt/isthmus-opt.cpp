//===- isthmus-opt.cpp - mlir-opt with the dialects and passes of Isthmus -===//

#include "isthmus/Conversion/Passes.h"
#include "isthmus/Dialect/Onnx/Onnx.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Dialect/Torch/TorchConversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#ifdef ISTHMUS_WITH_ONNX
#include "OptimizeOnnx.h"
#endif

#ifdef ISTHMUS_WITH_MHLO
#include "isthmus/Dialect/Mhlo/Mhlo.h"
#include "isthmus/Dialect/Mhlo/Stablehlo.h"
#endif

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect>();
  registry.insert<isthmus::onnx::OnnxDialect>();
  registry.insert<isthmus::torch::TorchDialect, isthmus::torch_c::TorchConversionDialect>();

#ifdef ISTHMUS_WITH_MHLO
  registry.insert<isthmus::mhlo::MhloDialect>();
  registry.insert<isthmus::stablehlo::StablehloDialect>();
  isthmus::registerMhloToStablehlo();
#endif

  mlir::registerTransformsPasses();

  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Isthmus optimizer driver\n", registry);
#ifdef ISTHMUS_WITH_ONNX
  if (llvm::StringRef(input).ends_with(".onnx"))
    return mlir::asMainReturnCode(optimizeOnnx(input, output, registry));
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
