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
    /// Where it is asked for first: whoever builds never goes back. In a nested
    /// region, before the op that is built there.
    FirstUse,
    /// Before all that is built in the place of one op: whoever builds goes
    /// back to what was built, and builds other ops in its place.
    Front
  };

  explicit ConstantPool(Place place) : place(place) {}

  /// The walk is at `op`, in the same block as before and behind all that was
  /// built there, or in another block, where other constants are.
  void moveTo(mlir::Operation *op);

  /// The constant that has this value; made if there is none yet, by a function
  /// that leaves the builder where it is.
  mlir::Value get(mlir::Attribute value, mlir::OpBuilder &builder,
                  llvm::function_ref<mlir::Value()> make);

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

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_CONSTANTPOOL_H
