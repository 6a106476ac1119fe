//===- ConstantPool.h - One constant for all who want it --------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_CONSTANTPOOL_H
#define ISTHMUS_SUPPORT_CONSTANTPOOL_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace isthmus {

/// The small constants of a walk over the body of a function: numbers, strings,
/// splats, shapes. Most ops take some, and the same ones. Made for each op,
/// they were two of three ops of a program until equal ones were merged.
class ConstantPool {
public:
  /// Where a new constant goes, so that it dominates all who will ask for it.
  enum class Place {
    /// Where it is asked for first: whoever builds never goes back. If that is
    /// in a nested region, before all that was built since `moveTo`.
    FirstUse,
    /// Before all that was built since `moveTo`: whoever builds goes back to
    /// what was built, and builds other ops in its place.
    Front
  };

  explicit ConstantPool(Place place) : place(place) {}

  /// The walk is at `op`, in the same block as before and behind all that was
  /// built there, or in another block, which starts without constants.
  void moveTo(mlir::Operation *op);

  /// The constant that `make` makes of this value; made if there is none yet.
  /// The builder that makes it is not `builder`: a rewriter that takes back
  /// what a failed pattern made would take what others use by then.
  mlir::Value get(mlir::Attribute value, const mlir::OpBuilder &builder,
                  llvm::function_ref<mlir::Value(mlir::OpBuilder &)> make);

  /// To be called before a constant, or an op before what is built now, is
  /// erased.
  void forget(mlir::Operation *op);

private:
  Place place;
  mlir::Block *block = nullptr;
  /// The last op of the block before what is built now; null if there is none.
  mlir::Operation *front = nullptr;
  llvm::DenseMap<mlir::Attribute, mlir::Value> known;
};

/// The Op of this value, made of `args`: from the pool, or a new one if there
/// is no pool.
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
