//===- TorchBuilder.h - Builds torch ops with inferred types ----*- C++ -*-===//

#ifndef ISTHMUS_DIALECT_TORCH_TORCHBUILDER_H
#define ISTHMUS_DIALECT_TORCH_TORCHBUILDER_H

#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/ConstantPool.h"
#include "mlir/IR/Builders.h"
#include <optional>
#include <string>

namespace isthmus::torch {

/// The most pieces that an op may split a tensor into; each piece needs its own
/// ops.
constexpr int64_t maxPieces = 1 << 14;

/// Builds torch ops at one location and infers their result types.
///
/// A type rule that rejects its operands does not stop the caller: the op gets
/// results of unknown type, and `error()` holds the first such message for the
/// caller to report at the end. So a lowering is straight-line code.
class TorchBuilder {
public:
  /// Constants come from `constants`, if given; otherwise they are created at
  /// their use.
  TorchBuilder(mlir::OpBuilder &builder, mlir::Location loc,
               ConstantPool *constants = nullptr)
      : builder(builder), loc(loc), constants(constants) {}

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  /// Builds a registered op: `create<AtenAddTensorOp>(a, b, b.constant(1))`.
  template <typename Op, typename... Operands>
  Op create(Operands... operands) {
    return llvm::cast<Op>(createInferred(
        mlir::OperationName(Op::getOperationName(), getContext()),
        {static_cast<mlir::Value>(operands)...}, Op::inferTypes,
        numResults<Op>()));
  }

  /// Rebuilds a registered op of one result with other operands.
  mlir::Value rebuild(mlir::Operation *op, mlir::ValueRange operands);

  // Constants.
  mlir::Value constant(int64_t value);
  mlir::Value constantFloat(double value);
  mlir::Value constantBool(bool value);
  mlir::Value constantStr(llvm::StringRef value);
  mlir::Value none();
  /// The int that encodes a torch dtype as an argument.
  mlir::Value dtype(mlir::Type dtype);
  /// A tensor literal over an attribute of builtin element type.
  mlir::Value literal(mlir::ElementsAttr value);
  /// A rank-0 literal of a torch dtype; integers are truncated towards zero.
  mlir::Value scalarTensor(double value, mlir::Type dtype);
  mlir::Value scalarTensor(int64_t value, mlir::Type dtype);

  // Lists. The element type is that of the first element.
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  mlir::Value ints(mlir::ValueRange values);
  mlir::Value tensors(mlir::ValueRange values);
  mlir::Value optionalTensors(mlir::ValueRange values);

  // Ints and bools; known values fold.
  mlir::Value size(mlir::Value tensor, int64_t dim);
  llvm::SmallVector<mlir::Value> sizes(mlir::Value tensor);
  mlir::Value addInt(mlir::Value a, mlir::Value b);
  mlir::Value subInt(mlir::Value a, mlir::Value b);
  mlir::Value mulInt(mlir::Value a, mlir::Value b);
  mlir::Value floorDivInt(mlir::Value a, mlir::Value b);
  mlir::Value minInt(mlir::Value a, mlir::Value b);
  mlir::Value maxInt(mlir::Value a, mlir::Value b);
  /// The product of ints; 1 if there are none.
  mlir::Value product(mlir::ValueRange ints);
  mlir::Value eqInt(mlir::Value a, mlir::Value b);
  /// Builds a registered scalar op, or its constant if it folds.
  template <typename Op, typename... Operands>
  mlir::Value fold(Operands... operands) {
    return foldOrKeep(create<Op>(operands...));
  }

  // Shorthands for the most common tensor ops.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value where(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value permute(mlir::Value tensor, llvm::ArrayRef<int64_t> order);
  /// Dim `from` at place `to`; after an error, when the dims are unknown, the
  /// tensor itself.
  mlir::Value moveDim(mlir::Value tensor, int64_t from, int64_t to);
  mlir::Value view(mlir::Value tensor, mlir::ValueRange sizes);
  mlir::Value unsqueeze(mlir::Value tensor, int64_t dim);
  mlir::Value squeeze(mlir::Value tensor, llvm::ArrayRef<int64_t> dims);
  mlir::Value expand(mlir::Value tensor, mlir::ValueRange sizes);
  /// Elements [start, end) of a dim; a null end means the end of the dim.
  mlir::Value slice(mlir::Value tensor, int64_t dim, mlir::Value start,
                    mlir::Value end = {}, int64_t step = 1);
  mlir::Value cat(mlir::ValueRange tensors, int64_t dim);
  /// Consecutive slices of a dim with these sizes.
  llvm::SmallVector<mlir::Value> split(mlir::Value tensor, int64_t dim,
                                       mlir::ValueRange sizes);
  /// Slices of a dim of `total` elements, all of `size` except the last, which
  /// has the rest. Fails if there are more than maxPieces.
  std::optional<llvm::SmallVector<mlir::Value>>
  splitEvenly(mlir::Value tensor, int64_t dim, int64_t total, int64_t size);
  mlir::Value sum(mlir::Value tensor, llvm::ArrayRef<int64_t> dims,
                  bool keepdim);
  /// The tensor converted to `dtype`; the tensor itself if it has that dtype.
  mlir::Value convert(mlir::Value tensor, mlir::Type dtype);

  /// `return b.fail("expected ...")`: records the caller's error.
  mlir::Value fail(const llvm::Twine &message);
  /// The first message of the caller or of a type rule that rejected its
  /// operands; empty if none.
  llvm::StringRef error() const { return firstError; }

private:
  template <typename Op, unsigned count = 2>
  static constexpr unsigned numResults() {
    static_assert(count < 16, "expected an op with a fixed number of results");
    if constexpr (Op::template hasTrait<mlir::OpTrait::OneResult>())
      return 1;
    else if constexpr (Op::template hasTrait<
                           mlir::OpTrait::NResults<count>::template Impl>())
      return count;
    else
      return numResults<Op, count + 1>();
  }

  using TypeRule = llvm::function_ref<mlir::LogicalResult(TypeInference &)>;
  mlir::Operation *createInferred(mlir::OperationName name,
                                  mlir::ValueRange operands, TypeRule rule,
                                  unsigned numResults);
  mlir::Value foldOrKeep(mlir::Operation *op);
  mlir::Value scalarTensor(mlir::Attribute element,
                           mlir::Type builtinElementType);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ConstantPool *constants;
  std::string firstError;
};

/// The type of a tensor value; unknown rank and dtype if it is not a tensor.
ValueTensorType tensorType(mlir::Value value);

} // namespace isthmus::torch

#endif // ISTHMUS_DIALECT_TORCH_TORCHBUILDER_H
