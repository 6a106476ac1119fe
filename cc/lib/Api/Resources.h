//===- Resources.h - Constants whose elements are blobs ---------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_RESOURCES_H
#define ISTHMUS_LIB_API_RESOURCES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace isthmus {

/// Finds a resource in MLIR text that requests an alignment that no system
/// provides, before MLIR requests it and the process ends; empty if there is
/// none.
std::string findWrongAlignment(llvm::StringRef text);

/// Finds the first resource of a constant, or a global, whose byte count does
/// not match its type, which no verifier checks but all readers rely on, or
/// whose alignment would pad files; empty if there is none. A resource without
/// any bytes is valid.
std::string findWrongResource(mlir::ModuleOp module);

/// Whether a resource lacks its bytes, as in a program saved without weights.
bool lacksResources(mlir::ModuleOp module);

/// Moves the values of resources into the program's own text.
void inlineResources(mlir::ModuleOp module);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_RESOURCES_H
