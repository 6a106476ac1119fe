//===- OpNames.h - ATen op names that users write ---------------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_OPNAMES_H
#define ISTHMUS_DIALECT_TORCH_OPNAMES_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace isthmus::torch {

/// On a torch.operator: the names of its last operands, which are given by
/// keyword.
inline constexpr llvm::StringLiteral kKeywordsAttr = "keywords";
/// On a torch.operator: the names of the arguments that it writes to. Its last
/// results are what these become, an element of a list being a result by
/// itself.
inline constexpr llvm::StringLiteral kMutatesAttr = "mutates";

/// The name that a user most likely meant: an overload of `name`, or else the
/// one that fewest edits lead to. Of equals, the first.
llvm::StringRef nearestName(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> candidates);

/// "aten.clamp" of "aten.clamp.Tensor".
llvm::StringRef withoutOverload(llvm::StringRef name);

/// Ops by their names as a set of `torch.` names: both "aten.clamp.Tensor" and
/// "torch.aten.clamp.Tensor" give the latter, "aten.clamp" gives it and every
/// other overload.
///
/// A name that no registered op has is an error at `loc` that names the nearest
/// one. Namespaces without registered ops are a user's own and not looked into.
mlir::FailureOr<llvm::StringSet<>>
resolveOpNames(mlir::Location loc, llvm::ArrayRef<std::string> names);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_OPNAMES_H
