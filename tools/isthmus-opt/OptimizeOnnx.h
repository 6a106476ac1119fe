//===- OptimizeOnnx.h - isthmus-opt for .onnx files -------------*- C++ -*-===//

#ifndef ISTHMUS_TOOLS_ISTHMUS_OPT_OPTIMIZEONNX_H
#define ISTHMUS_TOOLS_ISTHMUS_OPT_OPTIMIZEONNX_H

#include "mlir/IR/DialectRegistry.h"

/// Imports the model in `input`, runs the passes of the command line, and
/// writes the result as MlirOptMain would.
mlir::LogicalResult optimizeOnnx(llvm::StringRef input, llvm::StringRef output,
                                 const mlir::DialectRegistry &registry);

#endif // ISTHMUS_TOOLS_ISTHMUS_OPT_OPTIMIZEONNX_H
