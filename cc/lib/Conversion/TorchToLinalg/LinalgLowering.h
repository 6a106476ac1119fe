//===- LinalgLowering.h - Base of the patterns of TorchToLinalg -*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERING_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERING_H

#include "LinalgBuilder.h"
#include "isthmus/Conversion/TorchLowering.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/Lowering.h"
#include <optional>

namespace isthmus::torch_to_linalg {

/// What a pattern computes for the results of its op, or that it declined it.
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

/// The dtype of a torch tensor; null when it is unknown.
mlir::Type dtypeOf(mlir::Value tensor);
/// The type of a tensor among the operands and results of `op` whose rank or
/// dtype is unknown; null when there is none.
mlir::Type findUnknownTensor(mlir::Operation *op);
/// The complex dtype of a tensor among them; null when there is none.
mlir::Type findComplex(mlir::Operation *op);
/// Replaces the op by values whose types agree with its converted result types
/// but for what they know of sizes.
void replaceWith(mlir::Operation *op, llvm::ArrayRef<mlir::Value> values,
                 const mlir::TypeConverter &types,
                 mlir::ConversionPatternRewriter &rewriter);
/// Replaces an op whose results are known to have no elements: there is nothing
/// to compute, and ops of other dialects need not take sizes of zero.
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

/// The same for real numbers only.
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

/// The values of a list operand as sizes; nullopt when the list is not made
/// where it is used.
std::optional<Sizes>
sizeList(mlir::Value list, const mlir::TypeConverter &types, LinalgBuilder &b);
/// Where the type of a result knows a size, so do we; it is checked.
void refine(Sizes &sizes, mlir::Value result, LinalgBuilder &b);
/// An int operand as a size; a known one stays an attribute.
Size sizeOperand(mlir::Value original, mlir::Value converted, LinalgBuilder &b);
/// A number operand as an element of a dtype, outside of any body.
mlir::Value scalarOperand(mlir::Value original, mlir::Value converted,
                          Elements elements);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERING_H
