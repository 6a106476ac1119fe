//===- Families.h - Lowerings of torch ops to MHLO --------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_FAMILIES_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_FAMILIES_H

#include "HloBuilder.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/Lowering.h"

namespace isthmus::torch_to_mhlo {

/// The reason of ops whose result has as many elements as the data says.
inline constexpr char kDependsOnData[] =
    "the number of results depends on the data, which XLA cannot compile";

/// The ints of a list operand; fails if no torch.prim.ListConstruct defines it.
mlir::FailureOr<Sizes> sizesOfList(HloBuilder &b, mlir::Value list);

/// An int operand as a size: a number if it is a constant.
Size sizeOfInt(mlir::Value original, mlir::Value converted);

/// A number operand as a rank-0 tensor of the element type.
mlir::Value number(HloBuilder &b, mlir::Value original, mlir::Value converted,
                   mlir::Type elementType);

/// The slices of a dim at the indices [n].
mlir::Value selectSlices(HloBuilder &b, mlir::Value tensor, mlir::Value indices,
                         int64_t dim);

/// Lowers an op whose results are tensors. Its function may return tensors of
/// any types with compatible sizes; they are cast to the declared types.
class HloPattern final : public LoweringPattern<HloBuilder> {
public:
  using LoweringPattern::LoweringPattern;

  mlir::LogicalResult
  matchAndRewrite(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                  mlir::ConversionPatternRewriter &rewriter) const override;
};
using HloLowerings = LoweringFunctions<HloPattern>;

#define FAMILY(NAME) void populate##NAME(HloLowerings &lowerings);
#include "Families.def"
#undef FAMILY

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_FAMILIES_H
