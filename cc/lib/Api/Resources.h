//===- Resources.h - Constants whose elements are blobs ---------*- C++ -*-===//

#ifndef ISTHMUS_LIB_API_RESOURCES_H
#define ISTHMUS_LIB_API_RESOURCES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace isthmus {

/// A resource in MLIR text that asks for memory as no system has it, before
/// MLIR asks the system, which ends the process; as a finding, empty if there
/// is none.
std::string findWrongAlignment(llvm::StringRef text);

/// The first resource of a constant, or a global, that does not have as many
/// bytes as its type says, which no verifier asks for and all who read it rely
/// on, or an alignment that files would be padded for; as a finding, empty if
/// there is none. One without any bytes is right.
std::string findWrongResource(mlir::ModuleOp module);

/// Whether there is a resource without its bytes: of a program that was saved
/// without weights.
bool lacksResources(mlir::ModuleOp module);

/// Puts the values of resources into the program's own text.
void inlineResources(mlir::ModuleOp module);

} // namespace isthmus

#endif // ISTHMUS_LIB_API_RESOURCES_H
