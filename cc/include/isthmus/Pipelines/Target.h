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

/// Options of the lowering to a target.
struct TargetPipelineOptions {
  /// Composite ATen ops to keep whole, by name: "aten.gelu". Those without a
  /// lowering to the target become custom ops.
  std::vector<std::string> legalOps;
  /// Ops to carry as custom ops, even if they have a lowering, by name:
  /// "aten.layer_norm", "Einsum", "com.acme.FancyAttention"; or "all", or
  /// "unsupported" for all ops without a lowering. See docs/custom_ops.md.
  std::vector<std::string> customOps;
  /// Classes of modules, and functions of an ONNX model, whose calls become
  /// custom ops with a body: "LayerNorm", "com.acme.FancyNorm".
  std::vector<std::string> outline;
  /// MLIR files of the torch dialect. Each match of one of their functions
  /// becomes a custom op with a body.
  std::vector<std::string> outlinePatterns;
  /// How non-tensor arguments of custom ops are encoded: in "attributes" or as
  /// "operands".
  std::string customOpEncoding = "attributes";
  /// For TOSA, which has no f64: compute f64 as f32.
  bool narrowF64 = false;
  /// Buffers that an exported program writes to become mutable globals, which
  /// keep their values from run to run; the torch dialect has none. Otherwise
  /// their initial values are constants and their new values further results.
  bool buffersToGlobals = false;
};

/// The name in `customOps` that selects every op.
inline constexpr llvm::StringLiteral kAllOps = "all";
/// The name in `customOps` that selects every op without a lowering.
inline constexpr llvm::StringLiteral kUnsupportedOps = "unsupported";

} // namespace isthmus

#endif // ISTHMUS_PIPELINES_TARGET_H
