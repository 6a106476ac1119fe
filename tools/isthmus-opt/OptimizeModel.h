//===- OptimizeModel.h - isthmus-opt for models ----------------*- C++ -*-===//

#ifndef ISTHMUS_TOOLS_ISTHMUS_OPT_OPTIMIZEMODEL_H
#define ISTHMUS_TOOLS_ISTHMUS_OPT_OPTIMIZEMODEL_H

#include "mlir/IR/DialectRegistry.h"

/// True for the names of models: .onnx, .pt2.
bool isModel(llvm::StringRef path);

/// Imports the model in `input`, runs the passes of the command line, and
/// writes the result as MlirOptMain would.
mlir::LogicalResult optimizeModel(llvm::StringRef input, llvm::StringRef output,
                                  const mlir::DialectRegistry &registry);

#endif // ISTHMUS_TOOLS_ISTHMUS_OPT_OPTIMIZEMODEL_H
