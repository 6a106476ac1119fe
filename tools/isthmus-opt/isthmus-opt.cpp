//===- isthmus-opt.cpp - mlir-opt with the dialects and passes of Isthmus -===//

#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#ifdef ISTHMUS_WITH_ONNX
#include "OptimizeOnnx.h"
#endif

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  isthmus::registerDialects(registry);
  isthmus::registerPasses();

  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Isthmus optimizer driver\n", registry);
#ifdef ISTHMUS_WITH_ONNX
  if (llvm::StringRef(input).ends_with(".onnx"))
    return mlir::asMainReturnCode(optimizeOnnx(input, output, registry));
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
