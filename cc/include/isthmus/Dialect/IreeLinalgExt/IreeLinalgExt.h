//===- IreeLinalgExt.h - IREE's ops on tensors ------------------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_IREELINALGEXT_IREELINALGEXT_H
#define ISTHMUS_DIALECT_IREELINALGEXT_IREELINALGEXT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExtDialect.h.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/IreeLinalgExt/IreeLinalgExtOps.h.inc"

#endif // ISTHMUS_DIALECT_IREELINALGEXT_IREELINALGEXT_H
