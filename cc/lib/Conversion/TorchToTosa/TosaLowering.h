//===- TosaLowering.h - Base of every lowering to TOSA ----------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSALOWERING_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSALOWERING_H

#include "TosaBuilder.h"
#include "isthmus/Conversion/TorchLowering.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/Lowering.h"

namespace isthmus::torch_to_tosa {

/// Why TOSA cannot represent a value of the type; empty if it can.
std::string whyUnsupported(mlir::Type type, const mlir::TypeConverter &types);

/// The dtype of a torch tensor value.
inline mlir::Type dtypeOf(mlir::Value value) {
  return llvm::cast<torch::ValueTensorType>(value.getType()).getDtype();
}

/// The sizes of the op's first result.
inline llvm::ArrayRef<int64_t> resultSizes(mlir::Operation *op) {
  return llvm::cast<torch::ValueTensorType>(op->getResult(0).getType())
      .getSizes();
}

/// The number of elements, or ShapedType::kDynamic if unknown.
inline int64_t product(llvm::ArrayRef<int64_t> sizes) {
  return llvm::is_contained(sizes, mlir::ShapedType::kDynamic)
             ? mlir::ShapedType::kDynamic
             : mlir::ShapedType::getNumElements(sizes);
}

/// A lowering that returns one or several values for the results of its op. It
/// declines unsupported types and ops for which the builder reports an error.
template <typename SourceOp>
class TosaLowering : public Lowering<SourceOp> {
public:
  using Lowering<SourceOp>::Lowering;
  using typename Lowering<SourceOp>::Adaptor;
  using Value = mlir::Value;
  using Results = llvm::SmallVector<mlir::Value, 1>;

  mlir::LogicalResult
  matchAndRewrite(SourceOp op, Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const final {
    for (mlir::Type type :
         llvm::concat<const mlir::Type>(llvm::to_vector(op->getOperandTypes()),
                                        llvm::to_vector(op->getResultTypes())))
      if (std::string why = whyUnsupported(type, *this->getTypeConverter());
          !why.empty())
        return this->decline(op) << why;
    auto *types = this->template getTypeConverter<const TorchTypeConverter>();
    TosaBuilder b(rewriter, op.getLoc(), &types->getConstants());
    mlir::FailureOr<Results> results = lower(op, adaptor, b);
    if (failed(results))
      return mlir::failure();
    for (auto [value, type] : llvm::zip_equal(*results, op->getResultTypes())) {
      auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(
          this->getTypeConverter()->convertType(type));
      if (value && tensor)
        value = b.reshape(value, tensor.getShape());
    }
    if (!b.error().empty())
      return this->decline(op) << b.error();
    rewriter.replaceOp(op, *results);
    return mlir::success();
  }

protected:
  virtual mlir::FailureOr<Results> lower(SourceOp op, Adaptor adaptor,
                                         TosaBuilder &b) const = 0;

  /// Converts operand `value` of the op, whose converted value is `converted`,
  /// to the dtype to which PyTorch promotes it; in `computeType(dtype)`.
  static Value promoted(TosaBuilder &b, Value value, Value converted,
                        mlir::Type dtype) {
    return b.convert(converted, dtypeOf(value), dtype);
  }
  static Results one(Value value) { return {value}; }
};

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSALOWERING_H
