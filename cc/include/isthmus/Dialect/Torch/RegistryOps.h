//===- RegistryOps.h - Text form of the ops of the registry -----*- C++ -*-===//
//
// Only the generated definitions include this.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_REGISTRYOPS_H
#define ISTHMUS_DIALECT_TORCH_REGISTRYOPS_H

#include "isthmus/Dialect/Torch/TypeInference.h"
#include "mlir/IR/OpImplementation.h"

namespace isthmus::torch {

/// `%r = torch.NAME %a, %b {attributes} : TypeA, TypeB -> TypeR`
mlir::ParseResult parseRegistryOp(mlir::OpAsmParser &parser,
                                  mlir::OperationState &result);
void printRegistryOp(mlir::OpAsmPrinter &printer, mlir::Operation *op);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_REGISTRYOPS_H
