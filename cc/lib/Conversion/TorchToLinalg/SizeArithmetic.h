//===- SizeArithmetic.h - Static and dynamic sizes --------------*- C++ -*-===//
//
// A static size is an attribute, a dynamic one an index value. The arithmetic
// supports the formulas of ShapeFormulas.h, folds static sizes, and can prove
// that two sizes are equal because both come from the same dim.
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

  /// INT64_MIN represents a dynamic size; the next larger number is equally far
  /// from a valid size.
  Size constant(int64_t value) const {
    return builder.getIndexAttr(std::max(value, -INT64_MAX));
  }

  // If an operation could overflow, which happens only for invalid sizes, an
  // assertion before it ends the run.
  Size add(Size a, Size b);
  Size sub(Size a, Size b);
  Size mul(Size a, Size b);
  Size floorDiv(Size a, Size b);
  Size ceilDiv(Size a, Size b);
  Size min(Size a, Size b);
  Size max(Size a, Size b);
  Size product(llvm::ArrayRef<Size> sizes);
  /// The broadcast of two sizes: the other one if `a` is 1.
  Size broadcast(Size a, Size b);

  /// The size of a dim, traced back to the op that determines it: an
  /// elementwise result has the dims of its operand.
  Size of(mlir::Value tensor, int64_t dim);
  Sizes of(mlir::Value tensor);

  /// True if the ops that compute the size, or a cf.assert before this point,
  /// imply that it is not negative.
  bool isNeverNegative(Size size);

  /// A cf.assert, unless the condition is known to hold; the message names the
  /// node.
  void stopUnless(mlir::Value condition, const llvm::Twine &message);
  void stopUnless(mlir::arith::CmpIPredicate predicate, Size a, Size b,
                  const llvm::Twine &message);

  /// Converts an i64 to a size, and back.
  Size fromInt(mlir::Value integer);
  mlir::Value toInt(Size size);
  mlir::Value toIndex(Size size);

private:
  Size of(mlir::Value tensor, int64_t dim, unsigned steps);

  // Assertions that an operation does not overflow.
  void keepWithin(mlir::Value value, int64_t limit);
  void keepSum(mlir::Value a, mlir::Value b);
  void keepDifference(mlir::Value a, mlir::Value b);
  void keepProduct(mlir::Value a, mlir::Value b);

  /// Folds if both are static, else emits `Op`.
  template <typename Op>
  Size compute(Size a, Size b,
               int64_t (torch::StaticSizes::*fold)(int64_t, int64_t) const);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ConstantPool *constants;
};

/// The number of a static size.
std::optional<int64_t> known(mlir::OpFoldResult size);
inline bool isKnown(mlir::OpFoldResult size, int64_t value) {
  return known(size) == value;
}
/// Sizes as in a type: ShapedType::kDynamic if unknown.
llvm::SmallVector<int64_t>
staticSizes(llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// True if the two are provably equal: the same number, or computed by the same
/// operations from the same values.
bool areSame(mlir::OpFoldResult a, mlir::OpFoldResult b);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_SIZEARITHMETIC_H
