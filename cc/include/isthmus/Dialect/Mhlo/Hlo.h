//===- Hlo.h - Definitions that MHLO and StableHLO share --------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_MHLO_HLO_H
#define ISTHMUS_DIALECT_MHLO_HLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "isthmus/Dialect/Mhlo/HloEnums.h.inc"

namespace isthmus::hlo {

/// Whether `attribute` is a dense vector of integers of `width` bits.
inline bool isDenseVector(mlir::Attribute attribute, unsigned width) {
  auto dense = llvm::dyn_cast<mlir::DenseIntElementsAttr>(attribute);
  return dense && dense.getType().getRank() == 1 &&
         dense.getElementType().isInteger(width);
}

/// Whether the types differ at most in sizes that one of them leaves unknown.
bool areCompatible(mlir::TypeRange lhs, mlir::TypeRange rhs);

} // namespace isthmus::hlo

#endif // ISTHMUS_DIALECT_MHLO_HLO_H
