//===- onnx_to_tosa.cpp - Isthmus in a pass manager of one's own ----------===//
//
// A compiler of TOSA with its own context and passes. It imports the model as a
// module and has Isthmus's passes in its pipeline.
//
//   bazel run //examples/embed:onnx_to_tosa -- $PWD/model.onnx
//
//===----------------------------------------------------------------------===//

#include "isthmus/Importer/OnnxImporter.h"
#include "isthmus/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: onnx_to_tosa MODEL\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  if (llvm::Error error = isthmus::registerDialects(registry)) {
    // Another dialect has a name that Isthmus uses: see docs/embedding.md.
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  mlir::MLIRContext context(registry);
  auto module = isthmus::importOnnxFile(argv[1], &context);
  if (!module)
    return 1;

  // Null in builds without TOSA.
  const isthmus::Target *tosa = isthmus::findTarget("tosa");
  if (!tosa) {
    llvm::errs() << isthmus::whyNoTarget("tosa") << '\n';
    return 1;
  }
  mlir::PassManager manager(&context);
  isthmus::buildOnnxToTorchPipeline(manager);
  isthmus::buildTorchToTargetPipeline(manager, *tosa);
  manager.addPass(mlir::createCanonicalizerPass()); // and your own passes
  if (failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs(), mlir::OpPrintingFlags()
                                  .elideLargeElementsAttrs()
                                  .elideLargeResourceString());
  return 0;
}
