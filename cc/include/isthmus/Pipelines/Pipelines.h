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

/// `onnx` ops in @main_graph to the torch backend contract in @main. Nodes that
/// `customOps` names, and those without a lowering if "unsupported" is among
/// the names, stay whole as torch.operator. Calls of the functions that
/// `outline` names stay calls.
void buildOnnxToTorchPipeline(mlir::OpPassManager &manager,
                              llvm::ArrayRef<std::string> customOps = {},
                              llvm::ArrayRef<std::string> outline = {});

/// The torch backend contract to a target that this build has.
void buildTorchToTargetPipeline(mlir::OpPassManager &manager, Target target,
                                const TargetPipelineOptions &options = {});

} // namespace isthmus

#endif // ISTHMUS_PIPELINES_PIPELINES_H
