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

struct TargetPipelineOptions {
  /// Composite ops to keep whole, by full name ("aten.gelu"); those that the
  /// target keeps anyway come on top.
  std::vector<std::string> legalOps;
  /// TOSA: f32 in the place of f64.
  bool narrowF64 = false;
  /// Buffers that the program writes to as mutable globals.
  bool buffersToGlobals = false;
};

/// The torch backend contract to a target that this build has.
void buildTorchToTargetPipeline(mlir::OpPassManager &manager, Target target,
                                const TargetPipelineOptions &options = {});

} // namespace isthmus

#endif // ISTHMUS_PIPELINES_PIPELINES_H
