//===- LinalgLowerings.h - Lowering functions of TorchToLinalg --*- C++ -*-===//

#ifndef ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERINGS_H
#define ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERINGS_H

#include "LinalgBuilder.h"
#include "isthmus/Conversion/LoweringFunctions.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include <optional>

namespace isthmus::torch_to_linalg {

/// The dtype of a torch tensor; null if unknown.
mlir::Type dtypeOf(mlir::Value tensor);

/// Lowers an op with a LinalgBuilder. The types of the values that its function
/// returns may differ from the converted result types only in which sizes are
/// static.
class LinalgPattern final : public LoweringPattern<LinalgBuilder> {
public:
  using LoweringPattern::LoweringPattern;

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                  mlir::ConversionPatternRewriter &rewriter) const override;
};

class LinalgLowerings : public LoweringFunctions<LinalgPattern> {
public:
  using LoweringFunctions::LoweringFunctions;

  /// Adds lowerings of ops on real numbers: ops with complex operands or
  /// results are declined.
  template <typename... Results, typename... Ops>
  void addReal(mlir::FailureOr<Results> (*...lower)(Ops, typename Ops::Adaptor,
                                                    LinalgBuilder &)) {
    (addReal(Ops::getOperationName(), functionOf(lower)), ...);
  }
  void addReal(llvm::StringRef opName, Function lower);
};

/// The values of a list operand as sizes; nullopt if no list construct defines
/// it.
std::optional<Sizes> sizeList(mlir::Value list, LinalgBuilder &b);
/// Replaces sizes by the static sizes of the result type; they are checked.
void refine(Sizes &sizes, mlir::Value result, LinalgBuilder &b);
/// An int operand as a size; a constant stays an attribute.
Size sizeOperand(mlir::Value original, mlir::Value converted, LinalgBuilder &b);
/// A number operand as an element of a dtype, outside of any body.
mlir::Value scalarOperand(mlir::Value original, mlir::Value converted,
                          Elements elements);

} // namespace isthmus::torch_to_linalg

#endif // ISTHMUS_CONVERSION_TORCHTOLINALG_LINALGLOWERINGS_H
