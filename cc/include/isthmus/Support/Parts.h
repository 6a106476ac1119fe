//===- Parts.h - The optional parts of this build ---------------*- C++ -*-===//
//
// A build may omit front ends, targets and the JIT
// (tools/build_defs/parts.bzl). The front ends and targets that are linked are
// in the lists of FrontEnd.h and Target.h, so most code needs no condition.
// Code that calls a part by name is inside `#ifdef ISTHMUS_WITH_ONNX`. A
// request for a missing part returns `missingPart`.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_PARTS_H
#define ISTHMUS_SUPPORT_PARTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>
#include <utility>

namespace isthmus {

/// Names of the parts of this build, sorted.
inline llvm::SmallVector<llvm::StringRef> parts() {
  return {
#ifdef ISTHMUS_WITH_JIT
      "jit",
#endif
#ifdef ISTHMUS_WITH_LINALG
      "linalg",
#endif
#ifdef ISTHMUS_WITH_MHLO
      "mhlo",
#endif
#ifdef ISTHMUS_WITH_ONNX
      "onnx",
#endif
#ifdef ISTHMUS_WITH_PT2
      "pt2",
#endif
#ifdef ISTHMUS_WITH_TOSA
      "tosa",
#endif
  };
}

/// Isthmus's own targets, in this build or not, and the part that has each.
inline constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
    kPartsOfTargets[] = {{"linalg", "linalg"},
                         {"mhlo", "mhlo"},
                         {"stablehlo", "mhlo"},
                         {"tosa", "tosa"}};

/// The part that has a target of Isthmus; empty for other names.
inline llvm::StringRef partOfTarget(llvm::StringRef target) {
  for (const auto &[name, part] : kPartsOfTargets)
    if (name == target)
      return part;
  return "";
}

/// The error message for a part that this build omits.
inline std::string missingPart(llvm::StringRef part) {
  return ("this build has no " + part + " part: rebuild with --//:with_" +
          part + "=true")
      .str();
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_PARTS_H
