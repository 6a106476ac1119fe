//===- LinalgLowering.h - Base of the patterns of TorchToLinalg -*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERING_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERING_H

#include "LinalgBuilder.h"
#include "isthmus/Conversion/TorchLowering.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/Lowering.h"
#include <optional>

namespace isthmus::torch_to_linalg {

/// The values computed by a pattern for the results of its op, or a failure.
class Lowered {
public:
  Lowered(mlir::Value value) : values{value} {}
  Lowered(llvm::SmallVector<mlir::Value> values) : values(std::move(values)) {}
  Lowered(UnsupportedOps::Reason &&reason)
      : declined(mlir::failed(std::move(reason))) {}

  bool isDeclined() const { return declined; }
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }

private:
  llvm::SmallVector<mlir::Value> values;
  bool declined = false;
};

/// The dtype of a torch tensor; null if unknown.
mlir::Type dtypeOf(mlir::Value tensor);
/// The type of the first tensor among the operands and results of `op` whose
/// rank or dtype is unknown; null if there is none.
mlir::Type findUnknownTensor(mlir::Operation *op);
/// The first complex dtype among them; null if there is none.
mlir::Type findComplex(mlir::Operation *op);
/// Replaces the op by values whose types may differ from its converted result
/// types only in which sizes are static.
void replaceWith(mlir::Operation *op, llvm::ArrayRef<mlir::Value> values,
                 const mlir::TypeConverter &types,
                 mlir::ConversionPatternRewriter &rewriter);
/// Replaces an op whose results are known to be empty: nothing needs to be
/// computed, and other dialects' ops may not support sizes of zero.
mlir::LogicalResult replaceEmpty(mlir::Operation *op,
                                 const mlir::TypeConverter &types,
                                 mlir::ConversionPatternRewriter &rewriter);

/// A pattern that computes its op's results with a LinalgBuilder.
template <typename Op>
class LinalgLowering : public Lowering<Op> {
public:
  using Lowering<Op>::Lowering;
  using typename Lowering<Op>::Adaptor;

  mlir::LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  typename Lowering<Op>::Rewriter &rewriter) const final {
    if (mlir::Type unknown = findUnknownTensor(op))
      return this->decline(op)
             << "expected tensors of known rank and dtype, got " << unknown;
    auto &types = *this->template getTypeConverter<const TorchTypeConverter>();
    if (succeeded(replaceEmpty(op, types, rewriter)))
      return mlir::success();
    LinalgBuilder builder(rewriter, op.getLoc(), &types.getConstants());
    Lowered lowered = lower(op, adaptor, builder);
    if (lowered.isDeclined())
      return mlir::failure();
    replaceWith(op, lowered.getValues(), types, rewriter);
    return mlir::success();
  }

protected:
  virtual Lowered lower(Op op, Adaptor adaptor, LinalgBuilder &b) const = 0;
};

/// The same for ops on real numbers only.
template <typename Op>
class RealLowering : public LinalgLowering<Op> {
public:
  using LinalgLowering<Op>::LinalgLowering;
  using typename LinalgLowering<Op>::Adaptor;

protected:
  virtual Lowered lowerReal(Op op, Adaptor adaptor, LinalgBuilder &b) const = 0;

private:
  Lowered lower(Op op, Adaptor adaptor, LinalgBuilder &b) const final {
    if (mlir::Type complex = findComplex(op))
      return this->decline(op) << "expected real numbers, got " << complex;
    return lowerReal(op, adaptor, b);
  }
};

/// The values of a list operand as sizes; nullopt if no list construct defines
/// it.
std::optional<Sizes>
sizeList(mlir::Value list, const mlir::TypeConverter &types, LinalgBuilder &b);
/// Replaces sizes by the static sizes of the result type; they are checked.
void refine(Sizes &sizes, mlir::Value result, LinalgBuilder &b);
/// An int operand as a size; a constant stays an attribute.
Size sizeOperand(mlir::Value original, mlir::Value converted, LinalgBuilder &b);
/// A number operand as an element of a dtype, outside of any body.
mlir::Value scalarOperand(mlir::Value original, mlir::Value converted,
                          Elements elements);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERING_H
