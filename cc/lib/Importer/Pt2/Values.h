//===- Values.h - The values of a graph by name -----------------*- C++ -*-===//
//
// Exported programs may still mutate tensors and their views. Here a write
// gives a new value to the tensor and to the base that it views; other views
// are recomputed at their next read. The result has only immutable values.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_VALUES_H
#define ISTHMUS_LIB_IMPORTER_PT2_VALUES_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <vector>

namespace isthmus::pt2 {

/// All tensors and scalars of a program. A null value represents one whose
/// import failed, which has been reported.
class Values {
public:
  using Id = unsigned;

  Id add(mlir::Value value);
  /// Adds a view of a part of another tensor: `value`, a result of the last of
  /// `steps`; the first step has the other tensor as its first operand.
  Id addView(Id base, llvm::ArrayRef<mlir::Operation *> steps,
             mlir::OpResult value);

  /// Adds a tensor that may share its memory with the others: only strides
  /// would tell.
  Id addPerhapsView(llvm::ArrayRef<Id> others, mlir::Value value);

  /// True after a write to another tensor that may share its memory with this
  /// one: its current contents are not known.
  bool isUnclear(Id id) const { return tensors[rootOf(id)].isUnclear; }

  /// The current value.
  mlir::Value read(Id id, mlir::OpBuilder &builder);
  /// Gives a new value to a tensor and to the base that it views. Fails if a
  /// view cannot be written through, which `obstacle` then names.
  mlir::LogicalResult write(Id id, mlir::Value value, mlir::OpBuilder &builder,
                            mlir::Operation *&obstacle);
  /// True if the tensor has been written to.
  bool isWritten(Id id) const { return tensors[id].version > 0; }

private:
  struct Tensor {
    mlir::Value value;
    unsigned version = 0; // how often `value` was replaced
    std::optional<Id> base = std::nullopt;
    llvm::SmallVector<mlir::Operation *, 2> steps = {};
    unsigned result = 0;      // of the last step
    unsigned baseVersion = 0; // of the base that `value` shows
    bool isUnclear = false;   // of a tensor that is not a view
  };

public:
  /// The state at a point of the program. Values created in a region are
  /// unknown outside it.
  using Snapshot = std::vector<Tensor>;
  Snapshot snapshot() const { return tensors; }
  /// Restores the state; fails if a tensor that existed then has been written
  /// to.
  mlir::LogicalResult restore(Snapshot snapshot);

private:
  Id rootOf(Id id) const;
  /// Marks all tensors as unclear that may share the memory of a root.
  void blur(Id root);

  std::vector<Tensor> tensors;
  /// Pairs of tensors that may share their memory.
  llvm::SmallVector<std::pair<Id, Id>> perhapsShared;
};

/// The names of one graph.
using Scope = llvm::StringMap<Values::Id>;

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_VALUES_H
