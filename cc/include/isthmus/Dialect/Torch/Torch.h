//===- Torch.h - The torch dialect and its structural ops -------*- C++ -*-===//
//
// The ATen operators have one header per family: PointwiseOps.h, ViewOps.h ...
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_DIALECT_TORCH_TORCH_H
#define ISTHMUS_DIALECT_TORCH_TORCH_H

#include "isthmus/Dialect/Torch/TorchTypes.h"
#include "isthmus/Dialect/Torch/TypeInference.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace isthmus::torch {

/// Every backend lowers a Core op.
template <typename Op>
struct Core : mlir::OpTrait::TraitBase<Op, Core> {};
/// One pattern decomposes a Composite op into Core ops.
template <typename Op>
struct Composite : mlir::OpTrait::TraitBase<Op, Composite> {};

} // namespace isthmus::torch

#include "isthmus/Dialect/Torch/TorchDialect.h.inc"
#include "isthmus/Dialect/Torch/TypeInferenceOpInterface.h.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Torch/TorchOps.h.inc"

#endif // ISTHMUS_DIALECT_TORCH_TORCH_H
