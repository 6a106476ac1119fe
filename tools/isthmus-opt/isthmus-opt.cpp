//===- isthmus-opt.cpp - mlir-opt with the dialects and passes of Isthmus -===//

#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  isthmus::registerDialects(registry);
  isthmus::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Isthmus optimizer driver\n", registry));
}
