//===- Lowering.h - Base of every lowering pattern --------------*- C++ -*-===//

#ifndef ISTHMUS_SUPPORT_LOWERING_H
#define ISTHMUS_SUPPORT_LOWERING_H

#include "isthmus/Support/UnsupportedOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace isthmus {

/// An OpConversionPattern that reports why it declines an op.
template <typename SourceOp>
class Lowering : public mlir::OpConversionPattern<SourceOp> {
public:
  using Adaptor = typename SourceOp::Adaptor;
  using Rewriter = mlir::ConversionPatternRewriter;

  Lowering(const mlir::TypeConverter &types, mlir::MLIRContext *context,
           UnsupportedOps &unsupported)
      : mlir::OpConversionPattern<SourceOp>(types, context),
        unsupported(unsupported) {}

protected:
  /// `return decline(op) << "expected a scalar bound, got " << type;`
  UnsupportedOps::Reason decline(mlir::Operation *op) const {
    return unsupported.decline(op);
  }

  UnsupportedOps &unsupported;
};

/// The label of patterns that always decline; the next label is the reason.
inline constexpr llvm::StringLiteral noLoweringLabel = "no-lowering";

/// Declines every op of one type because of a limit of the target. The coverage
/// table shows the reason instead of a lowering.
template <typename SourceOp>
class NoLowering final : public Lowering<SourceOp> {
public:
  using typename Lowering<SourceOp>::Adaptor;
  using typename Lowering<SourceOp>::Rewriter;

  NoLowering(const mlir::TypeConverter &types, mlir::MLIRContext *context,
             UnsupportedOps &unsupported, const char *reason)
      : Lowering<SourceOp>(types, context, unsupported), reason(reason) {
    this->addDebugLabels({noLoweringLabel, llvm::StringRef(reason)});
  }

  mlir::LogicalResult matchAndRewrite(SourceOp op, Adaptor,
                                      Rewriter &) const override {
    return this->decline(op) << reason;
  }

private:
  const char *reason; // a literal
};

} // namespace isthmus

#endif // ISTHMUS_SUPPORT_LOWERING_H
