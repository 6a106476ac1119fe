//===- RegistryOps.h - Code shared by all registry ops ----------*- C++ -*-===//
//
// Only the generated definitions include this: the assembly format, and the
// type rules that registry lines name.
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

namespace rules {
#define RULE(NAME) mlir::LogicalResult NAME(TypeInference &op);
#include "isthmus/Dialect/Torch/TypeRules.def"
#undef RULE
} // namespace rules

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_REGISTRYOPS_H
