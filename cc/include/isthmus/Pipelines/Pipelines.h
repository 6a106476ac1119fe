//===- Pipelines.h - The order of passes, per source and target -*- C++ -*-===//
//
// For those who build pass managers of their own; Api.h is the short way.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_PIPELINES_PIPELINES_H
#define ISTHMUS_PIPELINES_PIPELINES_H

#include "isthmus/Pipelines/Target.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace isthmus {

/// Adds every dialect that this build can read or write.
void registerDialects(mlir::DialectRegistry &registry);

/// Registers every pass and pipeline of this build for textual pipelines.
void registerPasses();

/// `onnx` ops in @main_graph to the torch backend contract in @main.
void buildOnnxToTorchPipeline(mlir::OpPassManager &manager);

/// The torch backend contract to a target that this build has. Composite ops
/// named in `legalOps` ("aten.gelu"), and those that the target keeps, are not
/// decomposed.
void buildTorchToTargetPipeline(mlir::OpPassManager &manager, Target target,
                                llvm::ArrayRef<std::string> legalOps = {});

} // namespace isthmus

#endif // ISTHMUS_PIPELINES_PIPELINES_H
