//===- Structure.h - Structural ops of a graph ------------------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_ONNX_STRUCTURE_H
#define ISTHMUS_DIALECT_ONNX_STRUCTURE_H

#include "isthmus/Dialect/Onnx/Onnx.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#define GET_OP_CLASSES
#include "isthmus/Dialect/Onnx/Structure.h.inc"

#endif // ISTHMUS_DIALECT_ONNX_STRUCTURE_H
