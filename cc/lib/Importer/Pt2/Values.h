//===- Values.h - The values of a graph by name -----------------*- C++ -*-===//
//
// Exported programs may still write to tensors, and to views of them. Here a
// tensor that is written to gets a new value, and so does what it is a view of;
// its other views are taken anew when they are next read. What comes out are
// values that never change.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_LIB_IMPORTER_PT2_VALUES_H
#define ISTHMUS_LIB_IMPORTER_PT2_VALUES_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <vector>

namespace isthmus::pt2 {

/// All tensors and scalars of a program. A null value is one that could not be
/// imported, which has been reported.
class Values {
public:
  using Id = unsigned;

  Id add(mlir::Value value);
  /// A tensor that shows a part of another: `value`, a result of the last of
  /// `steps`, the first of which has the other as its first operand.
  Id addView(Id base, llvm::ArrayRef<mlir::Operation *> steps,
             mlir::OpResult value);

  /// A tensor that shares its memory with another or is a copy of it: only
  /// strides would tell.
  Id addPerhapsView(Id other, mlir::Value value);

  /// True once a tensor was written to that this one perhaps shares its memory
  /// with: what it holds now is not known.
  bool isUnclear(Id id) const { return tensors[rootOf(id)].isUnclear; }

  /// The present value.
  mlir::Value read(Id id, mlir::OpBuilder &builder);
  /// Gives a tensor and what it is a view of another value. Fails where a view
  /// cannot be written through, which `obstacle` then names.
  mlir::LogicalResult write(Id id, mlir::Value value, mlir::OpBuilder &builder,
                            mlir::Operation *&obstacle);
  /// True if the tensor was written to.
  bool isWritten(Id id) const { return tensors[id].version > 0; }

private:
  struct Tensor {
    mlir::Value value;
    unsigned version = 0; // how often `value` became another
    std::optional<Id> base = std::nullopt;
    llvm::SmallVector<mlir::Operation *, 2> steps = {};
    unsigned result = 0;      // of the last step
    unsigned baseVersion = 0; // of the base that `value` shows
    bool isUnclear = false;   // of a tensor that is no view
  };

public:
  /// What is known at some place of the program. Values that are made in a
  /// region are unknown outside of it.
  using Snapshot = std::vector<Tensor>;
  Snapshot snapshot() const { return tensors; }
  /// Goes back to it; fails if a tensor that was there has been written to.
  mlir::LogicalResult restore(Snapshot snapshot);

private:
  Id rootOf(Id id) const;
  /// Makes all tensors unclear that perhaps share the memory of a root.
  void blur(Id root);

  std::vector<Tensor> tensors;
  /// Pairs of tensors that perhaps share their memory.
  llvm::SmallVector<std::pair<Id, Id>> perhapsShared;
};

/// The names of one graph.
using Scope = llvm::StringMap<Values::Id>;

} // namespace isthmus::pt2

#endif // ISTHMUS_LIB_IMPORTER_PT2_VALUES_H
