//===- ConstantPool.h - Shared constants of a walk --------------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_CONSTANTPOOL_H
#define ISTHMUS_SUPPORT_CONSTANTPOOL_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace isthmus {

/// The small constants of a walk over the body of a function: numbers, strings,
/// splats, shapes. Most ops use some, often the same ones. Without the pool,
/// two of three ops of a program were such constants until equal ones were
/// merged.
class ConstantPool {
public:
  /// Where a new constant is inserted, so that it dominates all later uses.
  enum class Place {
    /// At the first use: the walk never goes back. If the use is in a nested
    /// region, before all ops built since `moveTo`.
    FirstUse,
    /// Before all ops built since `moveTo`: the walk goes back to built ops and
    /// replaces them with others.
    Front
  };

  explicit ConstantPool(Place place) : place(place) {}

  /// The walk reaches `op`. `op` is in the same block as before, after all ops
  /// built there, or in another block, which starts without constants.
  void moveTo(mlir::Operation *op);

  /// The constant of this value, which `make` creates if there is none yet. It
  /// does not use `builder`, because a rewriter that rolls back a failed
  /// pattern would remove the constant although other ops use it.
  mlir::Value get(mlir::Attribute value, const mlir::OpBuilder &builder,
                  llvm::function_ref<mlir::Value(mlir::OpBuilder &)> make);

  /// Call this before erasing a constant or an op before the current position.
  void forget(mlir::Operation *op);

private:
  Place place;
  mlir::Block *block = nullptr;
  /// The last op of the block before the ops built now; null if there is none.
  mlir::Operation *front = nullptr;
  llvm::DenseMap<mlir::Attribute, mlir::Value> known;
};

/// The Op of this value, built from `args`: from the pool, or a new one if
/// there is no pool.
template <typename Op, typename... Args>
mlir::Value constantFrom(ConstantPool *pool, mlir::Attribute value,
                         mlir::OpBuilder &builder, mlir::Location loc,
                         const Args &...args) {
  auto make = [&](mlir::OpBuilder &at) -> mlir::Value {
    return Op::create(at, loc, args...);
  };
  return pool ? pool->get(value, builder, make) : make(builder);
}

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_CONSTANTPOOL_H
