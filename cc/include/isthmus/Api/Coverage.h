//===- Coverage.h - The ops that lower, and their targets -------*- C++ -*-===//
//
// Derived from the lowerings that the conversions of this build register, so
// the table always matches them.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_API_COVERAGE_H
#define ISTHMUS_API_COVERAGE_H

#include "isthmus/Api/Api.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace isthmus {

/// The ops that this build lowers, and how each target lowers them.
struct Coverage {
  /// An ai.onnx op in its newest version.
  struct OnnxOp {
    std::string name;   // "Clip"
    int since;          // 13
    bool isLowered;     // to the torch dialect
    std::string shapes; // "min[] max[]", see Shapes.h; may be empty
  };

  /// How a target lowers an op of the torch dialect.
  struct Support {
    enum class Kind {
      Pattern,    // lowers it
      Kept,       // lowers it whole, though it has a decomposition
      Decomposed, // lowers the ops of its decomposition
      None,
    };
    Kind kind;
    /// Why the target cannot express any form of the op, if it cannot.
    std::string reason;
  };

  struct TorchOp {
    enum class Role {
      Core,       // every target lowers it
      Composite,  // one decomposition serves every target
      Structural, // not a PyTorch operator: control flow, literals
    };
    std::string name; // "aten.clamp.Tensor"
    Role role;
    bool isDecomposed;
    std::vector<Support> support; // in the order of `targets`
  };

  /// The targets of this build, except torch.
  std::vector<const Target *> targets;
  /// A sentence for each part that would add to the table (Parts.h).
  std::vector<std::string> missingParts;
  /// That sentence for each target of Isthmus that this build omits, by name.
  std::map<std::string, std::string> missingTargets;
  /// Sorted by name; empty in builds without the ONNX front end.
  std::vector<OnnxOp> onnx;
  /// The ops of the registry, and the structural ones that some target lowers;
  /// sorted by name.
  std::vector<TorchOp> torch;
};

/// Returns the table of this build.
Coverage coverage();

/// Returns the table as JSON.
///
/// {"missing_parts": [...],
///  "missing_targets": {...},
///  "onnx": [{"lowered": true, "name": "Clip", "shapes": "min[] max[]",
///            "since": 13}, ...],
///  "targets": ["linalg", ...],
///  "torch": [{"decomposed": true, "name": "aten.clamp.Tensor",
///             "reasons": {}, "role": "composite",
///             "targets": {"linalg": "decomposed", ...}}, ...]}
llvm::json::Value toJSON(const Coverage &coverage);

} // namespace isthmus

#endif // ISTHMUS_API_COVERAGE_H
