//===- LinalgBuilder.h - Builds linalg on tensors ---------------*- C++ -*-===//
//
// What every family builds with, at one location: tensors of given sizes, and
// one linalg.generic for anything that is computed element by element.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGBUILDER_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGBUILDER_H

#include "Elements.h"
#include "SizeArithmetic.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace isthmus::torch_to_linalg {

using Size = SizeArithmetic::Size;
using Sizes = SizeArithmetic::Sizes;

inline mlir::RankedTensorType typeOf(mlir::Value tensor) {
  return llvm::cast<mlir::RankedTensorType>(tensor.getType());
}

class LinalgBuilder {
public:
  /// Constants, and tensors of known sizes to write into, come from the pool,
  /// if given.
  LinalgBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                ConstantPool *constants = nullptr)
      : sizes(builder, loc, constants), builder(builder), loc(loc),
        constants(constants) {}

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }
  template <typename Op, typename... Args>
  Op create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }
  Elements elements(mlir::Type dtype) const {
    return {builder, loc, dtype, constants};
  }

  // Tensors.
  mlir::Value empty(llvm::ArrayRef<Size> sizes, mlir::Type elementType);
  mlir::Value filled(llvm::ArrayRef<Size> sizes, mlir::Value scalar);
  /// The tensor as another type that knows more or less of its sizes; what it
  /// knows more is checked.
  mlir::Value cast(mlir::Value tensor, mlir::Type type);
  /// The tensor as a type that knows all sizes that are known of it.
  mlir::Value refined(mlir::Value tensor);
  /// The same elements in row-major order under other sizes, without a copy.
  /// One size may be null: it is what remains.
  mlir::Value reshape(mlir::Value tensor, Sizes target);
  /// The tensor as one dim.
  mlir::Value flatten(mlir::Value tensor);
  mlir::Value transpose(mlir::Value tensor, llvm::ArrayRef<int64_t> order);
  /// Elements [offset, offset + size) of every dim, `step` apart; no steps are
  /// steps of 1.
  mlir::Value slice(mlir::Value tensor, llvm::ArrayRef<Size> offsets,
                    llvm::ArrayRef<Size> lengths,
                    llvm::ArrayRef<Size> steps = {});
  /// `low` and `high` more elements of `value` at the ends of each dim;
  /// negative numbers cut off instead.
  mlir::Value pad(mlir::Value tensor, llvm::ArrayRef<Size> low,
                  llvm::ArrayRef<Size> high, mlir::Value value);
  mlir::Value extract(mlir::Value tensor, mlir::ValueRange indices = {});

  // Checks of what only the run shows; a failed one ends it. What is known to
  // hold emits nothing. `expectation` says what it is, as in "expected …".
  void check(mlir::Value condition, const llvm::Twine &expectation);
  void checkSame(Size size, Size expected, const llvm::Twine &expectation);
  void checkAtMost(Size size, Size limit, const llvm::Twine &expectation);
  void checkNotNegative(Size size);

  // Element by element. A body gets one element per operand.
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                              mlir::ValueRange)>;
  /// A tensor of the sizes that all operands broadcast to.
  mlir::Value pointwise(mlir::ValueRange operands, mlir::Type elementType,
                        Body body);
  /// The same for sizes that are given, to which each operand broadcasts.
  mlir::Value pointwise(mlir::ValueRange operands, llvm::ArrayRef<Size> sizes,
                        mlir::Type elementType, Body body);
  mlir::Value broadcastTo(mlir::Value tensor, llvm::ArrayRef<Size> sizes);
  /// The tensor with elements of another torch dtype.
  mlir::Value convert(mlir::Value tensor, mlir::Type from, mlir::Type to);

  // One after the other.
  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      LinalgBuilder &, mlir::ValueRange position, mlir::ValueRange carried)>;
  /// A loop nest over all positions, row by row, that carries values along.
  llvm::SmallVector<mlir::Value> forEach(llvm::ArrayRef<Size> sizes,
                                         mlir::ValueRange inits, LoopBody body);

  // Inside a body.
  /// The position in dim `dim` that a linalg.generic is at.
  mlir::Value index(mlir::OpBuilder &body, int64_t dim);

  SizeArithmetic sizes;

private:
  mlir::Value broadcastAtRunTime(mlir::Value operand,
                                 llvm::ArrayRef<Size> targets);

  /// The one scalar that all elements of a tensor are, or null.
  mlir::Value scalarOf(mlir::Value tensor);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ConstantPool *constants;
};

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGBUILDER_H
