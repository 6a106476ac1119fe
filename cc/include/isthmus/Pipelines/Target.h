//===- Target.h - The dialects that programs are lowered to -----*- C++ -*-===//

#ifndef ISTHMUS_PIPELINES_TARGET_H
#define ISTHMUS_PIPELINES_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace isthmus {

enum class Target {
  Torch,     // the torch backend contract
  Linalg,    // linalg on tensors
  Tosa,      // TOSA 1.0 as far as its specification goes
  Mhlo,      // MHLO, as XLA takes it
  Stablehlo, // StableHLO
};

/// "torch", "linalg", "tosa", "mhlo" or "stablehlo".
llvm::StringRef nameOf(Target target);
/// The target of a name, also when this build leaves it out.
std::optional<Target> targetOf(llvm::StringRef name);
/// The part of the build (Parts.h) that the target comes with; empty for torch.
llvm::StringRef partOf(Target target);
/// All targets, in the order above.
llvm::ArrayRef<Target> allTargets();
/// Whether this build can lower to the target.
bool isAvailable(Target target);
/// Composite ATen ops that the target lowers whole, because it says them better
/// than their decomposition does.
llvm::ArrayRef<llvm::StringRef> keptOps(Target target);

} // namespace isthmus

#endif // ISTHMUS_PIPELINES_TARGET_H
