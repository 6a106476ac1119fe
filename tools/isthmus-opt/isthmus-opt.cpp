//===- isthmus-opt.cpp - mlir-opt with the dialects and passes of Isthmus -===//

#include "isthmus/Dialect/Onnx/Onnx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect>();
  registry.insert<isthmus::onnx::OnnxDialect>();

  mlir::registerTransformsPasses();

  return mlir::failed(
      mlir::MlirOptMain(argc, argv, "Isthmus optimizer driver\n", registry));
}
