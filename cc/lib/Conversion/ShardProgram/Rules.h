//===- Rules.h - Meshes and shardings as text -------------------*- C++ -*-===//
//
//   mesh:      data=2,model=4
//   shardings: *.q_proj.weight=model,*    rows over the axis "model"
//              input_ids=data+model       the first dim over both axes
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_CONVERSION_SHARDPROGRAM_RULES_H
#define ISTHMUS_LIB_CONVERSION_SHARDPROGRAM_RULES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"

namespace isthmus {

/// The sizes of a mesh's axes by name, major to minor.
using MeshSizes = llvm::MapVector<llvm::StringRef, int64_t>;

/// How tensors lie whose names match a pattern. All parts are views of the
/// text.
struct ShardingRule {
  llvm::StringRef text;
  llvm::GlobPattern pattern;
  /// The axes that split each of the first dims; the others are whole.
  llvm::SmallVector<llvm::SmallVector<llvm::StringRef>> dims;
  bool isUsed = false;
};

/// Errors say what was expected: "mesh: expected …, got …".
llvm::Expected<MeshSizes> readMesh(llvm::StringRef text);
llvm::Expected<ShardingRule> readRule(llvm::StringRef text,
                                      const MeshSizes &mesh);

} // namespace isthmus

#endif // ISTHMUS_LIB_CONVERSION_SHARDPROGRAM_RULES_H
