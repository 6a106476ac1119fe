//===- EqualOps.h - Merges ops that compute the same ------------*- C++ -*-===//
//
// Common subexpression elimination in one walk over a program of any length.
// MLIR's own pass keeps every op in a table. For a program of a hundred
// thousand nodes this table exceeds the processor's caches, so each op costs
// several times as much as in a small program. Here an op is compared with only
// the last few thousand different ones. Equal ops are near each other, or occur
// so often, like constants, that they recur before they leave the table.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_EQUALOPS_H
#define ISTHMUS_SUPPORT_EQUALOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace isthmus {

/// The visited ops of a block, in order.
class EqualOps {
public:
  /// `outer` has the ops before the parent op of the block, unless the parent
  /// is isolated from them.
  explicit EqualOps(const EqualOps *outer = nullptr) : outer(outer) {}

  /// Erases the block's next op if it is unused, or if a visited op computes
  /// the same and replaces it. Returns whether it did.
  bool mergeOrErase(mlir::Operation *op);

private:
  struct Entry {
    mlir::Operation *op;
    unsigned hash;
  };
  struct EntryInfo {
    static Entry getEmptyKey() { return {nullptr, 0}; }
    static Entry getTombstoneKey() { return {nullptr, 1}; }
    static unsigned getHashValue(const Entry &entry) { return entry.hash; }
    static bool isEqual(const Entry &a, const Entry &b);
  };
  using Entries = llvm::DenseSet<Entry, EntryInfo>;

  mlir::Operation *find(const Entry &entry) const;

  const EqualOps *outer;
  /// The newer entries and, once these are many, those before them.
  Entries recent, former;
};

/// Merges equal ops in all regions of `root`, and erases unused ones.
void mergeEqualOps(mlir::Operation *root);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_EQUALOPS_H
