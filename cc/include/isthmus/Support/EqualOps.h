//===- EqualOps.h - Ops that compute what others do -------------*- C++ -*-===//
//
// Common subexpressions in one walk over a program of any length. MLIR's own
// elimination keeps every op in a table, which for a program of a hundred
// thousand nodes no cache of a processor holds, so that each op costs several
// times what it does in a small program. Here an op is compared with the last
// few thousand different ones. Equal ops are near to each other, or are used so
// often, as constants are, that they are met again before they are forgotten.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_SUPPORT_EQUALOPS_H
#define ISTHMUS_SUPPORT_EQUALOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace isthmus {

/// The ops of a block that were visited, in order.
class EqualOps {
public:
  /// `outer` has the ops before the one that the block is nested in, unless
  /// that one is isolated from them.
  explicit EqualOps(const EqualOps *outer = nullptr) : outer(outer) {}

  /// Erases the block's next op if nothing uses it, or if one that was visited
  /// computes the same and takes its place. Returns whether it did.
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
  /// The newer ones and, once these are many, those before them.
  Entries recent, former;
};

/// Merges equal ops of `root` and of all regions in it, and erases unused ones.
void mergeEqualOps(mlir::Operation *root);

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_EQUALOPS_H
