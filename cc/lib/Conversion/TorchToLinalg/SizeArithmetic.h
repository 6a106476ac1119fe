//===- SizeArithmetic.h - Sizes while compiling and at run time -*- C++ -*-===//
//
// A size is an attribute while it is known and an index value otherwise. The
// arithmetic fits the formulas of ShapeFormulas.h, folds what is known, and can
// tell that two sizes are the same because both come from the same dim.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_SIZEARITHMETIC_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_SIZEARITHMETIC_H

#include "isthmus/Support/ConstantPool.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace isthmus::torch {
struct StaticSizes;
}

namespace isthmus::torch_to_linalg {

class SizeArithmetic {
public:
  using Size = mlir::OpFoldResult;
  using Sizes = llvm::SmallVector<Size>;

  /// Constants come from the pool, if given.
  SizeArithmetic(mlir::OpBuilder &builder, mlir::Location loc,
                 ConstantPool *constants = nullptr)
      : builder(builder), loc(loc), constants(constants) {}

  /// The smallest number would read as an unknown one; its neighbour is as far
  /// from being a size.
  Size constant(int64_t value) const {
    return builder.getIndexAttr(std::max(value, -INT64_MAX));
  }

  // Where numbers that nobody means would overflow, an assertion stops the run
  // before.
  Size add(Size a, Size b);
  Size sub(Size a, Size b);
  Size mul(Size a, Size b);
  Size floorDiv(Size a, Size b);
  Size ceilDiv(Size a, Size b);
  Size min(Size a, Size b);
  Size max(Size a, Size b);
  Size product(llvm::ArrayRef<Size> sizes);
  /// A size that a broadcast of both has: the other one when `a` is 1.
  Size broadcast(Size a, Size b);

  /// The size of a dim, from where the tensor was given its sizes: the dims of
  /// a result computed elementwise are those of its operand.
  Size of(mlir::Value tensor, int64_t dim);
  Sizes of(mlir::Value tensor);

  /// True for what is computed of sizes of tensors so that it cannot fall below
  /// 0, and for what a cf.assert on the way here says of.
  bool isNeverNegative(Size size);

  /// A cf.assert of what is not known to be true; the message names the node.
  void stopUnless(mlir::Value condition, const llvm::Twine &message);
  void stopUnless(mlir::arith::CmpIPredicate predicate, Size a, Size b,
                  const llvm::Twine &message);

  /// An i64 as a size, and back.
  Size fromInt(mlir::Value integer);
  mlir::Value toInt(Size size);
  mlir::Value toIndex(Size size);

private:
  Size of(mlir::Value tensor, int64_t dim, unsigned steps);

  // Assertions that what would overflow does not come to be.
  void keepWithin(mlir::Value value, int64_t limit);
  void keepSum(mlir::Value a, mlir::Value b);
  void keepDifference(mlir::Value a, mlir::Value b);
  void keepProduct(mlir::Value a, mlir::Value b);

  /// Computes on numbers while both are known, else emits `Op`.
  template <typename Op>
  Size compute(Size a, Size b,
               int64_t (torch::StaticSizes::*fold)(int64_t, int64_t) const);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ConstantPool *constants;
};

/// The number a size is, when it is known while compiling.
std::optional<int64_t> known(mlir::OpFoldResult size);
inline bool isKnown(mlir::OpFoldResult size, int64_t value) {
  return known(size) == value;
}
/// Sizes as in a type: ShapedType::kDynamic where unknown.
llvm::SmallVector<int64_t>
staticSizes(llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// True when the two are surely equal: the same number, or computed by the same
/// operations from the same values.
bool areSame(mlir::OpFoldResult a, mlir::OpFoldResult b);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_SIZEARITHMETIC_H
