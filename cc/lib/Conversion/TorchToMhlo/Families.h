//===- Families.h - Lowerings of torch ops to MHLO --------------*- C++ -*-===//

#ifndef ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_FAMILIES_H
#define ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_FAMILIES_H

#include "HloBuilder.h"
#include "MhloTypeConverter.h"
#include "isthmus/Dialect/Torch/Matchers.h"
#include "isthmus/Dialect/Torch/Torch.h"
#include "isthmus/Support/Lowering.h"

namespace isthmus::torch_to_mhlo {

/// The ints of a list; fails if no torch.prim.ListConstruct defines it.
mlir::FailureOr<Sizes>
sizesOfList(HloBuilder &b, const mlir::TypeConverter &types, mlir::Value list);

/// An int operand as a size: a number if it is a constant.
Size sizeOfInt(mlir::Value original, mlir::Value converted);

/// A number operand as a rank-0 tensor of the element type.
mlir::Value number(HloBuilder &b, mlir::Value original, mlir::Value converted,
                   mlir::Type elementType);

/// Lowers an op with one tensor result. `lower` may return a tensor of any type
/// with compatible sizes; the base class casts it to the declared type.
template <typename SourceOp>
class HloLowering : public Lowering<SourceOp> {
public:
  using Lowering<SourceOp>::Lowering;
  using typename Lowering<SourceOp>::Adaptor;
  using typename Lowering<SourceOp>::Rewriter;

  virtual mlir::FailureOr<mlir::Value> lower(SourceOp op, Adaptor adaptor,
                                             HloBuilder &b) const = 0;

  mlir::LogicalResult matchAndRewrite(SourceOp op, Adaptor adaptor,
                                      Rewriter &rewriter) const final {
    auto *types = this->template getTypeConverter<const MhloTypeConverter>();
    SizeOrigins &origins = types->getOrigins();
    HloBuilder b(rewriter, op.getLoc(), &types->getConstants(), &origins);
    // An empty result needs no computation, and ops of MHLO may not support
    // empty operands.
    mlir::RankedTensorType type = resultType(op);
    if (type.hasStaticShape() && type.getNumElements() == 0) {
      rewriter.replaceOp(op, b.empty(type));
      return mlir::success();
    }
    mlir::FailureOr<mlir::Value> result = lower(op, adaptor, b);
    if (failed(result)) {
      origins.takeBack();
      return mlir::failure();
    }
    origins.keep();
    rewriter.replaceOp(op, b.cast(*result, type));
    return mlir::success();
  }

protected:
  /// The converted type of a result.
  mlir::RankedTensorType resultType(SourceOp op, unsigned index = 0) const {
    return llvm::cast<mlir::RankedTensorType>(
        this->getTypeConverter()->convertType(op->getResult(index).getType()));
  }
  /// The element type of a torch dtype in MHLO.
  mlir::Type elementType(mlir::Type dtype) const {
    auto tensor = torch::ValueTensorType::get(dtype.getContext(), {}, dtype);
    return llvm::cast<mlir::RankedTensorType>(
               this->getTypeConverter()->convertType(tensor))
        .getElementType();
  }
  /// The ints of a list operand; fails if no list construct defines it.
  mlir::FailureOr<Sizes> sizesOfList(HloBuilder &b, mlir::Value list) const {
    return torch_to_mhlo::sizesOfList(b, *this->getTypeConverter(), list);
  }
};

#define FAMILY(NAME)                                                           \
  void populate##NAME(const mlir::TypeConverter &types,                        \
                      mlir::RewritePatternSet &patterns,                       \
                      UnsupportedOps &unsupported);
#include "Families.def"
#undef FAMILY

} // namespace isthmus::torch_to_mhlo

#endif // ISTHMUS_LIB_CONVERSION_TORCHTOMHLO_FAMILIES_H
