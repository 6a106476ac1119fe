//===- Target.h - The dialects that programs are lowered to -----*- C++ -*-===//

#ifndef ISTHMUS_PIPELINES_TARGET_H
#define ISTHMUS_PIPELINES_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace isthmus {

/// The dialects that programs are lowered to.
enum class Target {
  Torch,     // the torch backend contract
  Linalg,    // linalg on tensors
  Tosa,      // TOSA 1.0 as far as its specification goes
  Mhlo,      // MHLO, as XLA accepts it
  Stablehlo, // StableHLO
};

/// "torch", "linalg", "tosa", "mhlo" or "stablehlo".
llvm::StringRef nameOf(Target target);
/// The target of a name, even if this build omits it.
std::optional<Target> targetOf(llvm::StringRef name);
/// The part of the build (Parts.h) that contains the target; empty for torch.
llvm::StringRef partOf(Target target);
/// All targets, in the order above.
llvm::ArrayRef<Target> allTargets();
/// Whether this build can lower to the target.
bool isAvailable(Target target);
/// Composite ATen ops that the target lowers whole, because that is better than
/// their decomposition.
llvm::ArrayRef<llvm::StringRef> keptOps(Target target);

/// Options of the lowering to a target: docs/generated/options.md lists them.
struct TargetPipelineOptions {
#define GET_PIPELINE_MEMBERS
#include "isthmus/Conversion/LoweringOptions.inc"
#undef GET_PIPELINE_MEMBERS

  /// Whether `mutableBuffers` is "globals".
  bool keepsBuffersInGlobals() const { return mutableBuffers == "globals"; }
};

/// A message for each option that has an unknown value or that the target
/// cannot meet.
std::vector<std::string> objectionsTo(const TargetPipelineOptions &options,
                                      Target target);

/// The name in `customOps` that selects every op.
inline constexpr llvm::StringLiteral kAllOps = "all";
/// The name in `customOps` that selects every op without a lowering.
inline constexpr llvm::StringLiteral kUnsupportedOps = "unsupported";

} // namespace isthmus

#endif // ISTHMUS_PIPELINES_TARGET_H
