//===- isthmus-opt.cpp - mlir-opt with the dialects and passes of Isthmus -===//

#include "OptimizeModel.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  llvm::cantFail(isthmus::registerDialects(registry));
  isthmus::registerPasses();

  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Isthmus optimizer driver\n", registry);
  if (isModel(input))
    return mlir::asMainReturnCode(optimizeModel(input, output, registry));
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
