//===- Pipelines.h - The order of passes, per source and target -*- C++ -*-===//
//
// For compilers with their own pass managers; Api.h is the simple interface.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_PIPELINES_PIPELINES_H
#define ISTHMUS_PIPELINES_PIPELINES_H

#include "isthmus/Conversion/Target.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"

namespace isthmus {

/// Adds every dialect that this build can read or write. Fails if the registry
/// has other dialects of the names of Isthmus's own: `torch`, `torch_c`,
/// `onnx`, `mhlo`, `stablehlo`. MLIR would end the process once both are
/// loaded.
llvm::Error registerDialects(mlir::DialectRegistry &registry);

/// The same for a context, with what it has loaded.
llvm::Error registerDialects(mlir::MLIRContext &context);

/// Registers every pass and pipeline of this build for textual pipelines.
void registerPasses();

/// `onnx` ops in @main_graph to the torch backend contract in @main. Nodes that
/// `customOps` names, and those without a lowering if "unsupported" is among
/// the names, stay whole as torch.operator. Calls of the functions that
/// `outline` names stay calls. Shardings are those of `deviceConfiguration`.
void buildOnnxToTorchPipeline(mlir::OpPassManager &manager,
                              llvm::ArrayRef<std::string> customOps = {},
                              llvm::ArrayRef<std::string> outline = {},
                              const std::string &deviceConfiguration = "");

/// The torch backend contract to a target (findTarget).
void buildTorchToTargetPipeline(mlir::OpPassManager &manager,
                                const Target &target,
                                const TargetPipelineOptions &options = {});

/// A message for each option that has an unknown value or that the target
/// cannot meet.
std::vector<std::string> objectionsTo(const TargetPipelineOptions &options,
                                      const Target &target);

/// Why this build has no target of a name: it omits the part that has it, or
/// there is none.
std::string whyNoTarget(llvm::StringRef name);

/// The name in `customOps` that selects every op.
inline constexpr llvm::StringLiteral kAllOps = "all";
/// The name in `customOps` that selects every op without a lowering.
inline constexpr llvm::StringLiteral kUnsupportedOps = "unsupported";

} // namespace isthmus

#endif // ISTHMUS_PIPELINES_PIPELINES_H
