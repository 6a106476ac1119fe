//===- OpNames.h - ATen op names that users write ---------------*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_OPNAMES_H
#define ISTHMUS_DIALECT_TORCH_OPNAMES_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace isthmus::torch {

/// On a torch.operator: the names of its last operands, which are keyword
/// arguments.
inline constexpr llvm::StringLiteral kKeywordsAttr = "keywords";
/// On a torch.operator: the names of the arguments that it writes to. Its last
/// results are their new values, with one result per list element.
inline constexpr llvm::StringLiteral kMutatesAttr = "mutates";

/// The name that a user most likely meant: an overload of `name`, or else the
/// candidate with the fewest edits. The first one in case of a tie.
llvm::StringRef nearestName(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> candidates);

/// "aten.clamp" of "aten.clamp.Tensor".
llvm::StringRef withoutOverload(llvm::StringRef name);

/// Resolves op names to a set of `torch.` names: both "aten.clamp.Tensor" and
/// "torch.aten.clamp.Tensor" give the latter; "aten.clamp" gives every
/// overload.
///
/// An unknown name is an error at `root` that suggests the nearest one. Known
/// are registered ops, the operators within `root`, and all names in namespaces
/// without registered ops, which belong to users.
mlir::FailureOr<llvm::StringSet<>>
resolveOpNames(mlir::Operation *root, llvm::ArrayRef<std::string> names);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_OPNAMES_H
