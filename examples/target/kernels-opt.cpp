//===- kernels-opt.cpp - isthmus-opt with one more target -----------------===//

#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  llvm::cantFail(isthmus::registerDialects(registry));
  isthmus::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Isthmus with the target 'kernels'\n", registry));
}
