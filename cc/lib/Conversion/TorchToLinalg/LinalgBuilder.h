//===- LinalgBuilder.h - Builds linalg on tensors ---------------*- C++ -*-===//
//
// Used by every family to build ops at one location: tensors of given sizes,
// and one linalg.generic for elementwise computations.
//
//===----------------------------------------------------------------------===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGBUILDER_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGBUILDER_H

#include "Consumer.h"
#include "Elements.h"
#include "SizeArithmetic.h"
#include "isthmus/Conversion/LoweringFunctions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace isthmus::torch_to_linalg {

using Size = SizeArithmetic::Size;
using Sizes = SizeArithmetic::Sizes;

inline mlir::RankedTensorType typeOf(mlir::Value tensor) {
  return llvm::cast<mlir::RankedTensorType>(tensor.getType());
}

class LinalgBuilder : public LoweringScope {
public:
  LinalgBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : sizes(builder, loc, nullptr), builder(builder), loc(loc) {}
  /// For a lowering function. Constants, and destination tensors of static
  /// shape, come from the pool.
  LinalgBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                LoweringScope scope, ConstantPool &constants, Consumer consumer)
      : LoweringScope(scope), sizes(builder, loc, &constants), builder(builder),
        loc(loc), constants(&constants), consumer(consumer) {}

  /// Whether IREE reads the program. False for a builder without a scope.
  bool isForIree() const { return consumer == Consumer::Iree; }

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
  /// Casts the tensor to a type with more or fewer static sizes; added static
  /// sizes are checked.
  mlir::Value cast(mlir::Value tensor, mlir::Type type);
  /// Casts the tensor to a type with all its known sizes static.
  mlir::Value refined(mlir::Value tensor);
  /// The same elements in row-major order with other sizes, without a copy. One
  /// size may be null: it is inferred.
  mlir::Value reshape(mlir::Value tensor, Sizes target);
  /// Collapses the tensor to one dim.
  mlir::Value flatten(mlir::Value tensor);
  mlir::Value transpose(mlir::Value tensor, llvm::ArrayRef<int64_t> order);
  /// Elements [offset, offset + size) of every dim, `step` apart; if empty,
  /// steps are 1.
  mlir::Value slice(mlir::Value tensor, llvm::ArrayRef<Size> offsets,
                    llvm::ArrayRef<Size> lengths,
                    llvm::ArrayRef<Size> steps = {});
  /// Adds `low` and `high` elements of `value` at the ends of each dim;
  /// negative numbers crop.
  mlir::Value pad(mlir::Value tensor, llvm::ArrayRef<Size> low,
                  llvm::ArrayRef<Size> high, mlir::Value value);
  mlir::Value extract(mlir::Value tensor, mlir::ValueRange indices = {});

  /// The scalar value of a splat tensor, or null.
  mlir::Value scalarOf(mlir::Value tensor);

  // Run-time checks; a failed one ends the run. A check that is known to hold
  // emits no code. `expectation` completes the message "expected …".
  void check(mlir::Value condition, const llvm::Twine &expectation);
  void checkSame(Size size, Size expected, const llvm::Twine &expectation);
  void checkAtMost(Size size, Size limit, const llvm::Twine &expectation);
  void checkNotNegative(Size size);

  // Elementwise ops. A body gets one element per operand.
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                              mlir::ValueRange)>;
  /// A tensor of the shape to which all operands broadcast.
  mlir::Value pointwise(mlir::ValueRange operands, mlir::Type elementType,
                        Body body);
  /// The same for given sizes, to which each operand broadcasts.
  mlir::Value pointwise(mlir::ValueRange operands, llvm::ArrayRef<Size> sizes,
                        mlir::Type elementType, Body body);
  mlir::Value broadcastTo(mlir::Value tensor, llvm::ArrayRef<Size> sizes);
  /// Converts the elements from one torch dtype to another.
  mlir::Value convert(mlir::Value tensor, mlir::Type from, mlir::Type to);

  // Sequential loops.
  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      LinalgBuilder &, mlir::ValueRange position, mlir::ValueRange carried)>;
  /// A loop nest over all positions in row-major order, with carried values.
  llvm::SmallVector<mlir::Value> forEach(llvm::ArrayRef<Size> sizes,
                                         mlir::ValueRange inits, LoopBody body);

  // Inside a body.
  /// The current index of a linalg.generic in dim `dim`.
  mlir::Value index(mlir::OpBuilder &body, int64_t dim);

  SizeArithmetic sizes;

private:
  mlir::Value broadcastAtRunTime(mlir::Value operand,
                                 llvm::ArrayRef<Size> targets);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ConstantPool *constants = nullptr;
  Consumer consumer = Consumer::Any;
};

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGBUILDER_H
