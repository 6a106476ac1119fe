//===- OpNames.h - ATen op names that users write ---------------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_OPNAMES_H
#define ISTHMUS_DIALECT_TORCH_OPNAMES_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace isthmus::torch {

/// Ops by their full names with overloads, as a set of `torch.` names: both
/// "aten.clamp.Tensor" and "torch.aten.clamp.Tensor" give the latter.
///
/// A name that no registered op has is an error at `loc` that names the nearest
/// one. Namespaces without registered ops are a user's own and not looked into.
mlir::FailureOr<llvm::StringSet<>>
resolveOpNames(mlir::Location loc, llvm::ArrayRef<std::string> names);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_OPNAMES_H
