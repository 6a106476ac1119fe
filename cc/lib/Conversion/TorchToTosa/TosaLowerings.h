//===- TosaLowerings.h - Lowering functions of TorchToTosa ------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSALOWERINGS_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSALOWERINGS_H

#include "TosaBuilder.h"
#include "isthmus/Conversion/LoweringFunctions.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/ScalarTypes.h"
#include "isthmus/Dialect/Torch/Torch.h"

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

/// Lowers an op whose results are tensors. Unsupported types are declined, and
/// ops for which the builder reports an error. The tensors that the function
/// returns are reshaped to the declared sizes.
class TosaPattern final : public LoweringPattern<TosaBuilder> {
public:
  using LoweringPattern::LoweringPattern;

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                  mlir::ConversionPatternRewriter &rewriter) const override;
};
using TosaLowerings = LoweringFunctions<TosaPattern>;

/// Converts operand `value` of the op, whose converted value is `converted`, to
/// the dtype to which PyTorch promotes it; in `computeType(dtype)`.
inline mlir::Value promoted(TosaBuilder &b, mlir::Value value,
                            mlir::Value converted, mlir::Type dtype) {
  return b.convert(converted, dtypeOf(value), dtype);
}

} // namespace isthmus::torch_to_tosa

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOTOSA_TOSALOWERINGS_H
