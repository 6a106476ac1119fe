//===- Sdy.h - Shardings of tensors over devices ----------------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_SDY_SDY_H
#define ISTHMUS_DIALECT_SDY_SDY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "isthmus/Dialect/Sdy/SdyDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "isthmus/Dialect/Sdy/SdyAttributes.h.inc"
#define GET_OP_CLASSES
#include "isthmus/Dialect/Sdy/SdyOps.h.inc"

namespace isthmus::sdy {

/// The attribute of a function's argument or result that has its sharding.
inline constexpr llvm::StringLiteral kSharding = "sdy.sharding";

/// Adds a mesh at the start of a module. A name that is taken is changed.
MeshOp createMesh(mlir::ModuleOp module, llvm::StringRef name, MeshAttr mesh);

/// Gives an argument without a sharding that of the first constraint on it in
/// the function's first block.
void setShardingOfUses(mlir::FunctionOpInterface func, unsigned argument);

} // namespace isthmus::sdy

#endif // ISTHMUS_DIALECT_SDY_SDY_H
